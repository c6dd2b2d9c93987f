import { escapeText, plainWords } from '../../../text/plain-words.ts'
import type { OutgoingRecord, SideOutcome, SideRecord, SideRecords, WriteOutcome } from '../../contract/contract.ts'
import { eachItem } from '../../kit/each-item.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import { textOf } from '../../kit/left-out.ts'
import { valueAt } from '../../kit/lens.ts'
import { matched } from '../../kit/outcomes.ts'
import { removeSide } from '../../kit/remove-side.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { largestPage, type WordpressApi } from './api.ts'
import { type Raw, termSlug } from './entities.ts'
import { plainLine } from './lenses.ts'
import { walkList } from './reader.ts'
import { sendRecords, toOutcome } from './write-records.ts'

// Tags and categories have no place for our key. So we write a note before we make one, to recognize it as ours if the
// answer is lost. After the answer the note is dropped, because the ledger then has the record itself.

type TermEntity = 'tags' | 'categories'
const kinds = { tags: 'made_tags', categories: 'made_categories' } as const

const markOf = (name: string, slug: string): string => digestOf(JSON.stringify([plainLine(name).toLowerCase(), slug]))
const termName = ({ name }: Raw): string => (typeof name === 'string' ? plainWords(name) : '')

/** Writes tags or categories. A term that the site already has is used unchanged. */
export async function writeTerms(
  api: WordpressApi,
  entity: TermEntity,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  const sideOf = ({ fields }: OutgoingRecord): SideRecord => ({
    kind: kinds[entity],
    mark: markOf(textOf(fields, 'name'), termSlug(fields)),
    destinationId: null,
    version: null,
  })
  const marks = records.map((record) => sideOf(record).mark)
  const noted = (await sides?.list(kinds[entity], marks)) ?? []
  const outcomes = new Map<string, WriteOutcome>()
  const own: OutgoingRecord[] = []
  for (const record of records) {
    const existing = record.destinationId === null ? await findTerm(api, entity, record) : null
    // We made this term in a call whose answer was lost.
    const isOurs = noted.some(({ mark }) => mark === sideOf(record).mark)
    if (existing && !isOurs) outcomes.set(record.key, toMatched(record.key, existing))
    else own.push(existing ? { ...record, destinationId: String(existing.id) } : record)
  }
  if (own.length > 0) {
    await sides?.note(...own.filter(({ destinationId }) => destinationId === null).map(sideOf))
    for (const { record, answer } of await sendRecords(api, entity, own, Date.now())) {
      const { key, destinationId } = record
      const existing = destinationId === null ? existingTermId(answer) : null
      // Two records of this batch may have the same name.
      const [term] = existing === null ? [] : await api.listByIds(entity, [existing])
      outcomes.set(key, term ? toMatched(key, term) : await toOutcome(entity, key, answer))
    }
    await sides?.forget(...own.map(sideOf))
  }
  return records.flatMap(({ key }) => outcomes.get(key) ?? [])
}

const toMatched = (key: string, { id, link }: Raw) => matched(key, id, typeof link === 'string' ? link : null)

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
  const id = valueAt(answer, 'json.data.term_id')
  return Number.isSafeInteger(id) ? Number(id) : null
}

/**
 * Removes noted terms at the end of an undo. Only terms whose answer was lost, and that no later run found again, still
 * have notes.
 */
export const removeTerms = (api: WordpressApi, records: readonly SideRecord[]): Promise<SideOutcome[]> =>
  sideBySide(records, 1, async (side) => {
    const entity = side.kind === kinds.tags ? 'tags' : 'categories'
    const term = await findMarked(api, entity, side.mark)
    const need = term && (await findTermUse(api, entity, term.id))
    const remove = (id: string) => api.remove(entity, id)
    return removeSide(side, term, need, remove, (code) => `WordPress does not delete a term: ${code}`)
  })

export const findTermUse = async (api: WordpressApi, entity: TermEntity, id: number): Promise<string | null> =>
  (await api.has('posts', { [entity]: id, status: 'any' })) ? 'Posts of this site use it.' : null

async function findMarked(api: WordpressApi, entity: TermEntity, mark: string): Promise<Raw | null> {
  for await (const term of eachItem(walkList(api, entity, { hide_empty: 'false' }), largestPage)) {
    if (markOf(termName(term), String(term.slug)) === mark) return term
  }
  return null
}
