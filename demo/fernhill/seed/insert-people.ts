import type { DatabaseSync } from 'node:sqlite'
import { insertInto } from '../open-database.ts'
import { AGENTS, FIRST_NAMES, GROUPS, LAST_NAMES, ORGANIZATIONS, SPECIAL_CONTACTS } from './people.ts'
import { TICKET_FIELDS } from './products.ts'
import { at, type Random } from './random.ts'

const DAY_MS = 86_400_000
export const CONTACT_COUNT = 80

export interface PersonSeed {
  id: number
  name: string
  organizationId: number | null
}

/**
 * Inserts groups, agents, organizations, contacts and ticket fields. Returns the contacts in the order of their ids.
 */
export function insertPeople(db: DatabaseSync, random: Random, now: Date): PersonSeed[] {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS - random.below(DAY_MS / 2)).toISOString()
  const stamps = (days: number) => ({ created_at: daysAgo(days), updated_at: daysAgo(Math.min(days, 300) / 2) })

  const insertGroup = insertInto(db, 'groups')
  for (const [name, description] of GROUPS) insertGroup({ name, description, ...stamps(2000) })

  const insertAgent = insertInto(db, 'agents')
  for (const { name, email, role, groups, deleted } of AGENTS) {
    const signature = `${name}, Fernhill Garden Supplies`
    const gone = deleted ? daysAgo(180) : null
    insertAgent({ name, email, role, group_ids: JSON.stringify(groups), signature, ...stamps(1500), deleted_at: gone })
  }

  const insertOrganization = insertInto(db, 'organizations')
  ORGANIZATIONS.forEach(([name, domain, notes], index) => {
    const phone = index % 4 === 3 ? null : `01632 960${String(300 + index * 7)}`
    const address = index % 3 === 2 ? null : `${index * 4 + 1} ${at(['Mill Lane', 'Station Road', 'The Green'], index)}`
    insertOrganization({ name, domains: JSON.stringify([domain]), phone, address, notes, ...stamps(900 - index * 20) })
  })

  insertTicketFields(db, stamps(1400))
  return insertContacts(db, random, stamps)
}

type Stamps = { created_at: string; updated_at: string }

function insertTicketFields(db: DatabaseSync, stamps: Stamps): void {
  const insert = insertInto(db, 'ticket_fields')
  TICKET_FIELDS.forEach(({ key, label, type, options }, position) => {
    const choices = options.map(([value, text]) => ({ value, label: text }))
    insert({ key, label, type, required: 0, options: JSON.stringify(choices), position, ...stamps })
  })
}

function insertContacts(db: DatabaseSync, random: Random, stamps: (days: number) => Stamps): PersonSeed[] {
  const insert = insertInto(db, 'contacts')
  const ordinary = Array.from({ length: CONTACT_COUNT - SPECIAL_CONTACTS.length }, (_, index) => {
    const first = at(FIRST_NAMES, index)
    const last = at(LAST_NAMES, index * 3 + Math.floor(index / 29))
    const organization = random.chance(0.6) ? random.between(1, ORGANIZATIONS.length) : null
    const domain = organization === null ? 'post.example' : at(ORGANIZATIONS, organization - 1)[1]
    const phones = random.chance(0.5) ? [`07700 900${random.between(100, 999)}`] : []
    return {
      name: `${first} ${last}`,
      emails: [`${mailName(first)}.${mailName(last)}@${domain}`],
      phones,
      organization,
      language: 'en',
    }
  })
  return [...SPECIAL_CONTACTS, ...ordinary].map((contact) => {
    const { name, organization } = contact
    const times = stamps(random.between(430, 1100))
    if ('createdAt' in contact && contact.createdAt) times.created_at = contact.createdAt
    const id = insert({
      name,
      emails: JSON.stringify(contact.emails),
      phones: JSON.stringify(contact.phones),
      organization_id: organization,
      language: contact.language,
      notes: 'notes' in contact ? (contact.notes ?? '') : '',
      ...times,
    })
    return { id, name, organizationId: organization }
  })
}

/** Keeps only letters, so that a mail server would accept the address. */
function mailName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
}
