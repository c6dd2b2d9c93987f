import { RetryableError } from '../../../errors.ts'
import type { OutgoingRecord, SideOutcome, SideRecord } from '../../contract/contract.ts'
import { digestOf } from '../../kit/keys.ts'
import { largestPage, type WordpressApi } from './api.ts'
import { type Raw, termSlug } from './entities.ts'
import { plainLine, textOf } from './lenses.ts'
import { termName } from './mapping.ts'

// Tags and categories have no place for our key. So we write a note before we make one, to recognize it as ours if the
// answer is lost. After the answer the note is dropped, because the ledger then has the record itself.

export type TermEntity = 'tags' | 'categories'
const kinds = { tags: 'made_tags', categories: 'made_categories' } as const

const markOf = (name: string, slug: string): string => digestOf(JSON.stringify([plainLine(name).toLowerCase(), slug]))

export const termSide = (entity: TermEntity, { fields }: OutgoingRecord): SideRecord => ({
  kind: kinds[entity],
  mark: markOf(textOf(fields, 'name'), termSlug(fields)),
  destinationId: null,
  version: null,
})

/**
 * Removes noted terms at the end of an undo. Only terms whose answer was lost, and that no later run found again, still
 * have notes.
 */
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

async function findTerm(api: WordpressApi, entity: TermEntity, mark: string): Promise<Raw | null> {
  for (let page = 1; ; page += 1) {
    const { records } = await api.list(entity, { per_page: largestPage, page, hide_empty: 'false', orderby: 'id' })
    const found = records.find((term) => markOf(termName(term), String(term.slug)) === mark)
    if (found || records.length < largestPage) return found ?? null
  }
}
