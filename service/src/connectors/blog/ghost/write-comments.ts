import { ObstacleError } from '../../../errors.ts'
import type { OutgoingRecord, SideRecords, WriteOutcome } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { textOf } from '../../kit/left-out.ts'
import { orRefused, RefusedError, written } from '../../kit/outcomes.ts'
import { simplified } from '../../kit/simplified.ts'
import { writeEach } from '../../kit/write-each.ts'
import { type GhostApi, type Raw, takeWhole } from './api.ts'
import { commentStatus, isId, relationId, toEmail, toLine, toSeconds } from './lenses.ts'
import { mapping } from './mapping.ts'
import { unseenMark } from './mark-record.ts'
import { removeCommenters, takeCommenters } from './members.ts'
import { find } from './write-records.ts'

const emailOf = ({ fields }: OutgoingRecord) => toEmail(fields.author_email)

/** Writes comments. Ghost sends no mail about comments that are made by the API. */
export async function writeComments(
  api: GhostApi,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  const authors = new Map(
    records.toReversed().map((record) => {
      const email = emailOf(record)
      return [email, { email, key: record.key, name: toLine(record.fields.author_name) }]
    }),
  )
  authors.delete('')
  const { ids, made } = await takeCommenters(api, [...authors.values()], sides)
  const outcomes = await writeEach(records, async (record) => {
    const member = ids.get(emailOf(record))
    if (member === undefined) throw new RefusedError('author_unknown', authorUnknown)
    return writeOne(api, record, member)
  })
  const refused = new Set(outcomes.flatMap(({ key, result }) => (result === 'refused' ? [key] : [])))
  const needed = new Set(records.filter(({ key }) => !refused.has(key)).map(emailOf))
  // If all comments of a new member were refused, the member is removed.
  const needless = [...made].flatMap(([email, side]) => (needed.has(email) ? [] : [side]))
  for (const outcome of await removeCommenters(api, needless, false)) {
    if (outcome.result === 'removed') await sides?.forget(outcome)
  }
  return outcomes
}

const authorUnknown =
  'Ghost keeps comments of members only, and members need an e-mail address. This comment has none that Ghost takes.'

async function writeOne(api: GhostApi, record: OutgoingRecord, memberId: string): Promise<WriteOutcome> {
  const { destinationId } = record
  const before = destinationId === null ? null : await find(api, 'comments', destinationId)
  // Only the status of a comment can be changed. A comment with another text or place is made anew.
  if (before && (await isSameText(record, before))) return settle(api, record, before)
  const { id } = api.one('comments', accepted(await create(api, record, memberId)))
  const [made] = await api.listByIds('comments', [id])
  const outcome = await orRefused(record.key, () => settle(api, record, made))
  if (before) await setStatus(api, before.id, 'deleted')
  return outcome
}

async function isSameText(record: OutgoingRecord, before: Raw): Promise<boolean> {
  const { fields: wanted } = await mapping('asStored', 'comments', record, '')
  const { fields: present } = await mapping('toStored', 'comments', before)
  return ['body', 'post', 'parent_comment'].every((name) => (wanted[name] || null) === (present[name] || null))
}

async function create(api: GhostApi, record: OutgoingRecord, memberId: string): Promise<Sent> {
  const { key, fields, createdAt } = record
  const parent = await threadOf(api, relationId(fields.parent_comment))
  const html = await mapping('writeComment', textOf(fields, 'body'))
  const made = {
    post_id: relationId(fields.post),
    member_id: memberId,
    html: mark(html, key),
    ...parent,
    ...(toSeconds(createdAt) === null ? {} : { created_at: toSeconds(createdAt) }),
  }
  return api.trySend('POST', '/comments/', { json: { comments: [made] } })
}

/** Puts the mark inside the last element, where it adds no line. */
function mark(html: string, key: string): string {
  const at = /<\/(p|blockquote)>$/.exec(html)?.index
  return at === undefined ? `<p>${unseenMark(key)}</p>` : `${html.slice(0, at)}${unseenMark(key)}${html.slice(at)}`
}

/** Ghost's threads have one level. A deeper answer names the comment that it answers. */
async function threadOf(api: GhostApi, id: string): Promise<Record<string, unknown>> {
  const [parent] = isId(id) ? await api.listByIds('comments', [id]) : []
  if (!parent) return {}
  const { parent_id } = takeWhole('comments', parent)
  return parent_id === null ? { parent_id: id } : { parent_id, in_reply_to_id: id }
}

/** Sets the status. A comment that awaits approval or is in the trash is hidden. */
async function settle(api: GhostApi, { key, fields }: OutgoingRecord, given: Raw | undefined): Promise<WriteOutcome> {
  const raw = takeWhole('comments', given)
  const status = commentStatus(fields.status)
  if (raw.status !== status) accepted(await setStatus(api, raw.id, status))
  const stored = await mapping('toStored', 'comments', { ...raw, status })
  return written(key, raw.id, stored, await simplified(textOf(fields, 'body'), 'p br a blockquote'))
}

const setStatus = (api: GhostApi, id: string, status: string) =>
  api.trySend('PUT', `/comments/${id}/`, { json: { comments: [{ id, status }] } })

function accepted(sent: Sent): unknown {
  if (sent.result === 'done') return sent.json
  const { status, code, message } = sent
  if (status === 405) {
    throw new ObstacleError(
      'comments_closed',
      'customer',
      'Comments are switched off in this Ghost. Please switch them on in its settings (Membership, Access).',
    )
  }
  if (status === 404) throw new RefusedError('gone', 'The post of this comment is no longer in Ghost.')
  // Here, 403 concerns the member: a member who does not pay may not comment on posts for paying members.
  throw new RefusedError(status === 403 ? 'comment_not_allowed' : code, message)
}
