import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { type PublicKey, type SignedCertificate, verifyCertificate } from '../certificates/certificate.ts'
import { requireCertificate } from '../certificates/issue-certificate.ts'
import { listPublicKeys } from '../certificates/signing-key.ts'
import type { Config } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { printResult } from './print-result.ts'
import type { WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const
const askMs = 15_000
const mostBytes = 1024 * 1024

/** Commands for signed certificates, which state what a run moved. */
export function addCertificateCommands(program: Command, withDatabase: WithDatabase, config: () => Config): void {
  const certificate = program.command('certificate').description('signed certificates of runs')
  certificate
    .command('show <run>')
    .description('print the certificate of a run as JSON')
    .option('--json', 'print JSON; a certificate has no other form', true)
    .action(withDatabase((db, runId: string) => requireCertificate(db, runId)))
  certificate
    .command('verify <file>')
    .description('check that a certificate is unchanged and signed with one of the keys')
    .option('--keys <place>', 'address or file of the keys; by default those of this installation')
    .option(...json)
    .action(async (file: string, options: { keys?: string; json?: boolean }, command: Command) => {
      const signed = readCertificate(file)
      const check = (keys: readonly PublicKey[]) => {
        const key = verifyCertificate(signed, keys)
        const { run, issued_at } = signed.certificate
        return { is_valid: true, key, import: signed.certificate.import, run: run.id, kind: run.kind, issued_at }
      }
      // With `--keys`, the command needs no database.
      if (options.keys !== undefined) {
        printResult(check(parseKeys(options.keys, await readKeys(options.keys, config()))), options.json === true)
        return
      }
      await withDatabase(async (db) => check((await listPublicKeys(db)).keys))(command)
    })
}

function readCertificate(file: string): SignedCertificate {
  const value = parse(file, readText(file))
  const names = Object.keys(value).sort().join()
  const { certificate, signature } = value
  const isWhole =
    names === 'certificate,signature' &&
    typeof signature === 'string' &&
    typeof certificate === 'object' &&
    certificate !== null &&
    typeof (certificate as Partial<SignedCertificate['certificate']>).run === 'object'
  if (isWhole) return value as unknown as SignedCertificate
  throw new OperatorError(`${file} is no certificate: a JSON object with "certificate" and "signature" is expected.`)
}

async function readKeys(place: string, config: Config): Promise<string> {
  if (!/^https?:\/\//.test(place)) return readText(place)
  // Loaded only here: the other commands send no requests.
  const { createOutbound } = await import('../outbound/outbound.ts')
  const outbound = createOutbound(config.allowedNetworks)
  try {
    const { status, body } = await outbound.request(place, {
      signal: AbortSignal.timeout(askMs),
      maxBytes: mostBytes,
    })
    if (status === 200) return body
    throw new OperatorError(`${place} answered ${status} instead of the keys.`)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${place} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await outbound.close()
  }
}

function parseKeys(place: string, text: string): PublicKey[] {
  const { keys } = parse(place, text)
  const isKey = (key: unknown) =>
    typeof key === 'object' &&
    key !== null &&
    ['kid', 'x'].every((name) => typeof (key as Record<string, unknown>)[name] === 'string')
  if (Array.isArray(keys) && keys.every(isKey)) return keys as PublicKey[]
  throw new OperatorError(`${place} holds no keys: a JWK set {"keys":[…]} is expected.`)
}

function parse(place: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // The error below reports this case.
  }
  throw new OperatorError(`${place} is no JSON object.`)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
