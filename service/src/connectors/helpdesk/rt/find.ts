import type { FoundRecord, SoughtRecord, StoredContent } from '../../contract/contract.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { chooseFiles } from './choose-body.ts'
import { idsOfPeople, ticketFields } from './lists.ts'
import { commentForms, ticketForms } from './long-forms.ts'
import { hasMarker, isRemovedMarker, markerField, readMarker, textMarker, toMarker } from './marker.ts'
import { readOrigin } from './origin-line.ts'
import { foundContact, foundGroup } from './people-forms.ts'
import { findTransactions, ticketsAtOnce, type WriteContext } from './post-messages.ts'
import { readBodies, withParts } from './read-messages.ts'
import { type RawCustomValues, take } from './schema.ts'
import { toFileName } from './stored-values.ts'
import { formOfRaw, type TicketForm } from './ticket-form.ts'
import { besideTicket } from './tickets.ts'

export const ticketUrl = ({ api }: WriteContext, id: string): string => `${api.base}/Ticket/Display.html?id=${id}`

export async function findRecords(
  context: WriteContext,
  entity: string,
  records: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  if (entity === 'tickets') return findTickets(context, records)
  if (entity === 'comments' || entity === 'attachments') return findMessages(context, entity, records)
  // An organization is only a text on users, so there is no record to find.
  return entity === 'contacts' || entity === 'groups' ? findMarked(context, kinds[entity], records) : []
}

export type MarkedEntity = 'contacts' | 'groups'

/** Users and queues: they cannot be searched by several keys at once, and cannot be deleted. */
interface MarkedKind {
  path: string
  list: string
  urlOf(context: WriteContext, id: string): string
  read(context: WriteContext, record: RawRecord): Promise<StoredContent & { version: string }>
}

export const kinds: Record<MarkedEntity, MarkedKind> = {
  contacts: {
    path: '/user',
    list: '/users',
    urlOf: ({ api }, id) => `${api.base}/User/Summary.html?id=${id}`,
    read: async ({ facts }, record) => foundContact(record, facts),
  },
  groups: {
    path: '/queue',
    list: '/queues',
    urlOf: ({ api }, id) => `${api.base}/Search/Results.html?Query=${encodeURIComponent(`Queue = ${id}`)}`,
    read: ({ api, facts }, record) => foundGroup(api, record, facts),
  },
}

export const markerOf = (record: RawRecord | null): string | null =>
  readMarker(record?.CustomFields as RawCustomValues | undefined)

/**
 * Finds records by our key, one by one, or by id if people removed the key. Records that an undo disabled count as
 * missing.
 */
async function findMarked(
  context: WriteContext,
  { path, list, urlOf, read }: MarkedKind,
  records: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const { api } = context
  const found = await sideBySide(records, ticketsAtOnce, async ({ key, destinationId }) => {
    const marker = toMarker(key)
    const query = [{ field: `CustomField.{${markerField}}`, value: marker }]
    const { items } = await api.list(list, { query, fields: 'id,CustomFields', withDisabled: true })
    // The search ignores case, but keys differ by case.
    const ids = items.filter((item) => markerOf(item) === marker).map(({ id }) => String(id))
    const all: FoundRecord[] = []
    for (const id of new Set([...ids, ...(destinationId === null ? [] : [destinationId])])) {
      const record = await api.get(`${path}/${encodeURIComponent(id)}`)
      const owner = markerOf(record)
      const isOurs = owner === marker || (owner === null && id === destinationId)
      if (!record || !isOurs || isRemovedMarker(owner)) continue
      all.push({ ...(await read(context, record)), key, destinationId: id, url: urlOf(context, id) })
    }
    return all
  })
  return found.flat()
}

async function findMessages(
  context: WriteContext,
  entity: 'comments' | 'attachments',
  records: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const { api } = context
  const keys = new Map(records.map(({ key }) => [toMarker(key), key]))
  const messages = await withParts(api, await findTransactions(api, [...keys.keys()]))
  const bodies = entity === 'comments' ? await readBodies(api, messages) : new Map()
  const found: FoundRecord[] = []
  for (const { transaction, parts } of messages) {
    const { id, ObjectId, Type, marker } = transaction
    const { at, body } = readOrigin(bodies.get(id)?.body ?? '')
    const fields =
      entity === 'comments'
        ? { ticket: String(ObjectId), body: await commentForms('comparableText', body), is_public: Type !== 'Comment' }
        : { file_name: toFileName(chooseFiles(parts)[0]?.Filename), is_private: Type === 'Comment' || null }
    found.push({
      key: keys.get(marker) ?? '',
      destinationId: id,
      url: `${ticketUrl(context, String(ObjectId))}#txn-${id}`,
      version: null,
      ...{ fields, customFields: {}, createdAt: entity === 'comments' ? at : null, updatedAt: null },
    })
  }
  return found
}

export interface FoundTicket {
  key: string
  id: string
  form: TicketForm
  /** Whether the first message was written. False if the write stopped before it. */
  hasText: boolean
}

const besideFields = 'SLA,FinalPriority,CustomRoles'
const idsOfRoles = { ...idsOfPeople, CustomRoles: 'id' }

/** Finds tickets by our key, or by id if people removed the key. The search never returns deleted tickets. */
export function readTickets({ api, facts }: WriteContext, records: readonly SoughtRecord[]): Promise<FoundTicket[]> {
  return inChunks(records, 20, async (some) => {
    const markers = new Map(some.map((record) => [toMarker(record.key), record]))
    const byId = some.flatMap(({ destinationId }) => (destinationId === null ? [] : [`id = ${Number(destinationId)}`]))
    const query = [hasMarker([...markers.keys()]), ...byId].join(' OR ')
    const fields = `${ticketFields},${besideFields}`
    const listed = await api.listAll('/tickets', { query, fields, expand: idsOfRoles })
    const matching = listed.flatMap((item) => {
      const raw = take('ticket', item)
      const marker = readMarker(raw.CustomFields)
      const sought = marker === null ? some.find(({ destinationId }) => destinationId === raw.id) : markers.get(marker)
      return sought ? [{ raw, key: sought.key, text: textMarker(toMarker(sought.key)) }] : []
    })
    const transactions = await findTransactions(api, [...new Set(matching.map(({ text }) => text))])
    const bodies = await readBodies(api, await withParts(api, transactions))
    return matching.map(({ raw, key, text }) => {
      const first = transactions.find((one) => one.marker === text && String(one.ObjectId) === raw.id)
      const origin = first ? readOrigin(bodies.get(first.id)?.body ?? '') : null
      return { key, id: raw.id, form: formOfRaw(raw, origin, facts), hasText: origin !== null }
    })
  })
}

async function findTickets(context: WriteContext, records: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  for (const { key, id, form } of await readTickets(context, records)) {
    const content = await ticketForms('foundTicket', form, context.facts)
    found.push({ ...content, key, destinationId: id, url: ticketUrl(context, id) })
  }
  return found
}

/** Values of tickets that we never write, by ticket id (see `besideTicket`). */
export async function readBeside({ api }: WriteContext, ids: readonly string[]): Promise<Map<string, string[]>> {
  const fields = `id,Requestor,Cc,AdminCc,${besideFields}`
  const listed = await api.listByIds('/tickets', ids, { fields, expand: idsOfRoles })
  return new Map(listed.map((item) => [String(item.id), besideTicket(take('ticket', item))]))
}
