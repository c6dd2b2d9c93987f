import { audit } from '../audit.ts'
import type { Connector } from '../connectors/contract/contract.ts'
import type { TableChoice } from '../connectors/contract/upload-contract.ts'
import type { Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import { findIntake } from './find-intake.ts'
import type { FinishParts } from './finish-upload.ts'
import { requireUpload, sealFindings, type UploadRow } from './upload-rows.ts'

/** Stores the customer's choices for the tables of an upload. The files are then read again. */
export async function arrangeUpload(
  parts: FinishParts & { connectors: readonly Connector[] },
  input: { importId: string; uploadId: string; choices: TableChoice[] },
): Promise<void> {
  const { importId, choices } = input
  await parts.db.transaction().execute(async (tx) => {
    // The row is locked, so that no run can start between this check and the change.
    const imp = await tx
      .selectFrom('imports')
      .select('source_tool')
      .where('id', '=', importId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const upload = await requireUpload(tx, parts.keyRing, input)
    if (upload.state !== 'ready') throw new ValidationError({ upload: [whyNotReady(upload)] })
    const { findings, namesRecordsAnew } = await findIntake(parts.connectors, imp.source_tool).rearrange(
      upload.findings,
      choices,
    )
    if (upload.isConnected) await refuseTooLate(tx, importId, namesRecordsAnew)
    const { numUpdatedRows } = await tx
      .updateTable('uploads')
      .set((eb) => ({
        state: 'reading',
        sealed_findings: sealFindings(upload, findings),
        touched_at: eb.fn<Date>('now'),
      }))
      .where('id', '=', upload.id)
      .where('state', '=', 'ready')
      .where('epoch', '=', upload.epoch)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ValidationError({ upload: ['was changed by someone else just now'] })
    await audit(tx, { actor: `customer ${importId}`, act: 'tables chosen', subject: importId })
    await parts.enqueueUpload(tx, upload.id)
  })
}

export function whyNotReady({ state }: UploadRow): string {
  if (state === 'receiving') return 'is not complete: send the rest and finish it first'
  return state === 'reading' ? 'is still being read: try again in a moment' : 'cannot be used: upload another file'
}

async function refuseTooLate(tx: Tx, importId: string, namesRecordsAnew: boolean): Promise<void> {
  const run = await tx
    .selectFrom('runs')
    .select('id')
    .where('import_id', '=', importId)
    .where('state', 'in', ['working', 'paused'])
    .executeTakeFirst()
  if (run) throw new ValidationError({ tables: ['cannot be changed while a migration is under way'] })
  if (!namesRecordsAnew) return
  const moved = await tx
    .selectFrom('id_map')
    .select('source_id')
    .where('import_id', '=', importId)
    .where('state', 'in', ['intended', 'written', 'matched'])
    .limit(1)
    .executeTakeFirst()
  if (moved) {
    throw new ValidationError({
      tables: ['would give the records other ids, and bring them over a second time. Undo the migration first'],
    })
  }
}
