import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { type Db, openDatabase } from '../../service/src/db/open-database.ts'
import { claimRun, LeaseLostError } from '../../service/src/engine/lease.ts'
import { moveStage } from '../../service/src/engine/move-stage.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { startTestService, type TestService } from '../support/service.ts'

const limit = { timeout: 900_000 }
const rounds = 25
const people = ['ada', 'ben', 'cleo', 'dora']

let service: TestService
afterEach(() => service.close())

/** An import that is ready for its full migration, opened in the portal and by its partner. */
async function openImport() {
  const { db, origin, call } = service
  const partner = await service.createPartner()
  const { json: created } = await partner.call('POST', '/api/v2.1/imports', {
    source_tool: 'fernhill',
    start_full: true,
  })
  const { id } = created
  const token = new URL(created.redirect_url).pathname.split('/').at(-1)
  await db.transaction().execute(async (tx) => {
    await moveImport(tx, id, 'both accounts authorized')
    for (const name of people) {
      await sql`insert into user_map (import_id, source_user_id, name) values (${id}, ${name}, ${name})`.execute(tx)
      await sql`
        insert into destination_users (import_id, user_id, name, is_active) values (${id}, ${name}, ${name}, true)`.execute(
        tx,
      )
    }
  })
  const session = await call('POST', '/portal/session', { body: { id, token } })
  const cookie = String(session.headers['set-cookie']).split(';')[0] ?? ''
  const inPortal = (method: string, path: string, body: unknown = {}) =>
    call(method, `/portal/imports/${id}${path}`, { headers: { cookie, origin }, body })
  return { id, inPortal, asPartner: partner.call }
}

/** Commits like the engine, as fast as it can, until the import is over. Returns the errors. */
async function commitForEver(db: Db, importId: string, isOver: () => boolean): Promise<unknown[]> {
  const wrong: unknown[] = []
  while (!isOver()) {
    const row = await db
      .selectFrom('runs')
      .select('id')
      .where('import_id', '=', importId)
      .where('state', '=', 'working')
      .executeTakeFirst()
    const run = row ? await claimRun(db, row.id) : null
    if (!run) await turn()
    else await commitUntilLost(run, wrong)
  }
  return wrong
}

async function commitUntilLost(run: NonNullable<Awaited<ReturnType<typeof claimRun>>>, wrong: unknown[]) {
  for (;;) {
    try {
      await run.lease.commit(async (tx) => {
        await moveStage(tx, { run }, { position: 0 }, { cursor: null, isDone: false })
        // The same order as when people are matched, then the numbers of the import, which every page updates.
        await sql`
          update user_map set name = name where import_id = ${run.importId}
            and source_user_id = any(${[...people].sort()})`.execute(tx)
        await sql`update imports set progress = progress, users = users where id = ${run.importId}`.execute(tx)
      })
    } catch (error) {
      if (!(error instanceof LeaseLostError)) wrong.push(error)
      return
    }
  }
}

test('no request during a commit causes a deadlock', limit, async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  // As in production, workers have connections of their own. They would take those of the requests without a pause.
  const { db, close } = openDatabase(service.databaseUrl, { poolSize: 2 })
  onTestFinished(close)
  const wrong: unknown[] = []
  for (let round = 0; round < rounds; round++) {
    const { id, inPortal, asPartner } = await openImport()
    await inPortal('POST', '/runs', { kind: 'full' })
    let isOver = false
    const working = [commitForEver(db, id, () => isOver), commitForEver(db, id, () => isOver)]
    const chosen = round % 2 === 0 ? people : [...people].reverse()
    const asked: (() => Promise<{ status: number; text: string }>)[] = [
      () => inPortal('PUT', '/people', Object.fromEntries(chosen.map((name) => [name, name]))),
      () => inPortal('PUT', '/people', Object.fromEntries([...chosen].reverse().map((name) => [name, null]))),
      () => inPortal('POST', '/pause'),
      () => inPortal('POST', '/resume'),
      () => asPartner('POST', `/api/v2.1/imports/${id}/payment/accept`),
      () => inPortal('PUT', '/contact', { address: 'ada@example.com', language: 'en' }),
      () => inPortal('POST', '/runs', { kind: round % 3 === 0 ? 'undo' : 'plan' }),
      () => inPortal('POST', '/resume'),
      () => inPortal('POST', '/cancel'),
    ]
    const answers = await Promise.all(
      asked.map(async (ask, index) => {
        for (let turns = 0; turns < index * 2; turns++) await turn()
        return ask()
      }),
    )
    isOver = true
    wrong.push(...answers.filter(({ status }) => status >= 500).map(({ text }) => text))
    wrong.push(...(await Promise.all(working)).flat())
    expect(answers.at(-1)?.status).toBe(204)
  }
  expect(wrong).toEqual([])
  const deadlocks = service.log.filter((line) => line.includes('40P01') || line.includes('deadlock'))
  expect(deadlocks).toEqual([])
})
