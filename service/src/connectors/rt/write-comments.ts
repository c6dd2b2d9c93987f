import type { OutgoingRecord, WriteOutcome } from '../contract.ts'
import { nameOf } from './list-people.ts'
import { commentForms } from './long-forms.ts'
import { toMarker } from './marker.ts'
import { withOrigin } from './origin-line.ts'
import { type OutgoingMessage, postMessages, type WriteContext } from './post-messages.ts'
import { takeFields } from './schema.ts'
import { idOf } from './stored-values.ts'

export async function writeComments(
  context: WriteContext,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const fresh = records.filter(({ destinationId }) => destinationId === null)
  const names = await readNames(context, fresh)
  const messages: OutgoingMessage[] = []
  for (const record of fresh) {
    const { ticket, body, isPublic, at } = await commentForms('commentOf', record)
    const author = names.get(record.key) ?? null
    const html = withOrigin({ number: null, author, at }, body)
    messages.push({ ticketId: ticket ?? '', marker: toMarker(record.key), isPublic, html })
  }
  const posted = await postMessages(context, messages)
  return records.map(({ key, destinationId, fields }): WriteOutcome => {
    const ticketId = idOf(fields.ticket) ?? ''
    // A message never changes once it is written.
    if (destinationId !== null) return written(context, key, destinationId, ticketId)
    const outcome = posted.get(toMarker(key))
    if (outcome && 'id' in outcome) return written(context, key, outcome.id, ticketId)
    return { key, result: 'refused', code: 'not_recorded', message: outcome?.refused ?? 'It was not recorded.' }
  })
}

/** Who wrote each: the source's own word for an agent, or what the customer is called here. */
async function readNames({ api }: WriteContext, records: readonly OutgoingRecord[]): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  const names = new Map<string, string>()
  for (const { key, createdBy, fields } of records) {
    const userId = idOf(fields.author_contact) ?? (typeof fields.author_agent === 'string' ? fields.author_agent : null)
    if (createdBy) names.set(key, createdBy.email ? `${createdBy.name} <${createdBy.email}>` : createdBy.name)
    if (createdBy || userId === null) continue
    const name = known.get(userId) ?? (await readName(api, userId))
    known.set(userId, name)
    names.set(key, name)
  }
  return names
}

async function readName(api: WriteContext['api'], id: string): Promise<string> {
  const user = await api.get(`/user/${encodeURIComponent(id)}`)
  if (!user) return `User ${id}`
  const { raw } = takeFields('user', user)
  const name = nameOf(raw)
  return raw.EmailAddress && raw.EmailAddress !== name ? `${name} <${raw.EmailAddress}>` : name
}

function written({ api }: WriteContext, key: string, id: string, ticketId: string): WriteOutcome {
  const url = `${api.base}/Ticket/Display.html?id=${ticketId}#txn-${id}`
  return { key, result: 'written', destinationId: id, url, version: null }
}
