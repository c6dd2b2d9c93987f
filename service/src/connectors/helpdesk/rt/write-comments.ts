import type { OutgoingRecord, SettledOutcome, WriteOutcome } from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import { openBatch } from '../../kit/write-batch.ts'
import { ticketUrl } from './find.ts'
import { nameOf } from './list-people.ts'
import { commentForms } from './long-forms.ts'
import { toMarker } from './marker.ts'
import { withOrigin } from './origin-line.ts'
import { type OutgoingMessage, postMessages, ticketsAtOnce, type WriteContext } from './post-messages.ts'
import { take } from './schema.ts'
import { idOf } from './stored-values.ts'

export async function writeComments(
  context: WriteContext,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const batch = openBatch(records, ticketsAtOnce)
  const written = ({ key, fields }: OutgoingRecord, id: string): SettledOutcome => {
    const url = `${ticketUrl(context, idOf(fields.ticket) ?? '')}#txn-${id}`
    return { key, result: 'written', destinationId: id, url, version: null }
  }
  const fresh = records.filter(({ destinationId }) => destinationId === null)
  const names = await readNames(context, fresh)
  const messages: OutgoingMessage[] = []
  for (const record of fresh) {
    const { ticket, body, isPublic, at } = await commentForms('commentOf', record)
    const html = withOrigin({ number: null, author: names.get(record.key) ?? null, at }, body)
    messages.push({ key: record.key, ticketId: ticket ?? '', marker: toMarker(record.key), isPublic, html })
  }
  const posted = await postMessages(context, batch, messages)
  for (const record of records) {
    const outcome = posted.get(toMarker(record.key))
    // A message never changes after it was written.
    if (record.destinationId !== null) batch.settle(written(record, record.destinationId))
    else if (outcome && 'id' in outcome) batch.settle(written(record, outcome.id))
    else if (outcome) batch.settle(refused(record.key, 'not_recorded', outcome.refused))
  }
  return batch.outcomes()
}

/** The name of each comment's author: an agent's name from the source, or the customer's name in Request Tracker. */
async function readNames({ api }: WriteContext, records: readonly OutgoingRecord[]): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  const names = new Map<string, string>()
  for (const { key, createdBy, fields } of records) {
    const userId = idOf(fields.author_contact) ?? (typeof fields.author_agent === 'string' ? fields.author_agent : null)
    if (createdBy) names.set(key, withAddress(createdBy.name, createdBy.email))
    if (createdBy || userId === null) continue
    const name = known.get(userId) ?? (await readName(api, userId))
    known.set(userId, name)
    names.set(key, name)
  }
  return names
}

const withAddress = (name: string, email: string | null | undefined) => (email ? `${name} <${email}>` : name)

async function readName(api: WriteContext['api'], id: string): Promise<string> {
  const user = await api.get(`/user/${encodeURIComponent(id)}`)
  if (!user) return `User ${id}`
  const raw = take('user', user)
  const name = nameOf(raw)
  return raw.EmailAddress === name ? name : withAddress(name, raw.EmailAddress)
}
