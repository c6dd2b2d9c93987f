import { isNumberId } from '../../kit/find-ids.ts'
import type { RtApi } from './api.ts'
import { listQueueIds } from './lists.ts'
import { transactionOf } from './message-to-family.ts'
import { deletedQuery, findTicketIds, messageQuery } from './read-messages.ts'
import { take } from './schema.ts'

/** Request Tracker deletes no users, and lists them all or not at all. */
export const tellsDeleted = ['groups', 'tickets', 'comments', 'attachments']

export async function findIds(api: RtApi, entity: string, ids: readonly string[]): Promise<string[]> {
  if (entity === 'groups') return (await listQueueIds(api)).filter((id) => ids.includes(id))
  if (entity === 'tickets') return [...(await findTicketIds(api, ids.filter(isNumberId)))]
  return findMessages(api, messageQuery, ids)
}

async function findMessages(api: RtApi, query: string, ids: readonly string[]): Promise<string[]> {
  const asked = [...new Set(ids.map(transactionOf))].filter(isNumberId)
  const listed = await api.listByIds('/transactions', asked, { fields: 'id' }, query)
  const found = new Set(listed.map(({ id }) => String(id)))
  return ids.filter((id) => found.has(transactionOf(id)))
}

/**
 * A ticket that was merged into another is found under that one's number, so it is not gone. Of a message that does not
 * exist Request Tracker says only that it failed; so only those of deleted tickets are surely gone.
 */
export async function findGone(api: RtApi, entity: string, ids: readonly string[]): Promise<string[]> {
  const path = { tickets: 'ticket', groups: 'queue' }[entity]
  if (path === undefined) return findMessages(api, deletedQuery, ids)
  const gone: string[] = []
  for (const id of ids.filter(isNumberId)) {
    const { record, isGone } = await api.find(`/${path}/${id}`)
    const isDeleted = entity === 'tickets' && record !== null && take('ticket', record).Status === 'deleted'
    if (isGone || isDeleted) gone.push(id)
  }
  return gone
}
