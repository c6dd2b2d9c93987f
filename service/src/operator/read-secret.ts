import { readFileSync } from 'node:fs'
import { OperatorError } from '../errors.ts'

interface SecretOptions {
  /** The option that holds the secret, and the option that names its file. */
  option: string
  fileOption: string
  given: string | undefined
  file: string | undefined
}

/**
 * Reads a secret from a file, or from standard input for "-". Every user of the machine could read a secret on the
 * command line.
 */
export function readSecret({ option, fileOption, given, file }: SecretOptions): string | null {
  if (given !== undefined && file !== undefined) throw new OperatorError(`Give ${fileOption} alone, without ${option}.`)
  if (given !== undefined) {
    console.error(
      `${option} is deprecated: other users of this machine can read command lines. Use ${fileOption} with a file, or "-" for standard input.`,
    )
    return given
  }
  if (file === undefined) return null
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '' || /[\r\n]/.test(secret)) throw new OperatorError(`${fileOption} must hold one line, the secret.`)
  return secret
}
