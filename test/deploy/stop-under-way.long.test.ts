import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWholeService, type WholeService } from '../engine/whole-service.ts'

let service: WholeService
beforeAll(async () => {
  service = await startWholeService()
})
afterAll(() => service.close())

test('a request that is running when its API is stopped is answered, and its run starts', async () => {
  const portal = await service.openPortal({ start_full: false })
  await portal.connect()
  await portal.look('/plan')
  const second = await service.start('api')
  const lock = new pg.Client({ connectionString: String(service.config.databaseUrl) })
  await lock.connect()
  await lock.query('begin')
  await lock.query('select from imports where id = $1 for update', [portal.id])
  const origin = String(second.origin).replace('localhost', '127.0.0.1')
  const asked = fetch(`${origin}/portal/imports/${portal.id}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: portal.cookie },
    body: JSON.stringify({ kind: 'sample' }),
  })
  // Waits until the request is blocked by this row lock, even on a slow machine. Other tests wait for locks, too.
  for (let waiting = 0; waiting === 0; await sleep(50)) {
    const blocked = await lock.query(
      'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
    )
    waiting = blocked.rows.length
  }
  const stopped = second.stop()
  await sleep(1_000)
  await lock.query('commit')
  await lock.end()
  const answer = await asked
  expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)])
  await stopped
  await portal.until('sample_migration_completed')
})
