import type { RemovableRecord, RemoveOutcome, SideOutcome, SideRecord } from '../contract.ts'
import { type Answer, type GhostApi, lostAccess, quote } from './api.ts'
import { areComments, commenterKind, findUseBeside, removeCommenters } from './commenters.ts'
import { listOf } from './find.ts'
import { labelKind, removeLabels } from './labels.ts'
import { isMarked } from './mark-record.ts'
import { type RawRecord, takeWhole } from './schema.ts'
import { storedForm } from './store-long.ts'
import type { WrittenEntity } from './stored-form.ts'

/** Deletes for good what is still as we left it, and what nobody else has come to need. */
export async function removeRecords(
  api: GhostApi,
  entity: WrittenEntity,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  if (entity === 'media') {
    return records.map(({ key }) => ({ key, result: 'kept', message: 'Ghost offers no way to remove a file.' }))
  }
  const list = listOf[entity]
  const ids = records.map(({ destinationId }) => destinationId)
  const present = new Map((await api.listByIds(list, ids)).map((record) => [record.id, record]))
  const outcomes: RemoveOutcome[] = []
  for (const { key, destinationId, version } of records) {
    const record = present.get(destinationId)
    if (!record) {
      outcomes.push({ key, result: 'missing' })
    } else if (version !== null && version !== (await storedForm('toStored', entity, record)).version) {
      outcomes.push({ key, result: 'kept', message: 'It has been changed since it was imported.' })
    } else {
      const need = await findNeed(api, entity, record, version === null)
      if (need !== null) outcomes.push({ key, result: 'kept', message: need })
      else outcomes.push(toOutcome(key, await sendDelete(api, entity, destinationId)))
    }
  }
  return outcomes
}

function toOutcome(key: string, answer: Answer): RemoveOutcome {
  if (answer.result === 'done') return { key, result: 'removed' }
  if (answer.status === 404) return { key, result: 'missing' }
  if (answer.status === 403) throw lostAccess(403)
  return { key, result: 'kept', message: `Ghost does not delete it: ${answer.message}` }
}

/** What people have hung on it since; it would go along. With `isForced`, what they did with it alone does not count. */
async function findNeed(
  api: GhostApi,
  entity: WrittenEntity,
  record: RawRecord,
  isForced: boolean,
): Promise<string | null> {
  const { id } = record
  if (entity === 'posts' || entity === 'pages') {
    const isAlone = await areComments(api, `post_id:${quote(id)}`, isMarked)
    return isAlone ? null : 'People have commented on it.'
  }
  if (entity === 'tags' || entity === 'categories') {
    for (const kind of ['posts', 'pages'] as const) {
      const { total } = await api.list(kind, { filter: `tags.id:${quote(id)}`, limit: 1, fields: 'id' })
      if (total > 0) return 'Posts or pages of this site use it.'
    }
  }
  if (isForced) return null
  if (entity === 'subscribers') return findUseBeside(api, id)
  return entity === 'comments' ? findReaction(api, record) : null
}

/** A deleted comment leaves its answers in the air. */
async function findReaction(api: GhostApi, record: RawRecord): Promise<string | null> {
  const { id, count } = takeWhole('comments', record)
  const { replies = 0, direct_replies = 0, ...reactions } = (count ?? {}) as Record<string, unknown>
  if (Object.values(reactions).some((one) => Number(one) > 0)) return 'People have reacted to it.'
  if (Number(replies) + Number(direct_replies) === 0) return null
  const isAlone = await areComments(api, `parent_id:${quote(id)},in_reply_to_id:${quote(id)}`, isMarked)
  return isAlone ? null : 'People have answered it.'
}

async function sendDelete(api: GhostApi, entity: Exclude<WrittenEntity, 'media'>, id: string): Promise<Answer> {
  if (entity !== 'comments') return api.send('DELETE', `/${listOf[entity]}/${id}/`, null)
  // Ghost's own way: it is shown nowhere any more, and goes for good with what it was written on.
  return api.send('PUT', `/comments/${id}/`, { json: { comments: [{ id, status: 'deleted' }] } })
}

/** Members first: a label goes when nobody has it. */
export async function removeSides(
  api: GhostApi,
  records: readonly SideRecord[],
  isForced: boolean,
): Promise<SideOutcome[]> {
  const ofKind = (kind: string) => records.filter((record) => record.kind === kind)
  const members = await removeCommenters(api, ofKind(commenterKind), isForced)
  const outcomes = [...members, ...(await removeLabels(api, ofKind(labelKind), isForced))]
  return records.flatMap(({ kind, mark }) => outcomes.find((one) => one.kind === kind && one.mark === mark) ?? [])
}
