import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingFile, OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes, nameWithExtension, sendForm } from '../../kit/files.ts'
import type { Sent } from '../../kit/http.ts'
import { textOf } from '../../kit/left-out.ts'
import { orRefused, refusalsOf, written } from '../../kit/outcomes.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { fieldsOf, idOf, label, type WordpressApi } from './api.ts'
import type { EntityName } from './entities.ts'
import { times } from './lenses.ts'
import { mapping } from './mapping.ts'
import { mediaSlugOf } from './mark-record.ts'
import { mediaFile } from './media-file.ts'

const { accepted } = refusalsOf(label, [404], 'It was deleted in WordPress after it had been imported.')

export const toOutcome = (entity: EntityName, key: string, answer: Sent, losses: readonly WriteLoss[] = []) =>
  orRefused(key, async () => {
    const json = accepted(answer)
    return written(key, idOf(json), await mapping('toStored', entity, json), losses)
  })

/** Sends records in batches. The answers have the order of the records. */
export async function sendRecords(
  api: WordpressApi,
  entity: EntityName,
  records: readonly OutgoingRecord[],
  now: number,
): Promise<{ record: OutgoingRecord; answer: Sent }[]> {
  const requests = await sideBySide(records, 1, async (record) => {
    const place = record.destinationId === null ? '' : `/${Number(record.destinationId)}`
    const path = `/wp/v2/${entity}${place}?_fields=${fieldsOf(entity)}`
    return { method: 'POST' as const, path, body: await mapping('toRequest', entity, record, now) }
  })
  const answers = await api.batch(requests)
  return records.map((record, index) => ({ record, answer: answers[index] as Sent }))
}

export async function writePosts(
  api: WordpressApi,
  entity: 'posts' | 'pages',
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const now = Date.now()
  return sideBySide(await sendRecords(api, entity, records, now), 1, ({ record, answer }) => {
    return toOutcome(entity, record.key, answer, postLosses(record, now))
  })
}

export const postLosses = (record: OutgoingRecord, now = Date.now()) =>
  thatHold([times.statusOf(record, now).leftOut.includes('missed'), 'due_kept_as_draft'])

/** Content types whose extension is added to a name without one, because WordPress looks only at the name. */
const extended = [
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  ...['application/pdf', 'video/mp4', 'audio/mpeg'],
]

/** Sends a file with all its fields in one request. Later only its words can be changed, not its bytes. */
export async function sendFile(api: WordpressApi, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, destinationId, contentType, fields } = file
  const record = { ...file, body: undefined } as never
  const words = (await mapping('toRequest', 'media', record)) as Record<string, string>
  const change = (id: string) => api.send('POST', `/wp/v2/media/${Number(id)}`, { json: words })
  if (destinationId !== null) {
    dropBytes(file)
    return toOutcome('media', key, await change(destinationId))
  }
  const form = {
    field: 'file',
    fileName: nameWithExtension(textOf(fields, 'file_name'), contentType, extended),
    words: { ...words, slug: mediaSlugOf(key) },
    storedSize: (json: unknown) => mediaFile(json as Record<string, unknown>)?.size ?? null,
  }
  const json = accepted(await sendForm(label, file, form, (sending) => api.send('POST', '/wp/v2/media', sending)))
  const stored = await mapping('toStored', 'media', json)
  const wanted = await mapping('asStored', 'media', record)
  // Without a caption, WordPress uses the one that a camera or program wrote into the picture. Then we correct it.
  const isKept = stored.fields.caption === wanted.fields.caption
  return isKept ? written(key, idOf(json), stored) : toOutcome('media', key, await change(String(idOf(json))))
}
