import { escapeText } from '../../../text/plain-words.ts'
import type { OutgoingFile, OutgoingRecord, SideRecord, SideRecords, WriteOutcome } from '../../contract/contract.ts'
import { dropBytes, nameWithExtension, sendForm } from '../../kit/files.ts'
import type { Sent } from '../../kit/http.ts'
import { type BatchRequest, idOf, label, largestPage, type WordpressApi } from './api.ts'
import { type EntityName, type Raw, termSlug } from './entities.ts'
import { plainLine, textOf } from './lenses.ts'
import { lossesOf, mapping, termName } from './mapping.ts'
import { mediaSlugOf } from './mark-record.ts'
import { type MediumFields, mediaFile } from './media-file.ts'
import { type TermEntity, termSide } from './term-sides.ts'

export async function toOutcome(entity: EntityName, key: string, answer: Sent): Promise<WriteOutcome> {
  if (answer.result === 'refused') {
    const { status, code, message } = answer
    if (status !== 404) return { key, result: 'refused', code, message }
    const words = 'It was deleted in WordPress after it had been imported.'
    return { key, result: 'refused', code: 'gone', message: words }
  }
  const destinationId = String(idOf(answer.json))
  const { url, version } = await mapping('toStored', entity, answer.json)
  return { key, result: 'written', destinationId, url, version }
}

/** Sends records in batches. The answers have the order of the records. */
async function sendRecords(api: WordpressApi, entity: EntityName, records: readonly OutgoingRecord[], now: number) {
  const requests: BatchRequest[] = []
  for (const record of records) {
    const path = api.pathOf(entity, record.destinationId)
    requests.push({ method: 'POST', path, body: await mapping('toRequest', entity, record, now) })
  }
  const answers = await api.batch(requests)
  return records.map((record, index) => ({ record, answer: answers[index] as Sent }))
}

export async function writePosts(
  api: WordpressApi,
  entity: 'posts' | 'pages',
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const now = Date.now()
  const outcomes: WriteOutcome[] = []
  for (const { record, answer } of await sendRecords(api, entity, records, now)) {
    const outcome = await toOutcome(entity, record.key, answer)
    const losses = lossesOf(record, now)
    outcomes.push(outcome.result === 'written' && losses.length > 0 ? { ...outcome, losses } : outcome)
  }
  return outcomes
}

/** Writes tags or categories. A term that the site already has is used unchanged. */
export async function writeTerms(
  api: WordpressApi,
  entity: TermEntity,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  const outcomes = new Map<string, WriteOutcome>()
  const own: OutgoingRecord[] = []
  for (const record of records) {
    const existing = record.destinationId === null ? await findTerm(api, entity, record) : null
    // We made this term in a call whose answer was lost.
    const isOurs = existing !== null && (await isNoted(sides, termSide(entity, record)))
    if (isOurs) own.push({ ...record, destinationId: String(existing.id) })
    else if (existing) outcomes.set(record.key, toMatched(record.key, existing))
    else own.push(record)
  }
  if (own.length > 0) {
    const noted = own.filter(({ destinationId }) => destinationId === null).map((record) => termSide(entity, record))
    await sides?.note(...noted)
    for (const { record, answer } of await sendRecords(api, entity, own, Date.now())) {
      const { key, destinationId } = record
      const existing = destinationId === null ? existingTermId(answer) : null
      // Two records of this batch may have the same name.
      const [term] = existing === null ? [] : await api.listByIds(entity, [existing])
      outcomes.set(key, term ? toMatched(key, term) : await toOutcome(entity, key, answer))
    }
    await sides?.forget(...own.map((record) => termSide(entity, record)))
  }
  return records.flatMap(({ key }) => outcomes.get(key) ?? [])
}

const isNoted = async (sides: SideRecords | undefined, { kind, mark }: SideRecord): Promise<boolean> =>
  (await sides?.list(kind))?.some((side) => side.mark === mark) === true

const toMatched = (key: string, { id, link }: Raw): WriteOutcome => ({
  key,
  result: 'matched',
  destinationId: String(id),
  url: typeof link === 'string' ? link : null,
})

/**
 * Tags with the same name are one tag. Categories with the same name may be at different places of the tree, which is
 * built later. So two categories are the same only if their slugs match too.
 */
async function findTerm(api: WordpressApi, entity: TermEntity, { fields }: OutgoingRecord): Promise<Raw | null> {
  const name = plainLine(textOf(fields, 'name')).toLowerCase()
  const isSame = (term: Raw) => termName(term).toLowerCase() === name
  const { records: ofSlug } = await api.list(entity, { slug: termSlug(fields), per_page: largestPage })
  const same = ofSlug.find(isSame)
  if (same || entity === 'categories' || name === '') return same ?? null
  // WordPress stores names with escaped characters, and searches the stored form.
  return (await api.list(entity, { search: escapeText(name), per_page: largestPage })).records.find(isSame) ?? null
}

function existingTermId(answer: Sent): number | null {
  if (answer.result !== 'refused' || answer.code !== 'term_exists') return null
  const id = (answer.json as { data?: { term_id?: unknown } | null }).data?.term_id
  return Number.isSafeInteger(id) ? Number(id) : null
}

/** Content types whose extension is added to a name without one, because WordPress looks only at the name. */
const extended = [
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  ...['application/pdf', 'video/mp4', 'audio/mpeg'],
]

/** Sends a file with all its fields in one request. Later only its words can be changed, not its bytes. */
export async function sendFile(api: WordpressApi, file: OutgoingFile): Promise<WriteOutcome> {
  const { key, destinationId, contentType, fields } = file
  const words = (await mapping('toRequest', 'media', { ...file, body: undefined } as never)) as Record<string, string>
  const change = (id: string) => api.send('POST', `/wp/v2/media/${Number(id)}`, { json: words })
  if (destinationId !== null) {
    dropBytes(file)
    return toOutcome('media', key, await change(destinationId))
  }
  const form = {
    field: 'file',
    fileName: nameWithExtension(textOf(fields, 'file_name'), contentType, extended),
    words: { ...words, slug: mediaSlugOf(key) },
    storedSize: (json: unknown) => mediaFile(json as MediumFields)?.size ?? null,
  }
  const answer = await sendForm(label, file, form, (sending) => api.send('POST', '/wp/v2/media', sending))
  const written = await toOutcome('media', key, answer)
  if (written.result !== 'written') return written
  // Without a caption, WordPress uses the one that a camera or program wrote into the picture. Then we correct it.
  const { caption } = (await mapping('toStored', 'media', (answer as { json: unknown }).json)).fields
  const { caption: wanted } = (await mapping('asStored', 'media', { ...file, body: undefined } as never)).fields
  return caption === wanted ? written : toOutcome('media', key, await change(written.destinationId))
}
