import { createHash } from 'node:crypto'
import { RetryableError } from '../../errors.ts'
import { plainWords } from '../../text/plain-words.ts'
import type { OutgoingRecord, SideOutcome, SideRecord } from '../contract.ts'
import { largestPage, type WordpressApi } from './api.ts'
import { termSlug, textOf } from './from-family.ts'
import { plainLine } from './read-html.ts'
import { type RawRecord, takeFields } from './schema.ts'

// Tags and categories have no place for our key. That one is about to be made is noted, so that it is known for ours if
// the answer is lost. With the answer the note goes: then the ledger has the record itself.

type TermEntity = 'tags' | 'categories'
const kinds = { tags: 'made_tags', categories: 'made_categories' } as const

const markOf = (name: string, slug: string): string =>
  createHash('sha256')
    .update(JSON.stringify([name.toLowerCase(), slug]))
    .digest('hex')
    .slice(0, 32)

export const termSide = (entity: TermEntity, { fields }: OutgoingRecord): SideRecord => ({
  kind: kinds[entity],
  mark: markOf(plainLine(textOf(fields, 'name')), termSlug(fields)),
  destinationId: null,
  version: null,
})

const markOfTerm = (term: RawRecord): string => {
  const { name = '', slug = '' } = takeFields('tags', term).raw
  return markOf(plainLine(plainWords(name)), slug)
}

/** Only those whose answer was lost, and that no run has met again, are left here. */
export async function removeTerms(api: WordpressApi, records: readonly SideRecord[]): Promise<SideOutcome[]> {
  const outcomes: SideOutcome[] = []
  for (const { kind, mark } of records) {
    const entity = kind === kinds.tags ? 'tags' : 'categories'
    const term = await findTerm(api, entity, mark)
    const { total } = term
      ? await api.list('posts', { [entity]: term.id, status: 'any', per_page: 1, _fields: 'id' })
      : { total: 0 }
    if (term && total > 0) {
      const message = 'Posts of this site use it.'
      outcomes.push({ kind, mark, result: 'kept', destinationId: String(term.id), url: null, message })
      continue
    }
    const answer = term ? await api.send('DELETE', `/wp/v2/${entity}/${term.id}`, { json: { force: true } }) : null
    if (answer?.result === 'refused' && answer.status !== 404) {
      throw new RetryableError(`WordPress does not delete a term: ${answer.code}`)
    }
    outcomes.push({ kind, mark, result: 'removed' })
  }
  return outcomes
}

async function findTerm(api: WordpressApi, entity: TermEntity, mark: string): Promise<RawRecord | null> {
  for (let page = 1; ; page += 1) {
    const { records } = await api.list(entity, { per_page: largestPage, page, hide_empty: 'false', orderby: 'id' })
    const found = records.find((term) => markOfTerm(term) === mark)
    if (found || records.length < largestPage) return found ?? null
  }
}
