import type { FoundRecord, SoughtRecord } from '../contract.ts'
import type { RtApi } from './api.ts'
import { chooseFiles } from './choose-body.ts'
import { findTickets } from './find-tickets.ts'
import { commentForms } from './long-forms.ts'
import { isRemovedMarker, markerField, readMarker, toMarker } from './marker.ts'
import { readOrigin } from './origin-line.ts'
import { personOfRaw, personVersion, storedPerson } from './person-form.ts'
import { findTransactions, inTurns, type WriteContext } from './post-messages.ts'
import { foundGroup } from './queue-form.ts'
import { listParts, readBodies } from './read-messages.ts'
import { type RawRecord, takeFields } from './schema.ts'
import { toFileName } from './stored-values.ts'
import { queueUrl, userUrl } from './write-people.ts'

export async function findRecords(
  context: WriteContext,
  entity: string,
  records: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  if (records.length === 0) return []
  if (entity === 'tickets') return findTickets(context, records)
  if (entity === 'comments' || entity === 'attachments') return findMessages(context, entity, records)
  if (entity === 'contacts') return findMarked(context, '/user', '/users', records, toFoundContact)
  if (entity === 'groups') return findMarked(context, '/queue', '/queues', records, toFoundGroup)
  // Organizations are words; there is nothing of them to find.
  return []
}

type ToFound = (context: WriteContext, record: RawRecord, key: string) => Promise<FoundRecord>

/** By id where we know it; by our key, one after the other, where we do not. What was removed is not there. */
async function findMarked(
  context: WriteContext,
  path: string,
  list: string,
  records: readonly SoughtRecord[],
  toFound: ToFound,
): Promise<FoundRecord[]> {
  const found = new Map<string, FoundRecord>()
  await inTurns(records, async ({ key, destinationId }) => {
    const ids = await findIdsByMarker(context.api, list, toMarker(key))
    for (const id of new Set([...ids, ...(destinationId === null ? [] : [destinationId])])) {
      const record = await context.api.get(`${path}/${encodeURIComponent(id)}`)
      const marker = readMarker((record as { CustomFields?: [] } | null)?.CustomFields)
      const isOurs = marker === toMarker(key) || (marker === null && id === destinationId)
      if (record && isOurs && !isRemovedMarker(marker)) found.set(`${key} ${id}`, await toFound(context, record, key))
    }
  })
  return [...found.values()]
}

async function findIdsByMarker(api: RtApi, list: string, marker: string): Promise<string[]> {
  const query = [{ field: `CustomField.{${markerField}}`, value: marker }]
  const { items } = await api.list(list, { query, fields: ['id', 'CustomFields'], withDisabled: true })
  // The search does not care about case; keys do.
  return items.flatMap((item) =>
    readMarker((item as { CustomFields?: [] }).CustomFields) === marker ? [String(item.id)] : [],
  )
}

async function toFoundContact(context: WriteContext, record: RawRecord, key: string): Promise<FoundRecord> {
  const { raw } = takeFields('user', record)
  const stored = storedPerson(personOfRaw(raw, context.facts), context.facts)
  const version = personVersion(raw, context.facts)
  return { ...stored, key, destinationId: raw.id, url: userUrl(context, raw.id), version }
}

async function toFoundGroup(context: WriteContext, record: RawRecord, key: string): Promise<FoundRecord> {
  const { id, ...found } = await foundGroup(context.api, record, context.facts)
  return { ...found, key, destinationId: id, url: queueUrl(context, id) }
}

async function findMessages(
  context: WriteContext,
  entity: 'comments' | 'attachments',
  records: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const { api } = context
  const keys = new Map(records.map(({ key }) => [toMarker(key), key]))
  const transactions = await findTransactions(api, [...keys.keys()])
  const parts = await listParts(
    api,
    transactions.map(({ raw }) => raw.id),
  )
  const messages = transactions.map(({ raw }) => ({ transaction: raw, parts: parts.get(raw.id) ?? [] }))
  const bodies = entity === 'comments' ? await readBodies(api, messages) : new Map()
  const found: FoundRecord[] = []
  for (const { marker, raw } of transactions) {
    const { at, body } = readOrigin(bodies.get(raw.id)?.body ?? '')
    const [file] = chooseFiles(parts.get(raw.id) ?? [])
    const fields =
      entity === 'comments'
        ? {
            ticket: String(raw.ObjectId),
            body: await commentForms('comparableText', body),
            is_public: raw.Type !== 'Comment',
          }
        : { file_name: toFileName(file?.Filename ?? ''), is_private: raw.Type === 'Comment' || null }
    found.push({
      key: keys.get(marker) ?? '',
      destinationId: raw.id,
      url: `${api.base}/Ticket/Display.html?id=${raw.ObjectId}#txn-${raw.id}`,
      version: null,
      fields,
      customFields: {},
      createdAt: entity === 'comments' ? at : null,
      updatedAt: null,
    })
  }
  return found
}
