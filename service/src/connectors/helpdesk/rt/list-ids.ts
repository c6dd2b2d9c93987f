import { isNumberId } from '../../kit/find-ids.ts'
import type { RtApi } from './api.ts'
import { listQueueIds } from './lists.ts'
import { transactionOf } from './message-to-family.ts'
import { deletedQuery, findTicketIds, messageQuery } from './read-messages.ts'
import { take } from './schema.ts'

/** Contacts and organizations are missing here: Request Tracker never deletes users. */
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
 * Finds deleted records. A merged ticket is not deleted: its id returns the ticket that it was merged into. For a
 * missing message Request Tracker answers only "failed", so only messages of deleted tickets count as deleted.
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
