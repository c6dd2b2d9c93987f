import type { FoundRecord, SoughtRecord } from '../contract.ts'
import { ticketForms } from './long-forms.ts'
import { markerField, readMarker, textMarker, toMarker } from './marker.ts'
import { readOrigin } from './origin-line.ts'
import { findTransactions, type WriteContext } from './post-messages.ts'
import { chunk, listParts, readBodies } from './read-messages.ts'
import { idsOfPeople, ticketFields } from './read-pages.ts'
import { takeFields } from './schema.ts'
import { besideTicket, formOfRaw, type TicketForm } from './ticket-form.ts'

export interface FoundTicket {
  key: string
  id: string
  form: TicketForm
  /** Whether its first message is there, or whether writing it ended before. */
  hasText: boolean
}

const besideFields = ['SLA', 'FinalPriority', 'CustomRoles']
const idsOfRoles = { ...idsOfPeople, CustomRoles: 'id' }

/** By our key, and by id where the key was taken off. Deleted tickets are found by no search. */
export async function readTickets(context: WriteContext, records: readonly SoughtRecord[]): Promise<FoundTicket[]> {
  const { api, facts } = context
  const found: FoundTicket[] = []
  for (const some of chunk(records, 20)) {
    const markers = new Map(some.map((record) => [toMarker(record.key), record]))
    const byMarker = [...markers.keys()].map((marker) => `'CF.{${markerField}}' = '${marker}'`)
    const byId = some.flatMap(({ destinationId }) => (destinationId === null ? [] : [`id = ${Number(destinationId)}`]))
    const query = [...byMarker, ...byId].join(' OR ')
    const fields = [...ticketFields, ...besideFields]
    const listed = await api.listAll('/tickets', { query, fields, expand: idsOfRoles })
    const matching = listed.flatMap((item) => {
      const { raw } = takeFields('ticket', item)
      const marker = readMarker(raw.CustomFields)
      const sought = marker === null ? some.find(({ destinationId }) => destinationId === raw.id) : markers.get(marker)
      return sought ? [{ raw, key: sought.key }] : []
    })
    const firsts = await readFirstMessages(
      context,
      matching.map(({ key }) => textMarker(toMarker(key))),
    )
    for (const { raw, key } of matching) {
      const first = firsts.get(`${textMarker(toMarker(key))} ${raw.id}`) ?? null
      found.push({ key, id: raw.id, form: formOfRaw(raw, first, facts), hasText: first !== null })
    }
  }
  return found
}

export async function findTickets(context: WriteContext, records: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  for (const { key, id, form } of await readTickets(context, records)) {
    const url = `${context.api.base}/Ticket/Display.html?id=${id}`
    found.push({ ...(await ticketForms('foundTicket', form, context.facts)), key, destinationId: id, url })
  }
  return found
}

/** What tickets have beside what we wrote, by their ids. */
export async function readBeside({ api }: WriteContext, ids: readonly string[]): Promise<Map<string, string[]>> {
  const beside = new Map<string, string[]>()
  const fields = ['id', 'Requestor', 'Cc', 'AdminCc', ...besideFields]
  for (const some of chunk(ids, 50)) {
    const query = some.map((id) => `id = ${Number(id)}`).join(' OR ')
    for (const item of (await api.list('/tickets', { query, fields, expand: idsOfRoles })).items) {
      const { raw } = takeFields('ticket', item)
      beside.set(raw.id, besideTicket(raw))
    }
  }
  return beside
}

/** By marker and ticket. */
async function readFirstMessages({ api }: WriteContext, markers: readonly string[]) {
  const transactions = await findTransactions(api, [...new Set(markers)])
  const parts = await listParts(
    api,
    transactions.map(({ raw }) => raw.id),
  )
  const bodies = await readBodies(
    api,
    transactions.map(({ raw }) => ({ transaction: raw, parts: parts.get(raw.id) ?? [] })),
  )
  return new Map(
    transactions.map(({ marker, raw }) => [`${marker} ${raw.ObjectId}`, readOrigin(bodies.get(raw.id)?.body ?? '')]),
  )
}
