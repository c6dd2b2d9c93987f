import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findNewestCertificate } from '../../service/src/certificates/issue-certificate.ts'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { newId } from '../../service/src/ids.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { type PortalService, startPortalService } from '../portal/portal-service.ts'
import { walkTo } from '../portal/walk-to.ts'
import { testKeys } from '../support/service.ts'

const keyRing = parseKeyRing(testKeys)
const starter = { plan: planStages, enqueue: async () => {} }
const patient = { timeout: 300_000, interval: 50 }

let service: PortalService
beforeAll(async () => {
  service = await startPortalService()
})
afterAll(() => service?.close())

/** A completed import whose run ended before certificates existed. */
async function complete(): Promise<string> {
  const { id } = await service.createImport()
  await walkTo(service.db, id, 'migration_completed')
  await service.db.deleteFrom('certificates').where('import_id', '=', id).execute()
  await service.db.updateTable('runs').set({ state: 'finished' }).where('import_id', '=', id).execute()
  const run = { id: newId('run'), import_id: id, kind: 'full', state: 'finished', mapping_version: 0 } as const
  await service.db
    .insertInto('runs')
    .values({ ...run, finished_at: new Date() })
    .execute()
  return id
}

test('a run that ended before certificates existed gets one on request', async () => {
  const id = await complete()
  const found = await findNewestCertificate({ db: service.db, keyRing }, id)
  expect(found?.certificate).toMatchObject({ import: id, run: { kind: 'full' } })
})

test('it gets none once a later run has begun to change the records', async () => {
  const id = await complete()
  const { asked } = await service.db.transaction().execute(async (tx) => {
    await startRun(tx, starter, id, 'undo')
    const begun = findNewestCertificate({ db: service.db, keyRing }, id)
    // Asked in the same transaction, which would be ended after four idle seconds.
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tx)
      return rows.length > 0
    }
    // Without the lock, the request is answered at once.
    await Promise.race([begun, vi.waitUntil(isWaiting, patient)])
    return { asked: begun }
  })
  expect(await asked).toBeNull()
})
