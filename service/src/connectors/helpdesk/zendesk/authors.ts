import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { requestsAtOnce, type ZendeskApi } from './api.ts'
import { isAbout } from './write-people.ts'

// Zendesk refuses a whole ticket for the author of one of its messages, and does not tell which one.

type Person = NonNullable<OutgoingRecord['createdBy']>
/** Authors who are only named in their texts, by id. Null if nobody knows their name. */
export type Unnamed = ReadonlyMap<string, Person | null>

const isAboutAuthor = (sent: Sent): boolean => sent.result === 'refused' && isAbout(sent, /author/i)

/**
 * Sends messages of these authors. If Zendesk refuses an author, only those who are unknown, deleted or suspended are
 * left out; all of them only if that was not the reason.
 */
export async function sendNaming(
  api: ZendeskApi,
  authors: readonly (string | null)[],
  before: Unnamed,
  send: (unnamed: Unnamed) => Promise<Sent>,
): Promise<{ sent: Sent; unnamed: Unnamed }> {
  const first = await send(before)
  if (!isAboutAuthor(first)) return { sent: first, unnamed: before }
  const ids = [...new Set(authors.filter((id) => id !== null))]
  const people = await sideBySide(ids, requestsAtOnce, (id) => lookAt(api, id))
  const unfit: Unnamed = new Map(people.flatMap(({ id, person, isFit }) => (isFit ? [] : [[id, person] as const])))
  const sent = unfit.size > before.size ? await send(unfit) : first
  if (!isAboutAuthor(sent)) return { sent, unnamed: unfit }
  const everyone: Unnamed = new Map(people.map(({ id, person }) => [id, person]))
  return { sent: await send(everyone), unnamed: everyone }
}

async function lookAt({ http, one }: ZendeskApi, id: string) {
  const { status, json } = await http.look(`/users/${id}`, [404])
  if (status === 404) return { id, person: null, isFit: false }
  const { name, email, active, suspended } = one(json, 'user')
  const person =
    typeof name === 'string' ? { name, email: typeof email === 'string' ? email : null, userId: null } : null
  return { id, person, isFit: active !== false && suspended !== true }
}

/** The record with the name of its author, for the line in its text. */
export function withName(record: OutgoingRecord, author: string | null, unnamed: Unnamed): OutgoingRecord {
  return { ...record, createdBy: record.createdBy ?? (author === null ? null : (unnamed.get(author) ?? null)) }
}

export function authorLosses(record: OutgoingRecord, author: string | null, unnamed: Unnamed): WriteLoss[] {
  if (author === null || !unnamed.has(author)) return []
  return [withName(record, author, unnamed).createdBy ? 'author_not_kept' : 'author_replaced']
}
