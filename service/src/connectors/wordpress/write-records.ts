import { escapeText, plainWords } from '../../text/plain-words.ts'
import type { OutgoingRecord, SideRecord, SideRecords, WriteOutcome } from '../contract.ts'
import { type Answer, type BatchRequest, largestPage, type WordpressApi } from './api.ts'
import { lossesOf, termSlug, textOf, toTermRequest } from './from-family.ts'
import { plainLine } from './read-html.ts'
import { fieldsOf, parseWhole, type RawRecord, recordSchema, takeFields } from './schema.ts'
import { fromFamily, storedForm } from './store-long.ts'
import type { WrittenEntity } from './stored-form.ts'
import { termSide } from './term-sides.ts'

export async function toOutcome(entity: WrittenEntity, key: string, answer: Answer): Promise<WriteOutcome> {
  if (answer.result === 'refused') {
    const gone = answer.status === 404
    return {
      key,
      result: 'refused',
      code: gone ? 'gone' : answer.code,
      message: gone ? 'It was deleted in WordPress after it had been imported.' : answer.message,
    }
  }
  const { id } = parseWhole(recordSchema, answer.json, `a record of ${entity}`)
  const { url, version } = await storedForm('toStored', entity, answer.json)
  return { key, result: 'written', destinationId: String(id), url, version }
}

const pathOf = (entity: WrittenEntity, { destinationId }: OutgoingRecord) =>
  `/wp/v2/${entity}${destinationId === null ? '' : `/${Number(destinationId)}`}?_fields=${fieldsOf(entity)}`

export async function writePosts(
  api: WordpressApi,
  entity: 'posts' | 'pages',
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const now = Date.now()
  const requests: BatchRequest[] = []
  for (const record of records) {
    requests.push({
      method: 'POST',
      path: pathOf(entity, record),
      body: await fromFamily('toPostRequest', entity, record, now),
    })
  }
  const answers = await api.batch(requests)
  return Promise.all(
    records.map(async (record, index) => {
      const outcome = await toOutcome(entity, record.key, answers[index] as Answer)
      const losses = lossesOf(record, now)
      return outcome.result === 'written' && losses.length > 0 ? { ...outcome, losses } : outcome
    }),
  )
}

/** A tag or category that the site has already is used as it is. */
export async function writeTerms(
  api: WordpressApi,
  entity: 'tags' | 'categories',
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  const outcomes = new Map<string, WriteOutcome>()
  const own: OutgoingRecord[] = []
  for (const record of records) {
    const existing = record.destinationId === null ? await findTerm(api, entity, record) : null
    // Made by us in a call whose answer was lost.
    const isOurs = existing !== null && (await isNoted(sides, termSide(entity, record)))
    if (isOurs) own.push({ ...record, destinationId: String(existing.id) })
    else if (existing) outcomes.set(record.key, toMatched(record.key, existing))
    else own.push(record)
  }
  if (own.length > 0) {
    const noted = own.filter(({ destinationId }) => destinationId === null).map((record) => termSide(entity, record))
    await sides?.note(...noted)
    const answers = await api.batch(
      own.map((record) => ({
        method: 'POST' as const,
        path: pathOf(entity, record),
        body: toTermRequest(entity, record),
      })),
    )
    for (const [index, { key, destinationId }] of own.entries()) {
      const answer = answers[index] as Answer
      const existing = destinationId === null ? existingTermId(answer) : null
      // Two of this very batch can have one name.
      const [term] = existing === null ? [] : await api.listByIds(entity, [existing])
      outcomes.set(key, term ? toMatched(key, term) : await toOutcome(entity, key, answer))
    }
    await sides?.forget(...own.map((record) => termSide(entity, record)))
  }
  return records.flatMap(({ key }) => outcomes.get(key) ?? [])
}

const isNoted = async (sides: SideRecords | undefined, { kind, mark }: SideRecord): Promise<boolean> =>
  (await sides?.list(kind))?.some((side) => side.mark === mark) === true

const toMatched = (key: string, term: RawRecord): WriteOutcome => ({
  key,
  result: 'matched',
  destinationId: String(term.id),
  url: takeFields('tags', term).raw.link ?? null,
})

/**
 * Tags of one name are one tag. Categories of one name can stand in different places of the tree, which is built only
 * later: they are the same when their slug is too.
 */
async function findTerm(
  api: WordpressApi,
  entity: 'tags' | 'categories',
  { fields }: OutgoingRecord,
): Promise<RawRecord | null> {
  const name = plainLine(textOf(fields, 'name')).toLowerCase()
  const isSame = (term: RawRecord) => plainWords(takeFields('tags', term).raw.name ?? '').toLowerCase() === name
  const { records: ofSlug } = await api.list(entity, { slug: termSlug(fields), per_page: largestPage })
  const same = ofSlug.find(isSame)
  if (same || entity === 'categories' || name === '') return same ?? null
  // Names are stored with their signs escaped, and searched as they are stored.
  return (await api.list(entity, { search: escapeText(name), per_page: largestPage })).records.find(isSame) ?? null
}

function existingTermId(answer: Answer): number | null {
  if (answer.result !== 'refused' || answer.code !== 'term_exists') return null
  const id = (answer.data as { term_id?: unknown } | null)?.term_id
  return Number.isSafeInteger(id) ? Number(id) : null
}
