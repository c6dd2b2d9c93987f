import { audit } from '../audit.ts'
import type { Connector } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { KeyRing } from '../key-ring.ts'
import { eraseUploads } from './erase-uploads.ts'
import { findIntake } from './find-intake.ts'
import { sealNewUpload } from './upload-rows.ts'

export interface StartParts {
  db: Db
  keyRing: KeyRing
  connectors: readonly Connector[]
  /** The size limit of one upload. */
  uploadLimitBytes: number
}

/** Refuses a file that is empty, or too large together with the earlier files. */
export function refuseSize(
  { fileName, size }: { fileName: string; size: number },
  limitBytes: number,
  bytesBefore = 0,
): void {
  if (size === 0) throw new ValidationError({ size: [`is 0: ${fileName} is empty. Please export it again`] })
  if (bytesBefore + size <= limitBytes) return
  const most = Math.floor(limitBytes / 1024 ** 2)
  const what = bytesBefore === 0 ? 'is' : 'of all files together is'
  const fix = `Zip ${fileName}, or split it and import one part at a time`
  throw new ValidationError({ size: [`${what} over the limit of ${most} MiB. ${fix}`] })
}

/** Starts an upload. It replaces an earlier upload that never became the source. */
export async function startUpload(
  { db, keyRing, connectors, uploadLimitBytes }: StartParts,
  input: { importId: string; fileName: string; size: number },
): Promise<string> {
  const { importId, fileName, size } = input
  refuseSize(input, uploadLimitBytes)
  return db.transaction().execute(async (tx) => {
    const imp = await tx
      .selectFrom('imports')
      .select('source_tool')
      .where('id', '=', importId)
      .where('ended_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!imp) throw new RequestError('not_found', 'There is no such import.')
    findIntake(connectors, imp.source_tool)
    await eraseUploads(tx, importId, { onlyUnconnected: true })
    const id = newId('upl')
    const { sealedKey, sealedName } = sealNewUpload(keyRing, id, fileName)
    await tx
      .insertInto('uploads')
      .values({ id, import_id: importId, state: 'receiving', size, sealed_key: sealedKey })
      .execute()
    await tx.insertInto('upload_files').values({ upload_id: id, number: 0, sealed_name: sealedName, size }).execute()
    await audit(tx, {
      actor: `customer ${importId}`,
      act: 'upload started',
      subject: importId,
      details: { upload: id },
    })
    return id
  })
}
