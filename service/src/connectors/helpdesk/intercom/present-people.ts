import { chunksOf } from '../../kit/find.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { readAll } from '../../kit/pages.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { type IntercomApi, largestPage, requestsAtOnce } from './api.ts'
import { isWithheld } from './withheld.ts'

/**
 * Finds out which people still exist: conversations keep the ids of deleted people. People whom the search does not
 * find yet are requested by id.
 */
export function openPeople(api: IntercomApi) {
  const known = new Map<string, boolean>()
  /** Without access to people, nobody is known to be deleted. */
  const isClosed = once(() => isWithheld(api, '/contacts', [403]))
  /** Stores which ids exist. Returns the people whom the search did not find, but who exist. */
  const learn = async (ids: readonly string[]): Promise<RawRecord[]> => {
    if (ids.length > 0 && (await isClosed())) {
      for (const id of ids) known.set(id, true)
      return []
    }
    const indexed = new Set<string>()
    for (const some of chunksOf(ids, 50)) {
      const found = await readAll(api.search('contacts', { field: 'id', operator: 'IN', value: some }), largestPage)
      for (const { id } of found) indexed.add(String(id))
    }
    const others = ids.filter((id) => !indexed.has(id))
    const found = await sideBySide(others, requestsAtOnce, (id) => api.find(`/contacts/${encodeURIComponent(id)}`))
    for (const id of indexed) known.set(id, true)
    for (const [index, id] of others.entries()) known.set(id, found[index] !== null)
    return found.flatMap((raw) => raw ?? [])
  }
  return {
    tooNew: (ids: readonly string[]) => learn([...new Set(ids)]),
    /** The records without references to deleted people. */
    async only(records: readonly RawRecord[]): Promise<RawRecord[]> {
      const named = records.flatMap(({ requester, others, author_contact: author }) =>
        [requester, author, others].flat(),
      )
      await learn([...new Set(named.flatMap((id) => (typeof id === 'string' && !known.has(id) ? id : [])))])
      const isThere = (id: unknown) => typeof id === 'string' && known.get(id) === true
      return records.map((raw) => ({
        ...raw,
        ...('requester' in raw && {
          requester: isThere(raw.requester) ? raw.requester : null,
          is_requester_gone: typeof raw.requester === 'string' && !isThere(raw.requester),
        }),
        ...('others' in raw && { others: [raw.others].flat().filter(isThere) }),
        ...('author_contact' in raw && { author_contact: isThere(raw.author_contact) ? raw.author_contact : null }),
      }))
    },
  }
}
