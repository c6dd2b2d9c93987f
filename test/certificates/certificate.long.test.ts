import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PublicKey, SignedCertificate } from '../../service/src/certificates/certificate.ts'
import { verifyCertificate } from '../../service/src/certificates/certificate.ts'
import { loadSigningKey } from '../../service/src/certificates/signing-key.ts'
import { neverThere } from '../../service/src/imports/list-records.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { rotateKeys } from '../../service/src/rotate-keys.ts'
import { sortedJson } from '../../service/src/sorted-json.ts'
import { runWherry } from '../audit/run-wherry.ts'
import { type Portal, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { testKeys } from '../support/service.ts'

let whole: WholeService
let portal: Portal
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-certificate-'))
  whole = await startWholeService()
  portal = await whole.openPortal({ start_full: true })
  await portal.connect()
  await portal.until('migration_completed')
})
afterAll(() => whole?.close())

const keysUrl = () => `${whole.origin}/.well-known/wherry-certificate-keys.json`
const publicKeys = async () => ((await (await fetch(keysUrl())).json()) as { keys: PublicKey[] }).keys
const newest = async (): Promise<SignedCertificate> => {
  const answer = await fetch(`${whole.origin}/portal/imports/${portal.id}/certificate.json`, {
    headers: { cookie: portal.cookie },
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="certificate-run_/)
  return (await answer.json()) as SignedCertificate
}
const wherry = (...args: string[]) =>
  runWherry(whole.config.databaseUrl ?? '', args, { WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' })

/** Counts records by entity and outcome, read directly from the ledger. */
async function ledger() {
  const { rows } = await sql<{ entity: string; state: string; count: number }>`
    select entity, state, count(*)::int as count from id_map where import_id = ${portal.id}
    group by 1, 2 order by 1, 2`.execute(whole.db)
  return rows
}
const flat = ({ certificate }: SignedCertificate) =>
  certificate.records.flatMap(({ entity, outcomes }) =>
    Object.entries(outcomes)
      .sort()
      .map(([state, count]) => ({ entity, state, count })),
  )

test('the certificate of a full migration matches the ledger, and names who started and approved it', async () => {
  const signed = await newest()
  const { certificate } = signed
  expect(flat(signed)).toEqual(await ledger())
  expect(certificate).toMatchObject({
    import: portal.id,
    run: { kind: 'full' },
    tools: { source: 'fernhill', destination: 'open', family: 'helpdesk' },
    started: { act: 'full started', by: `customer ${portal.id}` },
    approved: [{ act: 'import created', by: expect.stringMatching(/^partner prt_/) }],
    deletions: { removed_by_import: 0 },
  })
  const { rows } = await sql<{ agree: number; differ: number }>`
    select (count(*) filter (where is_verified))::int as agree, (count(*) filter (where code = 'differs'))::int as differ
    from id_map where import_id = ${portal.id} and state = 'written'`.execute(whole.db)
  expect(certificate.compared).toMatchObject(rows[0] as object)
  expect(certificate.compared.agree).toBeGreaterThan(0)
  const warnings = await sql<{ sum: number }>`
    select coalesce(sum(count), 0)::int as sum from warnings where import_id = ${portal.id}`.execute(whole.db)
  expect(certificate.exceptions.reduce((sum, { count }) => sum + count, 0)).toBe(warnings.rows[0]?.sum)
})

test('a stranger can verify the certificate with only the published key and RFC 8785', async () => {
  const { certificate, signature } = await newest()
  const [header = '', , mark = ''] = signature.split('.')
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const jwk = (await publicKeys()).find((key) => key.kid === kid)
  const key = createPublicKey({ key: jwk as never, format: 'jwk' })
  const content = Buffer.from(`${header}.${Buffer.from(sortedJson(certificate)).toString('base64url')}`)
  expect(verify(null, content, key, Buffer.from(mark, 'base64url'))).toBe(true)
  expect(JSON.stringify(await publicKeys())).not.toContain('"d"')
})

test("the commands show and verify the certificate, with the installation's keys, an address or a file", async () => {
  const { certificate } = await newest()
  const shown = await wherry('certificate', 'show', certificate.run.id)
  expect(JSON.parse(shown.stdout)).toEqual(await newest())
  const file = join(folder, 'certificate.json')
  writeFileSync(file, shown.stdout)
  const keys = join(folder, 'keys.json')
  writeFileSync(keys, JSON.stringify({ keys: await publicKeys() }))
  for (const more of [[], ['--keys', keysUrl()], ['--keys', keys]]) {
    const { code, stdout, stderr } = await wherry('certificate', 'verify', file, '--json', ...more)
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ is_valid: true, run: certificate.run.id })
  }
  writeFileSync(file, shown.stdout.replace('"kind":"full"', '"kind":"undo"'))
  expect(await wherry('certificate', 'verify', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was changed'),
  })
  expect((await wherry('certificate', 'show', 'run_none')).stderr).toContain('There is no certificate of run run_none')
  writeFileSync(file, '{}')
  expect((await wherry('certificate', 'verify', file)).stderr).toContain('is no certificate')
})

test('a new key in the ring changes neither the signing key nor its signatures', async () => {
  const before = await publicKeys()
  const second = `k2:${Buffer.alloc(32, 9).toString('base64')}`
  await rotateKeys(whole.db, parseKeyRing(`${second},${testKeys}`), { batch: 100, onProgress: () => {} })
  const { kid } = await loadSigningKey(whole.db, parseKeyRing(second))
  expect([kid, await publicKeys()]).toEqual([before[0]?.kid, before])
  expect(verifyCertificate(await newest(), before)).toBe(kid)
  // The service still has the first key only.
  await rotateKeys(whole.db, parseKeyRing(`${testKeys},${second}`), { batch: 100, onProgress: () => {} })
})

test('only the customer can open the printable page, in each language', async () => {
  const url = `${whole.origin}/portal/imports/${portal.id}/certificate`
  const page = await fetch(`${url}?language=de`, { headers: { cookie: portal.cookie } })
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Zertifikat des Imports')])
  expect((await fetch(`${url}?language=xx`, { headers: { cookie: portal.cookie } })).status).toBe(422)
  expect((await fetch(url)).status).toBeGreaterThanOrEqual(400)
  expect((await fetch(`${url}.json`)).status).toBeGreaterThanOrEqual(400)
})

test('an undo gets its own certificate that counts the removed records', async () => {
  const { certificate: before } = await newest()
  await portal.run('undo', 'migration_cleaned')
  const signed = await newest()
  const { certificate } = signed
  expect(certificate.run.kind).toBe('undo')
  expect(certificate.run.id).not.toBe(before.run.id)
  expect(flat(signed)).toEqual(await ledger())
  const { rows } = await sql<{ removed: number }>`
    select count(*)::int as removed from id_map
    where import_id = ${portal.id} and state = 'removed' and code is distinct from ${neverThere}`.execute(whole.db)
  const removed = rows[0]?.removed ?? 0
  expect(certificate.deletions.removed_by_import).toBe(removed)
  const byThisRun = certificate.records.flatMap(({ of_this_run }) => of_this_run.removed ?? 0)
  expect(byThisRun.reduce((sum, count) => sum + count, 0)).toBe(removed)
  expect(removed).toBeGreaterThan(0)
  // The first certificate is still there, unchanged.
  const first = await fetch(`${whole.origin}/portal/imports/${portal.id}/certificate.json?run=${before.run.id}`, {
    headers: { cookie: portal.cookie },
  })
  expect(((await first.json()) as SignedCertificate).certificate).toEqual(before)
})
