import Type from 'typebox'
import type { OutgoingRecord, SideOutcome, SideRecord, SideRecords, WriteOutcome } from '../../contract/contract.ts'
import { checkShape } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import { matched, orRefused, RefusedError, written } from '../../kit/outcomes.ts'
import { removeSide } from '../../kit/remove-side.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { type GhostApi, label } from './api.ts'
import { id, isSubscribed, labelsOf, text, toEmail, toLine, toSeconds } from './lenses.ts'
import { mapping, toMemberRequest } from './mapping.ts'
import { readNote } from './mark-record.ts'
import { findUntouched, type Member, type NewMember, takeMembers } from './members.ts'
import { accepted } from './write-records.ts'

const emailOf = ({ fields }: OutgoingRecord) => toEmail(fields.email)

/** Writes members. An existing member stays unchanged, unless we created it. */
export async function writeMembers(
  api: GhostApi,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  await addLabels(
    api,
    records.flatMap(({ fields }) => labelsOf(fields.labels)),
    sides,
  )
  /** The first record with each address. It makes the member. */
  const makers = new Map<string, OutgoingRecord>()
  for (const record of records) {
    const email = emailOf(record)
    if (record.destinationId === null && !makers.has(email)) makers.set(email, record)
  }
  const { present, added, refused } = await takeMembers(api, [...makers.values()].map(toNewMember))
  const write = async (record: OutgoingRecord): Promise<WriteOutcome> => {
    const { key, destinationId } = record
    const email = emailOf(record)
    if (destinationId !== null) return change(api, record, destinationId)
    const before = present.get(email)
    if (before && (await takeOwn(record, before, sides))) return change(api, record, before.id)
    const member = before ?? added.get(email)
    if (!member) {
      throw new RefusedError('invalid', refused.get(email) ?? 'Ghost does not take a member with this address.')
    }
    return !before && makers.get(email) === record ? toWritten(key, member) : matched(key, member.id, null)
  }
  return sideBySide(records, 1, (record) => orRefused(record.key, () => write(record)))
}

const toWritten = async (key: string, member: { id: string }) =>
  written(key, member.id, await mapping('toStored', 'subscribers', member))

/**
 * Whether we made this member, before a crash or for a comment. A member made for a comment now becomes a record of the
 * source.
 */
async function takeOwn(record: OutgoingRecord, member: Member, sides: SideRecords | undefined): Promise<boolean> {
  if (readNote(member.note).marker === digestOf(record.key)) return true
  const commenter = await findUntouched(sides, member)
  if (commenter) await sides?.forget(commenter)
  return commenter !== null
}

const toNewMember = (record: OutgoingRecord): NewMember => ({
  email: emailOf(record),
  name: toLine(record.fields.name),
  note: String(toMemberRequest(record).note),
  isSubscribed: isSubscribed(record.fields.status),
  labels: labelsOf(record.fields.labels),
  createdAt: toSeconds(record.createdAt),
})

async function change(api: GhostApi, record: OutgoingRecord, id: string): Promise<WriteOutcome> {
  const json = accepted(await api.send('PUT', `/members/${id}/`, { json: { members: [toMemberRequest(record)] } }))
  // The answer has fewer fields than a list, so we read the member again.
  const [member] = await api.listByIds('members', [id])
  return toWritten(record.key, member ?? api.one('members', json))
}

export const labelKind = 'labels'

const count = Type.Object({ members: Type.Integer({ minimum: 0 }) })
const labelSchema = Type.Object({ id, name: text, slug: text, count })
const listLabels = async (api: GhostApi) =>
  (await api.listAll('labels', null)).map((record) => checkShape(label, labelSchema, record, 'a label'))

/** Makes the labels that the site lacks, each with a slug by which an undo finds it. */
async function addLabels(api: GhostApi, names: readonly string[], sides: SideRecords | undefined): Promise<void> {
  if (names.length === 0) return
  const known = new Set((await listLabels(api)).map(({ name }) => name.toLowerCase()))
  for (const name of new Set(names)) {
    if (known.has(name.toLowerCase())) continue
    known.add(name.toLowerCase())
    const slug = `wherry-${digestOf(name, 16)}`
    const side = { kind: labelKind, mark: slug, destinationId: null, version: digestOf(name) }
    await sides?.note(side)
    const answer = await api.send('POST', '/labels/', { json: { labels: [{ name, slug }] } })
    // If Ghost refuses a label, it will also refuse the member with this label.
    if (answer.result === 'done') await sides?.note({ ...side, destinationId: api.one('labels', answer.json).id })
    else await sides?.forget(side)
  }
}

/** Removes our labels, unless somebody renamed them or a member still has them. */
export async function removeLabels(
  api: GhostApi,
  records: readonly SideRecord[],
  isForced: boolean,
): Promise<SideOutcome[]> {
  const labels = records.length === 0 ? [] : await listLabels(api)
  return sideBySide(records, 1, (side) => {
    const found = labels.find(({ id, slug }) => id === side.destinationId || slug === side.mark) ?? null
    const isRenamed = found !== null && !isForced && digestOf(found.name) !== side.version
    const isUsed = found !== null && found.count.members > 0
    const renamed = isRenamed ? 'People have renamed this label.' : null
    const need = isUsed ? 'Members of this site have this label.' : renamed
    const remove = (id: string) => api.send('DELETE', `/labels/${id}/`)
    return removeSide(side, found, need, remove, (code) => `Ghost does not delete one of its labels: ${code}`)
  })
}
