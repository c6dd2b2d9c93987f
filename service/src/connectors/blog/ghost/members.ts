import { Readable } from 'node:stream'
import Type from 'typebox'
import { RetryableError } from '../../../errors.ts'
import type { SideOutcome, SideRecord, SideRecords } from '../../contract/contract.ts'
import { eachItem } from '../../kit/each-item.ts'
import { sendForm } from '../../kit/files.ts'
import { checkShape } from '../../kit/http.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { removeSide } from '../../kit/remove-side.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { askable, type GhostApi, label, quote, type Raw, takeWhole } from './api.ts'
import { identified, isId, orNone, textOrNone } from './lenses.ts'
import { mapping } from './mapping.ts'
import { commenterMark, markNote } from './mark-record.ts'

export interface Member extends Raw {
  email: string
  note: string | null
  subscribed: boolean
  status: string
  labels: { name: string }[]
}
const toMember = (record: Raw): Member => takeWhole('subscribers', record) as Member

/** Number of addresses in one filter. */
const atOnce = 25

/** The members with these addresses, by lower-case address. */
async function findMembers(api: GhostApi, wanted: readonly NewMember[]): Promise<Map<string, Member>> {
  const emails = wanted.map(({ email }) => email).filter((email) => askable(email) !== '')
  const members = await inChunks(emails, atOnce, async (some) => {
    // The filter ignores case, and contains only the part of an address that a filter can express.
    const filter = some.map((email) => `email:~${quote(askable(email))}`).join(',')
    const found = (await api.listAll('members', filter)).map(toMember)
    return found.filter(({ email }) => some.includes(email.toLowerCase()))
  })
  return new Map(members.map((member) => [member.email.toLowerCase(), member]))
}

export interface NewMember {
  email: string
  name: string
  note: string
  isSubscribed: boolean
  labels?: string[]
  createdAt?: string | null
}

/**
 * Makes those of the members that the site lacks, each address once. Returns the members that were there before, the
 * new ones, and the reasons for refused ones, all by address.
 */
export async function takeMembers<M extends NewMember>(
  api: GhostApi,
  wanted: readonly M[],
  beforehand: (missing: M[]) => Promise<void> = async () => {},
): Promise<{ present: Map<string, Member>; added: Map<string, Member>; refused: Map<string, string> }> {
  const present = await findMembers(api, wanted)
  const missing = wanted.filter(({ email }) => !present.has(email))
  await beforehand(missing)
  const refused = await addMembers(api, missing)
  return { present, added: await findMembers(api, missing), refused }
}

const importSchema = Type.Object({
  meta: Type.Object({
    stats: Type.Object({
      invalid: Type.Array(Type.Object({ email: Type.Optional(textOrNone), error: Type.Optional(textOrNone) })),
    }),
    import_label: orNone(identified),
  }),
})

/**
 * Imports members as a CSV table. This keeps their times, and Ghost sends no mail to the site's owner, as it does for a
 * single new member. Returns the reasons for refused members, by address.
 */
async function addMembers(api: GhostApi, members: readonly NewMember[]): Promise<Map<string, string>> {
  if (members.length === 0) return new Map()
  const rows = members.map(({ email, name, note, isSubscribed, labels = [], createdAt }) =>
    [email, name, note, String(isSubscribed), createdAt ?? '', labels.join(',')].map(cell).join(','),
  )
  const bytes = Buffer.from(`email,name,note,subscribed_to_emails,created_at,labels\n${rows.join('\n')}\n`)
  const file = { contentType: 'text/csv', size: bytes.length, body: Readable.from([bytes]) }
  const form = { field: 'membersfile', fileName: 'members.csv' }
  const answer = await sendForm(label, file, form, (sending) => api.send('POST', '/members/upload/', sending))
  if (answer.result === 'refused') throw new RetryableError(`Ghost refused a table of members: ${answer.code}`)
  const { meta } = checkShape(label, importSchema, answer.json, 'the outcome of a table of members')
  // Ghost adds its own label to every imported member. We delete that label.
  if (meta.import_label) await api.trySend('DELETE', `/labels/${meta.import_label.id}/`)
  const why = 'Ghost does not take this member.'
  return new Map(meta.stats.invalid.map(({ email, error }) => [(email ?? '').toLowerCase(), error ?? why]))
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

// Only members can comment. So we make a member for an author who is none, without any newsletter.

export const commenterKind = 'members'

const noteOf = (mark: string) => markNote('Has commented.', mark)
const versionOf = async (member: Member) => (await mapping('toStored', 'subscribers', member)).version

/**
 * Finds the members for these authors, and makes the missing ones. `key` is that of the author's first comment. Returns
 * the ids of all and the notes about new ones, by address.
 */
export async function takeCommenters(
  api: GhostApi,
  authors: readonly { email: string; name: string; key: string }[],
  sides: SideRecords | undefined,
): Promise<{ ids: ReadonlyMap<string, string>; made: ReadonlyMap<string, SideRecord> }> {
  const wanted = authors.map(({ email, name, key }) => {
    const mark = commenterMark(key)
    const side: SideRecord = { kind: commenterKind, mark, destinationId: null, version: null }
    return { email, name, note: noteOf(mark), isSubscribed: false, side }
  })
  const { present, added } = await takeMembers(api, wanted, async (missing) =>
    sides?.note(...missing.map(({ side }) => side)),
  )
  const made = new Map<string, SideRecord>()
  for (const { email, note, side } of wanted.filter((one) => !present.has(one.email))) {
    const member = added.get(email)
    // Somebody may have become a member with this address at the same time. Then the member is not ours.
    if (member?.note !== note) await sides?.forget(side)
    else made.set(email, { ...side, destinationId: member.id, version: await versionOf(member) })
  }
  await sides?.note(...made.values())
  return { ids: new Map([...present, ...added].map(([email, { id }]) => [email, id])), made }
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

export const removeCommenters = (
  api: GhostApi,
  records: readonly SideRecord[],
  isForced: boolean,
): Promise<SideOutcome[]> =>
  sideBySide(records, 1, async (side) => {
    const { destinationId, mark } = side
    const [member] = isId(destinationId)
      ? await api.listByIds('members', [destinationId])
      : (await api.walk('members', `note:~${quote(mark)}`)(null, 2)).items
    const need = member ? await reasonToKeep(api, side, toMember(member), isForced) : null
    const remove = (id: string) => api.send('DELETE', `/members/${id}/`)
    const complain = (code: string) => `Ghost does not delete one of its members: ${code}`
    return removeSide(side, member ?? null, need, remove, complain)
  })

export const memberHasComments = 'There are comments of this member.'

/** Visits do not count, because Ghost also records one for each comment that we write. */
async function reasonToKeep(api: GhostApi, side: SideRecord, member: Member, isForced: boolean) {
  const use = await ifCommented(api, `member_id:${quote(member.id)}`, memberHasComments, () => false)
  if (use !== null || isForced || (await isUntouched(side, member))) return use
  return 'People have changed this member since it was imported.'
}

/** These words if somebody else has written one of the comments that match the filter; otherwise null. */
export async function ifCommented(
  api: GhostApi,
  filter: string,
  words: string,
  isOurs: (html: string) => boolean,
): Promise<string | null> {
  for await (const record of eachItem(api.walk('comments', filter), 100)) {
    if (!isOurs(String(takeWhole('comments', record).html ?? ''))) return words
  }
  return null
}
