import type { SideOutcome, SideRecord, SideRecords } from '../../contract/contract.ts'
import { eachItem } from '../../kit/each-item.ts'
import { removeSide } from '../../kit/remove-side.ts'
import { type GhostApi, quote, takeWhole } from './api.ts'
import { isId } from './lenses.ts'
import { addMembers, findMembers, type Member, toMember } from './list-members.ts'
import { mapping } from './mapping.ts'
import { commenterMark, markNote } from './mark-record.ts'

// Only members can comment. So we make a member for an author who is none, without any newsletter.

export const commenterKind = 'members'

const noteOf = (mark: string) => markNote('Has commented.', mark)
const versionOf = async (member: Member) => (await mapping('toStored', 'subscribers', member)).version

export interface Commenters {
  /** Ids of members, by lower-case e-mail address. */
  ids: ReadonlyMap<string, string>
  /** Members that were just made, by e-mail address. */
  made: ReadonlyMap<string, SideRecord>
}

interface Author {
  name: string
  /** Key of this author's first comment. */
  key: string
}

/** Finds the members for these authors by e-mail address, and makes the missing ones. */
export async function openCommenters(
  api: GhostApi,
  authors: ReadonlyMap<string, Author>,
  sides: SideRecords | undefined,
): Promise<Commenters> {
  const present = await findMembers(api, authors.keys())
  const missing = [...authors].flatMap(([email, { name, key }]) => {
    const mark = commenterMark(key)
    const side: SideRecord = { kind: commenterKind, mark, destinationId: null, version: null }
    return present.has(email) ? [] : [{ email, name, note: noteOf(mark), isSubscribed: false, side }]
  })
  await sides?.note(...missing.map(({ side }) => side))
  await addMembers(api, missing)
  const added = await findMembers(
    api,
    missing.map(({ email }) => email),
  )
  const made = new Map<string, SideRecord>()
  for (const { email, note, side } of missing) {
    const member = added.get(email)
    // Somebody may have become a member with this address at the same time. Then the member is not ours.
    if (member?.note !== note) await sides?.forget(side)
    else made.set(email, { ...side, destinationId: member.id, version: await versionOf(member) })
  }
  await sides?.note(...made.values())
  const ids = new Map([...present, ...added].map(([email, { id }]) => [email, id] as const))
  return { ids, made }
}

/** The side record, if we made this member for a comment and nobody has changed the member since. */
export async function findUntouched(sides: SideRecords | undefined, member: Member): Promise<SideRecord | null> {
  const known = (await sides?.list(commenterKind))?.find(({ destinationId }) => destinationId === member.id)
  return known && (await isUntouched(known, member)) ? known : null
}

async function isUntouched({ mark, version }: SideRecord, member: Member): Promise<boolean> {
  if (version !== null) return (await versionOf(member)) === version
  // The process ended before the version was noted. Then everything except the name must be as we made it.
  return member.note === noteOf(mark) && member.labels.length === 0 && !member.subscribed && member.status === 'free'
}

export async function removeCommenters(
  api: GhostApi,
  records: readonly SideRecord[],
  isForced: boolean,
): Promise<SideOutcome[]> {
  const remove = (id: string) => api.send('DELETE', `/members/${id}/`)
  const outcomes: SideOutcome[] = []
  for (const side of records) {
    const member = await findCommenter(api, side)
    const need = member && (await reasonToKeep(api, side, member, isForced))
    outcomes.push(await removeSide(side, member, need, remove, complainOf(side)))
  }
  return outcomes
}

export const complainOf =
  ({ kind }: SideRecord) =>
  (code: string) =>
    `Ghost does not delete one of its ${kind}: ${code}`

async function findCommenter(api: GhostApi, { destinationId, mark }: SideRecord): Promise<Member | null> {
  const [member] = isId(destinationId)
    ? await api.listByIds('members', [destinationId])
    : (await api.walk('members', `note:~${quote(mark)}`)(null, 2)).items
  return member ? toMember(member) : null
}

/** Visits do not count, because Ghost also records one for each comment that we write. */
async function reasonToKeep(api: GhostApi, side: SideRecord, member: Member, isForced: boolean) {
  const use = await findUse(api, member.id, () => false)
  if (use !== null || isForced || (await isUntouched(side, member))) return use
  return 'People have changed this member since it was imported.'
}

/** Why a member must stay: comments that do not pass `isSuch`. */
export const findUse = async (api: GhostApi, id: string, isSuch: (html: string) => boolean): Promise<string | null> =>
  (await areComments(api, `member_id:${quote(id)}`, isSuch)) ? null : 'There are comments of this member.'

/** Whether all comments that match the filter also pass `isSuch`. */
export async function areComments(api: GhostApi, filter: string, isSuch: (html: string) => boolean): Promise<boolean> {
  for await (const record of eachItem(api.walk('comments', filter), 100)) {
    if (!isSuch(String(takeWhole('comments', record).html ?? ''))) return false
  }
  return true
}
