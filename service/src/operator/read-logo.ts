import { readFileSync } from 'node:fs'
import { OperatorError } from '../errors.ts'

export function readLogo(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new OperatorError(`--logo: ${path} cannot be read.`, { cause })
  }
}
