import type { RemovableRecord, RemoveOutcome } from '../contract.ts'
import type { Answer, WordpressApi } from './api.ts'
import { everyStatus } from './find.ts'
import { storedForm } from './store-long.ts'
import type { StoredRecord, WrittenEntity } from './stored-form.ts'

/** Deletes for good what is still as we left it, and what nobody else has come to need. */
export async function removeRecords(
  api: WordpressApi,
  entity: WrittenEntity,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  const ids = records.map(({ destinationId }) => Number(destinationId))
  const present = new Map<number, Pick<StoredRecord, 'version'>>()
  for (const record of await api.listByIds(entity, ids, everyStatus(entity))) {
    present.set(record.id, await storedForm('toStored', entity, record))
  }
  const outcomes = new Map<string, RemoveOutcome>()
  const removable: RemovableRecord[] = []
  for (const record of records) {
    const { key, destinationId, version } = record
    const stored = present.get(Number(destinationId))
    if (!stored) outcomes.set(key, { key, result: 'missing' })
    else if (version !== null && version !== stored.version) {
      outcomes.set(key, { key, result: 'kept', message: 'It has been changed since it was imported.' })
    } else {
      const need = await findNeed(api, entity, destinationId)
      if (need === null) removable.push(record)
      else outcomes.set(key, { key, result: 'kept', message: need })
    }
  }
  const answers = await sendDeletes(api, entity, removable)
  removable.forEach(({ key }, index) => {
    const answer = answers[index]
    if (!answer || answer.result === 'done') outcomes.set(key, { key, result: 'removed' })
    else if (answer.status === 404 || answer.status === 410) outcomes.set(key, { key, result: 'missing' })
    else outcomes.set(key, { key, result: 'kept', message: `WordPress does not delete it: ${answer.message}` })
  })
  return records.flatMap(({ key }) => outcomes.get(key) ?? [])
}

/** Deleting a text takes its comments along, and a tag disappears from every text that has it. */
async function findNeed(api: WordpressApi, entity: WrittenEntity, id: string): Promise<string | null> {
  const one = { per_page: 1, _fields: 'id' }
  if (entity === 'posts' || entity === 'pages') {
    const { total } = await api.list('comments', { ...one, post: id, status: 'all' })
    return total === 0 ? null : 'People have commented on it.'
  }
  if (entity === 'tags' || entity === 'categories') {
    const { total } = await api.list('posts', { ...one, [entity]: id, status: 'any' })
    return total === 0 ? null : 'Posts of this site use it.'
  }
  return null
}

async function sendDeletes(api: WordpressApi, entity: WrittenEntity, records: RemovableRecord[]): Promise<Answer[]> {
  if (records.length === 0) return []
  const pathOf = ({ destinationId }: RemovableRecord) => `/wp/v2/${entity}/${Number(destinationId)}`
  if (entity !== 'comments' && entity !== 'media') {
    return api.batch(records.map((record) => ({ method: 'DELETE', path: `${pathOf(record)}?force=true` })))
  }
  // These two cannot be part of a batch.
  const answers: Answer[] = []
  for (const record of records) answers.push(await api.send('DELETE', pathOf(record), { json: { force: true } }))
  return answers
}
