import { buildApp } from './build-app.ts'
import { openDatabase } from './open-database.ts'
import { createRecords } from './records.ts'
import { seedDesk } from './seed/seed-desk.ts'
import { createTicketWriter } from './write-tickets.ts'

export interface FernhillOptions {
  /** 0 takes any free port. */
  port: number
  /** A file, made and seeded when it is missing or empty, or `:memory:`. */
  dataFile: string
  apiKey: string
  /** How links in texts name this desk; by default the address it listens on. */
  publicUrl?: string
  /** Tickets in a new file. The believable ones come first, the rest is for load. */
  tickets?: number
  /** 0 switches the limit off. */
  requestsPerSecond?: number
  /** The seed's "now"; the same value gives the same desk, byte for byte. */
  seededAt?: Date
  now?: () => Date
}

export const DEFAULT_SEEDED_AT = new Date('2026-11-02T09:00:00.000Z')
export const DEFAULT_REQUESTS_PER_SECOND = 50

const HOST = '127.0.0.1'

export async function startFernhill(options: FernhillOptions): Promise<{ url: string; close(): Promise<void> }> {
  // A function, because with port 0 the address is known only once the desk listens.
  let listeningUrl = ''
  const publicUrl = () => (options.publicUrl ?? listeningUrl).replace(/\/+$/, '')
  const seededAt = options.seededAt ?? DEFAULT_SEEDED_AT
  const db = openDatabase(options.dataFile, (empty) => seedDesk(empty, { now: seededAt, tickets: options.tickets }))
  try {
    const records = createRecords(db, publicUrl)
    const writer = createTicketWriter(db, records, options.now ?? (() => new Date()))
    const requestsPerSecond = options.requestsPerSecond ?? DEFAULT_REQUESTS_PER_SECOND
    const app = await buildApp({ apiKey: options.apiKey, publicUrl, requestsPerSecond, records, writer })
    listeningUrl = await app.listen({ port: options.port, host: HOST })
    return {
      url: listeningUrl,
      async close() {
        await app.close()
        if (db.isOpen) db.close()
      },
    }
  } catch (error) {
    db.close()
    throw error
  }
}
