import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccess, replaceAccess, storeAccess } from '../../service/src/accounts/sealed-access.ts'
import { beginSignIn } from '../../service/src/authorizations/begin-sign-in.ts'
import { findSignIn } from '../../service/src/authorizations/finish-sign-in.ts'
import { findOAuthClient, setOAuthClient } from '../../service/src/authorizations/oauth-clients.ts'
import { checkoutDir } from '../../service/src/config.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { loadInstallation } from '../../service/src/installation.ts'
import type { KeyRing } from '../../service/src/key-ring.ts'
import { loadKeyRing } from '../../service/src/load-key-ring.ts'
import { createOutbound } from '../../service/src/outbound/outbound.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { startUpload } from '../../service/src/uploads/start-upload.ts'
import { requireUpload } from '../../service/src/uploads/upload-rows.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startProgram } from '../support/program.ts'

const imports = 1_000
/** The writer rewrites only the first rows; the rest is left to the rotation. */
const rewritten = 40
const importId = (number: number) => `imp_${String(number).padStart(26, '0')}`
const desk = 'https://desk.example.com'

let own: TestDatabase
let home: string
let database: ReturnType<typeof openDatabase>

beforeAll(async () => {
  own = await createTestDatabase()
  home = mkdtempSync(join(tmpdir(), 'wherry-rotate-'))
  database = openDatabase(own.url, { poolSize: 6 })
})
afterAll(async () => {
  await database?.close()
  await own?.drop()
})

const wherry = (...args: string[]) =>
  startProgram(process.execPath, [join(checkoutDir, 'service/bin/wherry.mjs'), ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: own.url, WHERRY_HOME: home },
  })
const finish = async (...args: string[]) => {
  const { code, stdout, stderr } = await wherry(...args, '--json').finished
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}
const access = (token: string) => ({ instanceUrl: desk, username: null, token })

test('a rotation beside a writer and readers, killed twice, leaves every value readable under the new key', async () => {
  const { db } = database
  // Separate rings, as in processes that started before the new key.
  const [seeding, writing, reading] = [1, 2, 3].map(() => loadKeyRing({ keys: null, home })) as [
    KeyRing,
    KeyRing,
    KeyRing,
  ]
  await using cleanup = new AsyncDisposableStack()
  const outbound = createOutbound([])
  cleanup.defer(() => outbound.close())
  const { uploadId, state, partnerId } = await seed(seeding, outbound)
  const { fingerprint } = await loadInstallation(db, seeding)
  const before = fingerprint(Buffer.from('same'))
  expect((await finish('keys', 'list'))[0]).toMatchObject({ id: 'k1', seals: true, in_ring: true })
  expect(await finish('keys', 'add')).toMatchObject({ key: 'k2' })

  const written = new Map<number, string>()
  const stopping = new AbortController()
  const writer = (async () => {
    for (let round = 0; !stopping.signal.aborted; round++) {
      const number = (round * 7) % rewritten
      const token = `written in round ${round}`
      await db
        .transaction()
        .execute((tx) =>
          replaceAccess(tx, writing, { importId: importId(number), role: 'source', access: access(token) }),
        )
      written.set(number, token)
    }
  })()
  let reads = 0
  const reader = (async () => {
    for (let round = 0; !stopping.signal.aborted; round++) {
      expect((await findAccess(db, reading, importId((round * 11) % imports), 'source'))?.token).toBeTruthy()
      reads += 1
    }
  })()
  try {
    for (let kills = 0; kills < 2; kills++) {
      const rotation = wherry('keys', 'rotate', '--batch', '5')
      await rotation.waitFor(/authorizations\.sealed_credentials: \d+ of/)
      rotation.child.kill('SIGKILL')
      await rotation.finished
      const [newest] = await finish('keys', 'list')
      expect(newest.id).toBe('k2')
      expect(newest.values).toBeGreaterThan(0)
    }
    const again = wherry('keys', 'rotate', '--batch', '50', '--json')
    expect((await again.finished).code, again.output()).toBe(0)
  } finally {
    stopping.abort()
    await Promise.all([writer, reader])
  }
  expect(reads).toBeGreaterThan(0)
  const [k2, k1] = await finish('keys', 'list')
  expect(k1).toMatchObject({ id: 'k1', seals: false, values: 0 })
  expect(Object.keys(k2.uses)).toEqual(expect.arrayContaining(['installation.sealed_secret', 'uploads.sealed_key']))
  expect(await finish('keys', 'drop', 'k1')).toMatchObject({ is_needed: false })
  expect(readFileSync(join(home, 'keys'), 'utf8')).toMatch(/^k2:[^\n]+\n$/)

  const ring = loadKeyRing({ keys: null, home })
  for (let number = 0; number < imports; number++) {
    const expected = written.get(number) ?? `token ${number}`
    expect((await findAccess(db, ring, importId(number), 'source'))?.token).toBe(expected)
  }
  expect((await loadInstallation(db, ring)).fingerprint(Buffer.from('same')).equals(before)).toBe(true)
  expect((await requireUpload(db, ring, { importId: importId(0), uploadId })).fileName).toBe('tickets.csv')
  expect(await findOAuthClient(db, ring, 'fernhill', desk)).toEqual({ clientId: 'wherry', secret: 'hunter2' })
  expect(await findSignIn(db, state)).toMatchObject({ importId: importId(0) })
  const { openSecrets, loadSecrets } = await import('../../service/src/webhooks/signing-secrets.ts')
  const { databaseClock } = await import('../../service/src/webhooks/clock.ts')
  const sealed = (await loadSecrets(db, databaseClock, [partnerId])).get(partnerId) ?? []
  expect(openSecrets(ring, sealed)[0]).toMatch(/^whsec_/)
})

test('a key that is needed, unknown or newest is not dropped, and the error says what needs it', async () => {
  await finish('keys', 'add')
  const needed = await wherry('keys', 'drop', 'k2').finished
  expect(needed.stderr).toMatch(/Key k2 is still needed by .*authorizations\.sealed_credentials \(1000\)/)
  expect((await wherry('keys', 'drop', 'k9').finished).stderr).toContain('There is no key k9')
  expect((await wherry('keys', 'drop', 'k3').finished).stderr).toContain('Key k3 is the newest key')
})

async function seed(keyRing: KeyRing, outbound: ReturnType<typeof createOutbound>) {
  const { db, pool } = database
  const { id: partnerId } = await createPartner(db, { connectors, keyRing }, { name: 'Acme', destination: 'open' })
  await pool.query(
    `insert into imports (id, partner_id, source_tool, destination_tool, family, start_full, sponsorship, status, sequence)
     select 'imp_' || lpad(n::text, 26, '0'), $1, case n when 0 then 'csv' else 'fernhill' end, 'open', 'helpdesk', false,
       'undecided', 'collecting_credentials', 1 from generate_series(0, $2::int - 1) n`,
    [partnerId, imports],
  )
  await db.transaction().execute(async (tx) => {
    for (let number = 0; number < imports; number++) {
      const input = {
        importId: importId(number),
        role: 'source' as const,
        access: access(`token ${number}`),
        isChecked: true,
      }
      await storeAccess(tx, keyRing, input)
    }
  })
  const uploadId = await startUpload(
    { db, keyRing, connectors, uploadLimitBytes: 1024 },
    { importId: importId(0), fileName: 'tickets.csv', size: 10 },
  )
  const client = { tool: 'fernhill', instance: desk, clientId: 'wherry', secret: 'hunter2' }
  await setOAuthClient(db, { keyRing, connectors }, client)
  const parts = { db, keyRing, connectors, outbound, origin: () => 'https://import.example.com' }
  const wish = { importId: importId(0), role: 'source' as const, tool: 'fernhill', instance: desk }
  const address = new URL(await beginSignIn(parts as never, wish))
  return { uploadId, partnerId, state: String(address.searchParams.get('state')) }
}
