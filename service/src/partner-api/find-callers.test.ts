import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { fillDatabase, sampleImports } from '../../bench/fill-database.ts'
import { hashApiToken } from '../partners/api-token.ts'
import { createFindCaller } from './find-callers.ts'

let own: TestDatabase
let pool: pg.Pool
let tokens: Map<string, string>
beforeAll(async () => {
  own = await createTestDatabase()
  // Of this size, Postgres reads a table rather as a whole than by its index.
  tokens = await fillDatabase(own.url, { partners: 2000, usernamesPerPartner: 1, importsPerUsername: 1 })
  // One connection, so that the counters below are its own.
  pool = new pg.Pool({ connectionString: own.url, max: 1 })
})
afterAll(async () => {
  await pool.end()
  await own.drop()
})

const countWholeReads = async () => {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ relname: string; seq_scan: string }>(
    `select relname, seq_scan from pg_stat_user_tables
    where relname in ('api_tokens', 'partners', 'imports', 'warnings') order by relname`,
  )
  return rows
}

test.each([0, 10])('with a limit of %i, no request reads a whole table', async (limit) => {
  const findCaller = createFindCaller(pool, limit)
  const imports = await sampleImports(own.url, tokens, { partners: 2000, imports: 24 })
  const before = await countWholeReads()
  // One after the other, because Postgres keeps a plan only from the sixth execution on.
  for (const [place, { id, partnerId, username }] of imports.entries()) {
    const tokenHash = hashApiToken(tokens.get(partnerId) ?? '').toString('hex')
    const isList = place % 2 === 1
    const caller = await findCaller({
      tokenHash,
      importId: isList ? null : id,
      username: isList ? username : null,
    })
    expect(caller?.partner.id).toBe(partnerId)
    expect(isList ? caller?.list?.length : caller?.imp?.id).toBe(isList ? 1 : id)
  }
  expect(await countWholeReads()).toEqual(before)
})
