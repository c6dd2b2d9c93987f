import type { RemovableRecord, RemoveOutcome } from '../contract.ts'
import { type Answer, largestPage, type WordpressApi } from './api.ts'
import { everyStatus } from './find.ts'
import { commentAgent } from './from-family.ts'
import { decoded } from './media-file.ts'
import { type RawRecord, takeFields } from './schema.ts'
import { storedForm } from './store-long.ts'
import type { StoredRecord, WrittenEntity } from './stored-form.ts'

/** Deletes for good what is still as we left it, and what nobody else has come to need. */
export async function removeRecords(
  api: WordpressApi,
  entity: WrittenEntity,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  const ids = records.map(({ destinationId }) => Number(destinationId))
  const present = new Map<number, Pick<StoredRecord, 'version' | 'url'>>()
  for (const record of await api.listByIds(entity, ids, everyStatus(entity))) {
    present.set(record.id, await storedForm('toStored', entity, record))
  }
  const outcomes = new Map<string, RemoveOutcome>()
  const removable: RemovableRecord[] = []
  for (const record of records) {
    const { key, destinationId, version } = record
    const stored = present.get(Number(destinationId))
    if (!stored) outcomes.set(key, { key, result: 'missing' })
    else if (version !== null && !(await isSame(api, entity, version, stored.version))) {
      outcomes.set(key, { key, result: 'kept', message: 'It has been changed since it was imported.' })
    } else {
      const need = await findNeed(api, entity, destinationId, stored)
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

/** What hung on a record that is gone has moved up; that is no change of people. */
async function isSame(api: WordpressApi, entity: WrittenEntity, written: string, now: string): Promise<boolean> {
  if (written === now) return true
  const [hash, parent = ''] = written.split('|')
  if (hash !== now.split('|')[0] || parent === '') return false
  return (await api.listByIds(entity, [Number(parent)], everyStatus(entity))).length === 0
}

/** What people have hung on it since: it would go along, or lose what it refers to. */
async function findNeed(
  api: WordpressApi,
  entity: WrittenEntity,
  id: string,
  { url }: Pick<StoredRecord, 'url'>,
): Promise<string | null> {
  const one = { per_page: 1, _fields: 'id' }
  switch (entity) {
    case 'posts':
    case 'pages': {
      const { total } = await api.list('comments', { ...one, post: id, status: 'all' })
      return total === 0 ? null : 'People have commented on it.'
    }
    case 'tags':
    case 'categories': {
      const { total } = await api.list('posts', { ...one, [entity]: id, status: 'any' })
      return total === 0 ? null : 'Posts of this site use it.'
    }
    case 'comments': {
      const { records } = await api.list('comments', { parent: id, status: 'all', per_page: largestPage })
      const isOurs = (record: RawRecord) =>
        takeFields('comments', record).raw.author_user_agent?.startsWith(commentAgent) === true
      return records.every(isOurs) ? null : 'People have answered it.'
    }
    case 'media':
      return (await isShown(api, url)) ? 'Posts or pages of this site show it.' : null
  }
}

/** WordPress has smaller pictures under the same name, with their size behind it. */
async function isShown(api: WordpressApi, url: string): Promise<boolean> {
  const name = decoded(new URL(url).pathname.split('/').slice(-3).join('/')).replace(/(-scaled)?\.[^.]*$/, '')
  for (const kind of ['posts', 'pages'] as const) {
    const { total } = await api.list(kind, { search: name, status: 'any', per_page: 1, _fields: 'id' })
    if (total > 0) return true
  }
  return false
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
