import { RetryableError } from '../../errors.ts'
import type { RemovableRecord, RemoveOutcome } from '../contract.ts'
import { type Answer, type GhostApi, lostAccess, quote } from './api.ts'
import { listOf } from './find.ts'
import { removeOwnLabels } from './labels.ts'
import { commenter, isMarked, readNote } from './mark-record.ts'
import { isId, takeFields, takeWhole } from './schema.ts'
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
  const authors = new Set<string>()
  for (const { key, destinationId, version } of records) {
    const record = present.get(destinationId)
    if (!record) {
      outcomes.push({ key, result: 'missing' })
    } else if (version !== null && version !== (await storedForm('toStored', entity, record)).version) {
      outcomes.push({ key, result: 'kept', message: 'It has been changed since it was imported.' })
    } else {
      const need = await findNeed(api, entity, destinationId)
      if (need !== null) outcomes.push({ key, result: 'kept', message: need })
      else {
        if (entity === 'comments') authors.add(takeFields('comments', record).raw.member?.id ?? '')
        outcomes.push(toOutcome(key, await sendDelete(api, entity, destinationId)))
      }
    }
  }
  await removeCommenters(api, authors)
  if (entity === 'subscribers') await removeOwnLabels(api)
  return outcomes
}

function toOutcome(key: string, answer: Answer): RemoveOutcome {
  if (answer.result === 'done') return { key, result: 'removed' }
  if (answer.status === 404) return { key, result: 'missing' }
  if (answer.status === 403) throw lostAccess(403)
  return { key, result: 'kept', message: `Ghost does not delete it: ${answer.message}` }
}

/** Deleting a text takes its comments along, and a tag disappears from every text that has it. */
async function findNeed(api: GhostApi, entity: WrittenEntity, id: string): Promise<string | null> {
  if (entity === 'posts' || entity === 'pages') {
    let after: string | null = null
    do {
      const { records, next } = await api.listAfter('comments', after, `post_id:${quote(id)}`, 100)
      if (records.some((record) => !isMarked(takeWhole('comments', record).html ?? ''))) {
        return 'People have commented on it.'
      }
      after = next
    } while (after !== null)
  }
  if (entity === 'tags' || entity === 'categories') {
    for (const kind of ['posts', 'pages'] as const) {
      const { total } = await api.list(kind, { filter: `tags.id:${quote(id)}`, limit: 1, fields: 'id' })
      if (total > 0) return 'Posts or pages of this site use it.'
    }
  }
  return null
}

async function sendDelete(api: GhostApi, entity: Exclude<WrittenEntity, 'media'>, id: string): Promise<Answer> {
  if (entity !== 'comments') return api.send('DELETE', `/${listOf[entity]}/${id}/`, null)
  // Ghost's own way: it is shown nowhere any more, and goes for good with what it was written on.
  return api.send('PUT', `/comments/${id}/`, { json: { comments: [{ id, status: 'deleted' }] } })
}

/** Who became a member for a comment alone is none without it. */
async function removeCommenters(api: GhostApi, ids: ReadonlySet<string>): Promise<void> {
  for (const record of await api.listByIds('members', [...ids].filter(isId))) {
    if (readNote(takeWhole('members', record).note).marker !== commenter) continue
    const { total } = await api.list('comments', { filter: `member_id:${quote(record.id)}`, limit: 1 })
    if (total > 0) continue
    const answer = await api.send('DELETE', `/members/${record.id}/`, null)
    if (answer.result === 'refused' && answer.status !== 404) {
      throw new RetryableError(`Ghost does not delete a member: ${answer.code}`)
    }
  }
}
