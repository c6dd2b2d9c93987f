import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimRun } from '../../service/src/engine/lease.ts'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { eraseImport } from '../../service/src/retention/erase-import.ts'
import { type PortalService, startPortalService } from '../portal/portal-service.ts'
import { walkTo } from '../portal/walk-to.ts'

let service: PortalService
beforeAll(async () => {
  service = await startPortalService()
})
afterAll(() => service?.close())

test('a run that was stopped just before writes nothing into an erased import', async () => {
  const { db } = service
  const { id } = await service.createImport()
  await walkTo(db, id, 'migration_completed')
  const { runId } = await startRun(db, { plan: planStages, enqueue: async () => {} }, id, 'undo')
  const run = await claimRun(db, runId)
  const record = { import_id: id, run_id: runId, entity: 'tickets', state: 'refused', code: 'blank' } as const
  const recordOutcome = () =>
    run?.lease.commitOutcome((tx) =>
      tx
        .insertInto('id_map')
        .values({ ...record, source_id: '1', message: 'Jane Doe has no subject' })
        .execute(),
    )
  await endImport(db, id, 'cancelled')
  await eraseImport(db, id)
  await expect(recordOutcome()).rejects.toThrow('no longer ours')
  expect(await db.selectFrom('id_map').select('source_id').where('import_id', '=', id).execute()).toEqual([])
})
