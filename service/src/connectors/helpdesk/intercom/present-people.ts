import { chunksOf } from '../../kit/find.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { readAll } from '../../kit/pages.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { type IntercomApi, largestPage, requestsAtOnce } from './api.ts'
import { shownText } from './look-around.ts'
import { isWithheld } from './withheld.ts'

/** The most filters of a search. */
const mostFilters = 15

/**
 * Finds out which people still exist: conversations keep the ids of deleted people. People whom the search does not
 * find yet are requested by id.
 */
export function openPeople(api: IntercomApi) {
  /** The id by which each person exists now. Null if nobody is left. */
  const known = new Map<string, string | null>()
  /** Without access to people, nobody is known to be deleted. */
  const isClosed = once(() => isWithheld(api, '/contacts', [403]))
  /** Stores which ids exist. Returns the people whom the search did not find, but who exist. */
  const learn = async (ids: readonly string[]): Promise<RawRecord[]> => {
    if (ids.length > 0 && (await isClosed())) {
      for (const id of ids) known.set(id, id)
      return []
    }
    const indexed = new Set<string>()
    for (const some of chunksOf(ids, 50)) {
      const found = await readAll(api.search('contacts', { field: 'id', operator: 'IN', value: some }), largestPage)
      for (const { id } of found) indexed.add(String(id))
    }
    const others = ids.filter((id) => !indexed.has(id))
    const found = await sideBySide(others, requestsAtOnce, (id) => findMerged(api, id))
    for (const id of indexed) known.set(id, id)
    for (const [index, id] of others.entries()) known.set(id, found[index] ? String(found[index].id) : null)
    return found.flatMap((raw) => raw ?? [])
  }
  const byEmail = new Map<string, string | null>()
  /**
   * People by their addresses. A lead that was merged into a user is gone, but its messages may still name it: the user
   * has its address. Null for an address that none or several have.
   */
  const learnEmails = async (emails: readonly string[]): Promise<void> => {
    for (const some of chunksOf(emails, mostFilters)) {
      const value = some.map((email) => ({ field: 'email', operator: '=', value: email }))
      const found = await readAll(api.search('contacts', { operator: 'OR', value }), largestPage)
      for (const email of some) {
        const same = found.filter((raw) => shownText(raw.email)?.toLowerCase() === email)
        byEmail.set(email, same.length === 1 ? String(same[0]?.id) : null)
      }
    }
  }
  return {
    tooNew: (ids: readonly string[]) => learn([...new Set(ids)]),
    /** The records without references to deleted people. */
    async only(records: readonly RawRecord[]): Promise<RawRecord[]> {
      const named = records.flatMap(({ requester, others, author_contact: author }) =>
        [requester, author, others].flat(),
      )
      await learn([...new Set(named.flatMap((id) => (typeof id === 'string' && !known.has(id) ? id : [])))])
      const idNow = (id: unknown) => (typeof id === 'string' ? (known.get(id) ?? null) : null)
      const emailOf = ({ author_contact: author, author_email: email }: RawRecord) =>
        typeof author === 'string' && !idNow(author) && typeof email === 'string' ? email.toLowerCase() : null
      const unknown = records.flatMap((raw) => emailOf(raw) ?? []).filter((email) => !byEmail.has(email))
      await learnEmails([...new Set(unknown)])
      const authorOf = (raw: RawRecord) => idNow(raw.author_contact) ?? byEmail.get(emailOf(raw) ?? '') ?? null
      // Nobody has the account any more, or a bot wrote it. The message still names its author.
      const formerOf = (raw: RawRecord) =>
        raw.author_agent || authorOf(raw) ? null : (raw.author_name ?? raw.author_email ?? null)
      const othersOf = ({ others, requester }: RawRecord) =>
        [...new Set([others].flat().flatMap((id) => idNow(id) ?? []))].filter((id) => id !== idNow(requester))
      return records.map((raw) => ({
        ...raw,
        ...('requester' in raw && {
          requester: idNow(raw.requester),
          is_requester_gone: typeof raw.requester === 'string' && !idNow(raw.requester),
        }),
        ...('others' in raw && { others: othersOf(raw) }),
        ...('author_contact' in raw && { author_contact: authorOf(raw), author_former: formerOf(raw) }),
      }))
    },
  }
}

/** A person, or the one whom they were merged into, whom the header Link names. Null if nobody is left. */
async function findMerged(api: IntercomApi, id: string): Promise<RawRecord | null> {
  const { status, json, headers } = await api.http.look(`/contacts/${encodeURIComponent(id)}`, [404, 410])
  if (status !== 404 && status !== 410) return api.one(json)
  const [, other] = /^<\/contacts\/([\w-]{1,100})>/.exec(String(headers.link ?? '')) ?? []
  return other === undefined ? null : api.find(`/contacts/${other}`)
}
