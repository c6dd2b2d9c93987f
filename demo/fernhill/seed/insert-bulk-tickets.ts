import type { DatabaseSync } from 'node:sqlite'
import { insertInto } from '../open-database.ts'
import { AGENTS, DELETED_AGENT_ID, FIRST_NAMES, LAST_NAMES } from './people.ts'
import { FIRST_NUMBER, TICKET_COUNT } from './plan-tickets.ts'
import { PRODUCTS, TOWNS, WEEKDAYS } from './products.ts'
import { at, type Random } from './random.ts'
import { ADVICE_TOPICS } from './topics-advice.ts'
import { ORDER_TOPICS } from './topics-orders.ts'
import { TRADE_TOPICS } from './topics-trade.ts'
import { fill, paragraphs, ticketUrl } from './write-html.ts'

const TICKETS_PER_CONTACT = 20
const HOUR_MS = 3_600_000
const TOPICS = [...ORDER_TOPICS, ...TRADE_TOPICS, ...ADVICE_TOPICS]
const STATUSES = ['closed', 'closed', 'closed', 'solved', 'solved', 'open', 'pending'] as const
const LIVING_AGENTS = AGENTS.map((_, index) => index + 1).filter((id) => id !== DELETED_AGENT_ID)

/** Inserts plain tickets with one to three comments, for load tests. */
export function insertBulkTickets(db: DatabaseSync, random: Random, now: Date, total: number): void {
  const extra = total - TICKET_COUNT
  if (extra <= 0) return
  const firstContact = nextId(db, 'contacts')
  const contacts = Math.ceil(extra / TICKETS_PER_CONTACT)
  insertBulkContacts(db, now, firstContact, contacts)

  const insertTicket = insertInto(db, 'tickets')
  const insertComment = insertInto(db, 'comments')
  let commentId = nextId(db, 'comments')
  // All tickets are older than `now`; the newest is an hour old.
  const stepMs = Math.min(6 * HOUR_MS, (3 * 365 * 24 * HOUR_MS) / extra)

  for (let index = 0; index < extra; index += 1) {
    const id = TICKET_COUNT + index + 1
    const topic = at(TOPICS, random.below(TOPICS.length))
    const words = bulkWords(random, id)
    const requesterId = firstContact + random.below(contacts)
    const agentId = at(LIVING_AGENTS, random.below(LIVING_AGENTS.length))
    const created = now.getTime() - 5 * HOUR_MS - (extra - index) * stepMs
    const comments = random.between(1, 3)
    insertTicket({
      id,
      number: FIRST_NUMBER + id - 1,
      subject: fill(at(topic.subjects, random.below(topic.subjects.length)), words),
      description: paragraphs(fill(at(topic.openings, random.below(topic.openings.length)), words)),
      status: at(STATUSES, random.below(STATUSES.length)),
      priority: random.chance(0.1) ? 'high' : 'normal',
      type: topic.type,
      channel: 'email',
      requester_id: requesterId,
      assignee_id: agentId,
      group_id: topic.group,
      organization_id: null,
      cc: '[]',
      tags: JSON.stringify(topic.tags),
      custom_fields: `{"order_number":"${words.order}","concerns":["${topic.concern}"]}`,
      due_at: null,
      created_at: iso(created),
      updated_at: iso(created + comments * HOUR_MS),
    })
    for (let position = 0; position < comments; position += 1) {
      const [speaker, ...ways] = at(topic.thread, position)
      const isContact = speaker === 'contact'
      const stamp = iso(created + (position + 1) * HOUR_MS)
      insertComment({
        id: commentId,
        ticket_id: id,
        author_type: isContact ? 'contact' : 'agent',
        author_id: isContact ? requesterId : agentId,
        public: speaker === 'note' ? 0 : 1,
        body: paragraphs(fill(at(ways, 0), words)),
        created_at: stamp,
        updated_at: stamp,
      })
      commentId += 1
    }
  }
}

function insertBulkContacts(db: DatabaseSync, now: Date, firstId: number, count: number): void {
  const insert = insertInto(db, 'contacts')
  const stamp = iso(now.getTime() - 4 * 365 * 24 * HOUR_MS)
  for (let index = 0; index < count; index += 1) {
    insert({
      id: firstId + index,
      name: `${at(FIRST_NAMES, index)} ${at(LAST_NAMES, Math.floor(index / FIRST_NAMES.length))}`,
      emails: `["customer${firstId + index}@post.example"]`,
      phones: '[]',
      organization_id: null,
      language: 'en',
      notes: '',
      created_at: stamp,
      updated_at: stamp,
    })
  }
}

function bulkWords(random: Random, id: number) {
  return {
    product: at(PRODUCTS, random.below(PRODUCTS.length)).name,
    order: `FH-${40000 + id}`,
    carrier: 'Parcelhaul',
    town: at(TOWNS, id),
    day: at(WEEKDAYS, id),
    amount: `${random.between(12, 480)}.50`,
    n: String(random.between(12, 90)),
    other: ticketUrl(FIRST_NUMBER + random.below(id)),
  }
}

function nextId(db: DatabaseSync, table: 'contacts' | 'comments'): number {
  return Number(db.prepare(`SELECT max(id) AS id FROM ${table}`).get()?.id ?? 0) + 1
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
