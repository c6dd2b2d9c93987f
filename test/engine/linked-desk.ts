import type { Connector, Reader, RecordPage } from '../../service/src/connectors/contract/contract.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'

const lastTicket = 120

/**
 * Fernhill Desk with a parent for most tickets. Two of three parents are read later, so only the second pass can write
 * them.
 */
export function linkTickets(fernhill: Connector): Connector {
  const { source } = fernhill
  if (!source) throw new Error('Fernhill Desk is a source')
  return {
    ...fernhill,
    source: {
      ...source,
      open: async (account, family) => withParents(await source.open(account, family)),
    },
  }
}

function withParents(reader: Reader): Reader {
  const { readSome } = reader
  return {
    ...reader,
    read: async (...args) => linked(await reader.read(...args)),
    ...(readSome && { readSome: async (...args) => linked(await readSome(...args)) }),
  }
}

const linked = (page: RecordPage): RecordPage => ({
  ...page,
  items: page.items.map((record) => (record.entity === 'tickets' ? withParent(record) : record)),
})

function withParent(record: FamilyRecord): FamilyRecord {
  const parent = parentOf(Number(record.sourceId))
  if (parent === null) return record
  return { ...record, fields: { ...record.fields, parent_ticket: { entity: 'tickets', sourceId: String(parent) } } }
}

/** The number of a ticket's parent; null for every seventh ticket. */
export function parentOf(ticket: number): number | null {
  if (ticket % 7 === 0) return null
  const parent = ticket % 3 === 0 ? ticket - 1 : ticket + 2
  return parent > lastTicket ? null : parent
}
