import type { RtApi } from './api.ts'
import { readAttachmentId } from './message-to-family.ts'
import { chunk, findTicketIds, messageQuery } from './read-messages.ts'
import { listQueueIds } from './read-pages.ts'
import { type RawRecord, takeFields } from './schema.ts'

/** Request Tracker deletes no users, and lists them all or not at all. */
export const tellsDeleted = ['groups', 'tickets', 'comments', 'attachments']

const isNumber = (id: string) => /^[1-9]\d{0,14}$/.test(id)

export async function findIds(api: RtApi, entity: string, ids: readonly string[]): Promise<string[]> {
  if (entity === 'groups') return (await listQueueIds(api)).filter((id) => ids.includes(id))
  if (entity === 'tickets') return [...(await findTicketIds(api, ids.filter(isNumber)))]
  const found = await findMessages(api, messageQuery, ids)
  return ids.filter((id) => found.has(transactionOf(id)))
}

/** A file is part of its message: the number of that comes first in its id. */
const transactionOf = (id: string): string => readAttachmentId(id)?.transactionId ?? id

async function findMessages(api: RtApi, query: string, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of chunk([...new Set(ids.map(transactionOf))].filter(isNumber), 50)) {
    const asked = `${query} AND (${some.map((id) => `id = ${id}`).join(' OR ')})`
    for (const { id } of (await api.list('/transactions', { query: asked, fields: ['id'] })).items)
      found.add(String(id))
  }
  return found
}

/** Deleted tickets and their messages are still there by their numbers. */
const inDeleted = `ObjectType = 'RT::Ticket' AND TicketStatus = 'deleted'`

/**
 * A ticket that was merged into another is found under that one's number, so it is not gone. Of a message that does not
 * exist Request Tracker says only that it failed; so only those of deleted tickets are surely gone.
 */
export async function findGone(api: RtApi, entity: string, ids: readonly string[]): Promise<string[]> {
  const path = { tickets: 'ticket', groups: 'queue' }[entity]
  if (path === undefined) {
    const found = await findMessages(api, inDeleted, ids)
    return ids.filter((id) => found.has(transactionOf(id)))
  }
  const gone: string[] = []
  for (const id of ids.filter(isNumber)) {
    const found = await api.look(`/${path}/${id}`)
    const isDeleted = (record: RawRecord) => takeFields('ticket', record).raw.Status === 'deleted'
    if (found === null || (entity === 'tickets' && found !== 'hidden' && isDeleted(found))) gone.push(id)
  }
  return gone
}
