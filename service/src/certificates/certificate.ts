import { createHash, createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from 'node:crypto'
import { OperatorError } from '../errors.ts'
import { sortedJson } from '../sorted-json.ts'

export const certificateFormat = 'wherry-certificate/1'
const headerType = 'wherry-certificate'

type Outcomes = Record<string, number>

/** The actor, as in the audit log, whose line has this number once it is sealed. */
export interface CertifiedAct {
  act: string
  by: string
  /** The id of the person who acted, if a name was given. */
  visitor: string | null
  at: string
  audit_line: number | null
}

/** The signed content. It holds counts and ids only, so it can be shown to anyone. */
export interface Certificate {
  format: typeof certificateFormat
  issued_at: string
  /** The connectors are part of the service, so this is their version, too. */
  service: { name: 'Wherry'; version: string }
  partner: string
  import: string
  run: { id: string; kind: string; started_at: string; finished_at: string; mapping_version: number }
  tools: { source: string; destination: string; family: string }
  started: CertifiedAct | null
  approved: CertifiedAct[]
  /** By entity and outcome: every record that the import knows, and those that this run was the last to send. */
  records: { entity: string; outcomes: Outcomes; of_this_run: Outcomes }[]
  /** Records that did not arrive unchanged, by entity and code of docs/warnings.md. */
  exceptions: { entity: string; code: string; count: number }[]
  /** Records that were read back from the destination and compared, and a hash over each result. */
  compared: { records: number; agree: number; differ: number; sha256: string }
  deletions: { removed_by_import: number; deleted_in_destination: number; gone_from_source: number }
}

/** A certificate with its signature: a JWS with detached content, RFC 7515 appendix F. */
export interface SignedCertificate {
  certificate: Certificate
  /** `protected header..signature`; the content is the certificate in the form of RFC 8785. */
  signature: string
}

export interface PublicKey {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  alg: 'EdDSA'
  use: 'sig'
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')

export function signCertificate(certificate: Certificate, kid: string, privateKey: KeyObject): string {
  const header = base64url(sortedJson({ alg: 'EdDSA', kid, typ: headerType }))
  const content = Buffer.from(`${header}.${base64url(sortedJson(certificate))}`)
  return `${header}..${sign(null, content, privateKey).toString('base64url')}`
}

/** Answers the key that signed it; refuses everything that is not exactly what was signed. */
export function verifyCertificate({ certificate, signature }: SignedCertificate, keys: readonly PublicKey[]): string {
  const [header = '', content, mark = '', ...rest] = signature.split('.')
  const { alg, kid, typ } = readHeader(header)
  if (content !== '' || rest.length > 0 || alg !== 'EdDSA' || typ !== headerType) {
    throw new OperatorError('The signature is not that of a certificate: a detached JWS with EdDSA is expected.')
  }
  const key = keys.find((candidate) => candidate.kid === kid)
  if (!key) throw new OperatorError(`The certificate was signed with key ${kid}, which is not among the given keys.`)
  if (thumbprint(key) !== kid) throw new OperatorError(`Key ${kid} is not the key that its id names.`)
  const signed = Buffer.from(`${header}.${base64url(sortedJson(certificate))}`)
  const bytes = Buffer.from(mark, 'base64url')
  // Only one spelling of a signature is accepted: a changed last character can decode to the same bytes.
  const isSame = bytes.toString('base64url') === mark
  const publicKey = createPublicKey({ key: { ...key } as JsonWebKey, format: 'jwk' })
  if (!isSame || !verify(null, signed, publicKey, bytes)) {
    throw new OperatorError('The certificate was changed after it was signed, or its signature was.')
  }
  return key.kid
}

function readHeader(text: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** The id of a key, RFC 7638: it follows from the key, so no other key can have it. */
export function thumbprint({ x }: { x: string }): string {
  return createHash('sha256')
    .update(sortedJson({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
}
