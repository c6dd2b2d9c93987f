import type { OutgoingRecord, SideRecords, WriteOutcome } from '../../contract/contract.ts'
import type { GhostApi } from './api.ts'
import { findUntouched } from './commenters.ts'
import { addLabels } from './labels.ts'
import { addMembers, findMembers, type Member, type NewMember } from './list-members.ts'
import { toMemberRequest } from './mapping.ts'
import { markerOf, readNote } from './mark-record.ts'
import { isSubscribed, labelsOf, toEmail, toLine, toSeconds } from './values.ts'
import { toRefusal, toWritten } from './write-records.ts'

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
  const emails = records.map(({ fields }) => toEmail(fields.email))
  const present = await findMembers(api, emails)
  const seen = new Set(present.keys())
  const created: OutgoingRecord[] = []
  for (const record of records) {
    const email = toEmail(record.fields.email)
    if (record.destinationId !== null || seen.has(email)) continue
    seen.add(email)
    created.push(record)
  }
  const refused = await addMembers(api, created.map(toMember))
  const after = await findMembers(
    api,
    created.map(({ fields }) => toEmail(fields.email)),
  )
  const outcomes: WriteOutcome[] = []
  for (const record of records) {
    const { key, destinationId } = record
    const email = toEmail(record.fields.email)
    const made = after.get(email)
    const before = present.get(email)
    if (created.includes(record)) {
      const message = refused.get(email) ?? 'Ghost does not take a member with this address.'
      outcomes.push(
        made ? await toWritten('subscribers', key, made) : { key, result: 'refused', code: 'invalid', message },
      )
    } else if (destinationId !== null) outcomes.push(await change(api, record, destinationId))
    else if (before && (await takeOwn(record, before, sides))) outcomes.push(await change(api, record, before.id))
    else {
      const member = before ?? made
      outcomes.push(
        member
          ? { key, result: 'matched', destinationId: member.id, url: null }
          : { key, result: 'refused', code: 'invalid', message: refused.get(email) ?? 'Ghost does not take it.' },
      )
    }
  }
  return outcomes
}

/**
 * Whether we made this member, before a crash or for a comment. A member made for a comment now becomes a record of the
 * source.
 */
async function takeOwn(record: OutgoingRecord, member: Member, sides: SideRecords | undefined): Promise<boolean> {
  if (readNote(member.note).marker === markerOf(record.key)) return true
  const commenter = await findUntouched(sides, member)
  if (commenter) await sides?.forget(commenter)
  return commenter !== null
}

function toMember(record: OutgoingRecord): NewMember {
  const { fields, createdAt } = record
  return {
    email: toEmail(fields.email),
    name: toLine(fields.name),
    note: String(toMemberRequest(record).note),
    isSubscribed: isSubscribed(fields.status),
    labels: labelsOf(fields.labels),
    createdAt: toSeconds(createdAt),
  }
}

async function change(api: GhostApi, record: OutgoingRecord, id: string): Promise<WriteOutcome> {
  const { key } = record
  const json = { members: [toMemberRequest(record)] }
  const answer = await api.send('PUT', `/members/${id}/`, { json })
  if (answer.result === 'refused') return toRefusal(key, answer)
  // The answer has fewer fields than a list, so we read the member again.
  const [member] = await api.listByIds('members', [id])
  return toWritten('subscribers', key, member ?? api.one('members', answer.json))
}
