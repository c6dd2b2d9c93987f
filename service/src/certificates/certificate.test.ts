import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { languages } from '../languages.ts'
import { type Certificate, type PublicKey, signCertificate, thumbprint, verifyCertificate } from './certificate.ts'
import { printCertificate } from './print-certificate.ts'

const certificate: Certificate = {
  format: 'wherry-certificate/1',
  issued_at: '2026-11-17T08:00:00.000Z',
  service: { name: 'Wherry', version: '0.1.0' },
  partner: 'prt_1',
  import: 'imp_1',
  run: {
    id: 'run_1',
    kind: 'full',
    started_at: '2026-11-17T07:00:00.000Z',
    finished_at: '2026-11-17T08:00:00.000Z',
    mapping_version: 2,
  },
  tools: { source: 'fernhill', destination: 'open', family: 'helpdesk' },
  started: {
    act: 'full started',
    by: 'customer imp_1',
    visitor: null,
    at: '2026-11-17T07:00:00.000001Z',
    audit_line: 7,
  },
  approved: [],
  records: [{ entity: 'tickets', outcomes: { written: 1234 }, of_this_run: { written: 12 } }],
  exceptions: [{ entity: 'tickets', code: 'differs', count: 1 }],
  compared: { records: 120, agree: 119, differ: 1, sha256: 'a'.repeat(64) },
  deletions: { removed_by_import: 0, deleted_in_destination: 0, gone_from_source: 0 },
}
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const x = String(publicKey.export({ format: 'jwk' }).x)
const kid = thumbprint({ x })
const keys: PublicKey[] = [{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }]
const signature = signCertificate(certificate, kid, privateKey)

test('the id of a key is its thumbprint by RFC 7638', () => {
  // The example of RFC 8037, appendix A.3.
  expect(thumbprint({ x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' })).toBe(
    'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  )
})

test('a certificate verifies in any order and spacing', () => {
  const kept = JSON.parse(
    JSON.stringify({ signature, certificate: Object.fromEntries(Object.entries(certificate).reverse()) }, null, 4),
  )
  expect(verifyCertificate(kept, keys)).toBe(kid)
})

test('no letter or digit of a certificate or its signature can be changed', () => {
  const text = JSON.stringify({ certificate, signature })
  let refused = 0
  for (const [index, sign] of [...text].entries()) {
    if (!/[A-Za-z0-9_-]/.test(sign)) continue
    const changed = `${text.slice(0, index)}${sign === '7' ? '8' : '7'}${text.slice(index + 1)}`
    expect(() => verifyCertificate(JSON.parse(changed), keys), `at ${index}`).toThrow()
    refused += 1
  }
  expect(refused).toBeGreaterThan(500)
})

test('another key, another algorithm and attached content are refused', () => {
  expect(() => verifyCertificate({ certificate, signature }, [])).toThrow('not among the given keys')
  const other = String(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x)
  const [key] = keys
  expect(() => verifyCertificate({ certificate, signature }, [{ ...(key as PublicKey), x: other }])).toThrow(
    'not the key that its id names',
  )
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid, typ: 'wherry-certificate' })).toString('base64url')
  expect(() => verifyCertificate({ certificate, signature: `${none}..` }, keys)).toThrow('detached JWS with EdDSA')
  expect(() => verifyCertificate({ certificate, signature: signature.replace('..', '.e30.') }, keys)).toThrow(
    'detached JWS',
  )
})

test('the printed page has every number in each language, and escapes markup in its facts', () => {
  const hostile = { ...certificate, import: '<script>alert(1)</script>' }
  for (const language of languages) {
    const page = printCertificate({ certificate: hostile, signature }, { language, keysUrl: 'https://x.example/keys' })
    expect(page).toContain(`<html lang="${language}">`)
    expect(page).toMatch(/>1[.,\s\u202f]?234</)
    expect(page).toContain('&lt;script&gt;')
    expect(page).not.toContain('<script>')
    expect(page).toContain(signature)
  }
})
