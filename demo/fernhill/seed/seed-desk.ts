import type { DatabaseSync } from 'node:sqlite'
import { insertArticles } from './insert-articles.ts'
import { insertBulkTickets } from './insert-bulk-tickets.ts'
import { insertPeople } from './insert-people.ts'
import { insertTickets } from './insert-tickets.ts'
import { planTickets, TICKET_COUNT } from './plan-tickets.ts'
import { createRandom } from './random.ts'

export interface SeedOptions {
  now: Date
  /** The total number of tickets. It cannot be less than the number of realistic tickets. */
  tickets: number | undefined
}

export function seedDesk(db: DatabaseSync, { now, tickets = TICKET_COUNT }: SeedOptions): void {
  if (!Number.isInteger(tickets) || tickets < TICKET_COUNT) {
    throw new RangeError(`The number of tickets must be a whole number of at least ${TICKET_COUNT}`)
  }
  const random = createRandom(1871)
  const people = insertPeople(db, random, now)
  insertTickets(db, random, now, planTickets(random, people), people)
  insertArticles(db, now)
  insertBulkTickets(db, random, now, tickets)
}
