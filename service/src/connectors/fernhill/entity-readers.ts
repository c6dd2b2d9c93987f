import { entityOf } from '../../families/index.ts'
import type { RecordPage } from '../contract.ts'
import type { FernhillApi } from './api.ts'
import { type TicketField, toTicketField } from './custom-fields.ts'
import { type RawRecord, takeFields } from './schema.ts'
import {
  type MappedRecord,
  toArticle,
  toCategory,
  toComment,
  toContact,
  toGroup,
  toOrganization,
  toTicket,
} from './to-family.ts'

export type ToRecord = (raw: RawRecord) => MappedRecord

/** How each entity becomes records; some need to ask for more, once a page. */
export const readers = {
  groups: async (api: FernhillApi): Promise<ToRecord> => {
    const members = await readMembers(api)
    return (raw) => toGroup(raw, members.get(raw.id) ?? [])
  },
  organizations: async (): Promise<ToRecord> => toOrganization,
  contacts: async (): Promise<ToRecord> => toContact,
  tickets: async (api: FernhillApi): Promise<ToRecord> => {
    const fields = await readTicketFields(api)
    return (raw) => toTicket(raw, fields)
  },
  comments: async (): Promise<ToRecord> => toComment,
  categories: async (): Promise<ToRecord> => toCategory,
  articles: async (): Promise<ToRecord> => toArticle,
}

/** How the records of one entity are made, for those who read only some of them. */
export function readerOf(entity: string): (api: FernhillApi) => Promise<ToRecord> {
  if (!Object.hasOwn(readers, entity)) throw new Error(`Fernhill Desk has no ${entityOf('helpdesk', entity).name}`)
  return readers[entity as keyof typeof readers]
}

export function toPage(mapped: readonly MappedRecord[], next: string | null): RecordPage {
  return { items: mapped.map(({ record }) => record), warnings: mapped.flatMap(({ warnings }) => warnings), next }
}

export async function readTicketFields(api: FernhillApi): Promise<Map<string, TicketField>> {
  const fields = new Map<string, TicketField>()
  for (const raw of await api.listAll('ticket_fields')) {
    const field = toTicketField(raw)
    const { key } = takeFields('ticket_fields', raw).raw
    if (field && key !== undefined) fields.set(key, field)
  }
  return fields
}

/** Agents know their groups; groups do not know their agents. */
async function readMembers(api: FernhillApi): Promise<Map<number, number[]>> {
  const members = new Map<number, number[]>()
  for (const agent of await api.listAll('agents')) {
    for (const group of takeFields('agents', agent).raw.group_ids ?? []) {
      members.set(group, [...(members.get(group) ?? []), agent.id])
    }
  }
  return members
}
