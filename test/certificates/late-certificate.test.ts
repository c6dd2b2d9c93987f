import { afterAll, beforeAll, expect, test } from 'vitest'
import { findNewestCertificate } from '../../service/src/certificates/issue-certificate.ts'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { newId } from '../../service/src/ids.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { type PortalService, startPortalService } from '../portal/portal-service.ts'
import { walkTo } from '../portal/walk-to.ts'
import { testKeys } from '../support/service.ts'
import { waitUntilBlocking } from '../support/wait-until-blocking.ts'

const keyRing = parseKeyRing(testKeys)
const starter = { plan: planStages, enqueue: async () => {} }

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
    // Without the lock, the request is answered at once.
    await Promise.race([begun, waitUntilBlocking(tx)])
    return { asked: begun }
  })
  expect(await asked).toBeNull()
})
