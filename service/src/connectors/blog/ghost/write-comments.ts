import { ObstacleError } from '../../../errors.ts'
import * as tags from '../../../text/has-other-tags.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type { OutgoingRecord, SideRecords, WriteOutcome } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { writeEach } from '../../kit/write-each.ts'
import type { GhostApi } from './api.ts'
import { openCommenters, removeCommenters } from './commenters.ts'
import { mapping } from './mapping.ts'
import { unseenMark } from './mark-record.ts'
import { isId, type Raw, takeWhole } from './schema.ts'
import { commentStatus, relationId, textOf, toEmail, toLine, toSeconds } from './values.ts'
import * as comment from './write-comment.ts'
import { gone, type Refused, toRefusal, toWritten } from './write-records.ts'

const longTags = runBeside(new URL('../../../text/has-other-tags.ts', import.meta.url).href, tags)
const longComment = runBeside(new URL('./write-comment.ts', import.meta.url).href, comment)

/** Writes comments. Ghost sends no mail about comments that are made by the API. */
export async function writeComments(
  api: GhostApi,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  const authors = new Map(
    records
      .toReversed()
      .map(({ key, fields }) => [toEmail(fields.author_email), { key, name: toLine(fields.author_name) }] as const),
  )
  authors.delete('')
  const { ids, made } = await openCommenters(api, authors, sides)
  const outcomes = await writeEach(records, async (record) => {
    const member = ids.get(toEmail(record.fields.author_email))
    if (member !== undefined) return tellSimplified(await writeOne(api, record, member), record)
    return { key: record.key, result: 'refused', code: 'author_unknown', message: authorUnknown }
  })
  const refused = new Set(outcomes.flatMap(({ key, result }) => (result === 'refused' ? [key] : [])))
  const needed = new Set(
    records.filter(({ key }) => !refused.has(key)).map(({ fields }) => toEmail(fields.author_email)),
  )
  // If all comments of a new member were refused, the member is removed.
  const needless = [...made].flatMap(([email, side]) => (needed.has(email) ? [] : [side]))
  for (const outcome of await removeCommenters(api, needless, false)) {
    if (outcome.result === 'removed') await sides?.forget(outcome)
  }
  return outcomes
}

async function tellSimplified(outcome: WriteOutcome, { fields }: OutgoingRecord): Promise<WriteOutcome> {
  if (outcome.result !== 'written') return outcome
  const isSimplified = await longTags('hasOtherTags', textOf(fields, 'body'), 'p br a blockquote')
  return isSimplified ? { ...outcome, losses: ['comment_simplified'] } : outcome
}

const authorUnknown =
  'Ghost keeps comments of members only, and members need an e-mail address. This comment has none that Ghost takes.'

async function writeOne(api: GhostApi, record: OutgoingRecord, memberId: string): Promise<WriteOutcome> {
  const { key, destinationId } = record
  const [before] = destinationId === null ? [] : await api.listByIds('comments', [destinationId])
  if (destinationId !== null && !before) return toRefusal(key, gone)
  // Only the status of a comment can be changed. A comment with another text or place is made anew.
  if (before && (await isSameText(record, before))) return settle(api, record, before)
  const answer = await create(api, record, memberId)
  if (answer.result === 'refused') return refuse(key, answer)
  const made = await api.listByIds('comments', [api.one('comments', answer.json).id])
  const outcome = await settle(api, record, made[0] as Raw)
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
  const html = await longComment('writeComment', textOf(fields, 'body'))
  const made = {
    post_id: relationId(fields.post),
    member_id: memberId,
    html: mark(html, key),
    ...parent,
    ...(toSeconds(createdAt) === null ? {} : { created_at: toSeconds(createdAt) }),
  }
  return api.send('POST', '/comments/', { json: { comments: [made] } })
}

/** Puts the mark inside the last element, where it adds no line. */
function mark(html: string, key: string): string {
  const at = /<\/(p|blockquote)>$/.exec(html)?.index
  return at === undefined ? `<p>${unseenMark(key)}</p>` : `${html.slice(0, at)}${unseenMark(key)}${html.slice(at)}`
}

/** Ghost's threads have one level. A deeper answer names the comment that it answers. */
async function threadOf(api: GhostApi, id: string): Promise<{ parent_id?: string; in_reply_to_id?: string }> {
  const [parent] = isId(id) ? await api.listByIds('comments', [id]) : []
  if (!parent) return {}
  const { parent_id } = takeWhole('comments', parent)
  return parent_id === null ? { parent_id: id } : { parent_id, in_reply_to_id: id }
}

/** Sets the status. A comment that awaits approval or is in the trash is hidden. */
async function settle(api: GhostApi, record: OutgoingRecord, given: Raw): Promise<WriteOutcome> {
  const present = takeWhole('comments', given)
  const status = commentStatus(record.fields.status)
  if (present.status !== status) {
    const answer = await setStatus(api, present.id, status)
    if (answer.result === 'refused') return refuse(record.key, answer)
  }
  return toWritten('comments', record.key, { ...present, status })
}

const setStatus = (api: GhostApi, id: string, status: string) =>
  api.send('PUT', `/comments/${id}/`, { json: { comments: [{ id, status }] } })

function refuse(key: string, answer: Refused): WriteOutcome {
  if (answer.status === 405) {
    const message =
      'Comments are switched off in this Ghost. Please switch them on in its settings (Membership, Access).'
    throw new ObstacleError('comments_closed', 'customer', message)
  }
  // Here, 403 concerns the member: a member who does not pay may not comment on posts for paying members.
  if (answer.status === 403) return { key, result: 'refused', code: 'comment_not_allowed', message: answer.message }
  if (answer.status === 404) {
    return { key, result: 'refused', code: 'gone', message: 'The post of this comment is no longer in Ghost.' }
  }
  return toRefusal(key, answer)
}
