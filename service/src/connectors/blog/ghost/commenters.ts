import type { SideOutcome, SideRecord, SideRecords } from '../../contract/contract.ts'
import { type GhostApi, quote } from './api.ts'
import { addMembers, findMembers, type Member } from './list-members.ts'
import { mapping } from './mapping.ts'
import { commenterMark, isMarked, markNote } from './mark-record.ts'
import { deleteSide, keepSide } from './remove-side.ts'
import { isId, takeWhole } from './schema.ts'

// Only members can comment. So we make a member for an author who is none, without any newsletter.

export const commenterKind = 'members'

const noteOf = (mark: string) => markNote('Has commented.', mark)

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
  const present = await findMembers(api, [...authors.keys()])
  const missing = [...authors].filter(([email]) => !present.has(email))
  const marks = new Map(missing.map(([email, { key }]) => [email, commenterMark(key)]))
  const open = (mark: string): SideRecord => ({ kind: commenterKind, mark, destinationId: null, version: null })
  await sides?.note(...[...marks.values()].map(open))
  await addMembers(
    api,
    missing.map(([email, { name }]) => ({
      email,
      name,
      note: noteOf(marks.get(email) ?? ''),
      isSubscribed: false,
      labels: [],
      createdAt: null,
    })),
  )
  const added = await findMembers(api, [...marks.keys()])
  const made = new Map<string, SideRecord>()
  for (const [email, mark] of marks) {
    const member = added.get(email)
    // Somebody may have become a member with this address at the same time. Then the member is not ours.
    if (member?.note === noteOf(mark)) made.set(email, await toSide(mark, member))
    else await sides?.forget(open(mark))
  }
  await sides?.note(...made.values())
  const ids = new Map([...present, ...added].map(([email, { id }]) => [email, id] as const))
  return { ids, made }
}

const toSide = async (mark: string, member: Member): Promise<SideRecord> => ({
  kind: commenterKind,
  mark,
  destinationId: member.id,
  version: (await mapping('toStored', 'subscribers', member)).version,
})

/** The side record, if we made this member for a comment and nobody has changed the member since. */
export async function findUntouched(sides: SideRecords | undefined, member: Member): Promise<SideRecord | null> {
  const known = (await sides?.list(commenterKind))?.find(({ destinationId }) => destinationId === member.id)
  return known && (await isUntouched(known, member)) ? known : null
}

async function isUntouched({ mark, version }: SideRecord, member: Member): Promise<boolean> {
  if (version !== null) return (await mapping('toStored', 'subscribers', member)).version === version
  // The process ended before the version was noted. Then everything except the name must be as we made it.
  return member.note === noteOf(mark) && member.labels.length === 0 && !member.subscribed && member.status === 'free'
}

export async function removeCommenters(
  api: GhostApi,
  records: readonly SideRecord[],
  isForced: boolean,
): Promise<SideOutcome[]> {
  const outcomes: SideOutcome[] = []
  for (const side of records) {
    const member = await findCommenter(api, side)
    const need = member && (await findUse(api, member))
    if (member && need) outcomes.push(keepSide(side, member.id, need))
    else if (member && !isForced && !(await isUntouched(side, member))) {
      outcomes.push(keepSide(side, member.id, 'People have changed this member since it was imported.'))
    } else outcomes.push(await deleteSide(api, side, member ? `/members/${member.id}/` : undefined))
  }
  return outcomes
}

async function findCommenter(api: GhostApi, { destinationId, mark }: SideRecord): Promise<Member | null> {
  if (isId(destinationId)) {
    const [member] = await api.listByIds('members', [destinationId])
    return member ? takeWhole('members', member) : null
  }
  const { items } = await api.walk('members', `note:~${quote(mark)}`)(null, 2)
  return items[0] ? takeWhole('members', items[0]) : null
}

const commented = 'There are comments of this member.'

/** Why a member must stay. Visits do not count, because Ghost also records one for each comment that we write. */
const findUse = async (api: GhostApi, { id }: Member) =>
  (await areComments(api, `member_id:${quote(id)}`, () => false)) ? null : commented

/** Like `findUse`, but ignores comments that came with an import. */
export const findUseBeside = async (api: GhostApi, id: string) =>
  (await areComments(api, `member_id:${quote(id)}`, isMarked)) ? null : commented

/** Whether all comments that match the filter also pass `isSuch`. */
export async function areComments(api: GhostApi, filter: string, isSuch: (html: string) => boolean): Promise<boolean> {
  const walk = api.walk('comments', filter)
  let after: string | null = null
  do {
    const { items, next } = await walk(after, 100)
    if (items.some((record) => !isSuch(takeWhole('comments', record).html ?? ''))) return false
    after = next
  } while (after !== null)
  return true
}
