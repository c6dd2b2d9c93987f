import { audit } from '../audit.ts'
import type { Connector } from '../connectors/contract.ts'
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
  /** Of one upload. */
  uploadLimitBytes: number
}

/** Begins an upload. Another one that was never made the source makes room for it. */
export async function startUpload(
  { db, keyRing, connectors, uploadLimitBytes }: StartParts,
  input: { importId: string; fileName: string; size: number },
): Promise<string> {
  const { importId, fileName, size } = input
  if (size === 0) throw new ValidationError({ size: [`is 0: ${fileName} is empty. Please export it again`] })
  if (size > uploadLimitBytes) {
    const most = Math.floor(uploadLimitBytes / 1024 ** 2)
    throw new ValidationError({
      size: [`is over the limit of ${most} MiB. Zip ${fileName}, or split it and import one part at a time`],
    })
  }
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
    await tx
      .insertInto('uploads')
      .values({ id, import_id: importId, state: 'receiving', size, ...sealNewUpload(keyRing, id, fileName) })
      .execute()
    await audit(tx, {
      actor: `customer ${importId}`,
      act: 'upload started',
      subject: importId,
      details: { upload: id },
    })
    return id
  })
}
