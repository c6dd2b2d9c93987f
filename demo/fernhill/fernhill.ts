import { buildApp } from './build-app.ts'
import { openDatabase } from './open-database.ts'
import { createRecords } from './records.ts'
import { seedDesk } from './seed/seed-desk.ts'
import type { SignInOptions } from './sign-in.ts'
import { createTicketWriter } from './write-tickets.ts'

export interface FernhillOptions {
  /** 0 uses any free port. */
  port: number
  /** Path of the data file, or `:memory:`. A missing or empty file is created and seeded. */
  dataFile: string
  apiKey: string
  /** The address of this desk in links. Default: the address that it listens on. */
  publicUrl?: string
  /** The number of tickets in a new file. Realistic tickets come first; the rest are for load tests. */
  tickets?: number
  /** 0 switches the limit off. */
  requestsPerSecond?: number
  /** The time that the seed treats as now. The same value gives the same desk, byte for byte. */
  seededAt?: Date
  now?: () => Date
  /** A program that people can give access by OAuth 2. */
  signIn?: SignInOptions
}

export interface Fernhill {
  url: string
  /** Revokes all access that people have given. */
  withdrawAll(): void
  close(): Promise<void>
}

export const DEFAULT_SEEDED_AT = new Date('2026-11-02T09:00:00.000Z')
export const DEFAULT_REQUESTS_PER_SECOND = 50

const HOST = '127.0.0.1'

export async function startFernhill(options: FernhillOptions): Promise<Fernhill> {
  // The address is a function, because with port 0 it is known only once the desk listens.
  let listeningUrl = ''
  const publicUrl = () => (options.publicUrl ?? listeningUrl).replace(/\/+$/, '')
  const seededAt = options.seededAt ?? DEFAULT_SEEDED_AT
  const db = openDatabase(options.dataFile, (empty) => seedDesk(empty, { now: seededAt, tickets: options.tickets }))
  try {
    const records = createRecords(db, publicUrl)
    const writer = createTicketWriter(db, records, options.now ?? (() => new Date()))
    const requestsPerSecond = options.requestsPerSecond ?? DEFAULT_REQUESTS_PER_SECOND
    // Loaded only if sign-in is configured, because loading takes a moment.
    const signIn = options.signIn ? (await import('./sign-in.ts')).createSignIn(options.signIn, db, publicUrl) : null
    const isToken = signIn?.isToken
    const parts = { apiKey: options.apiKey, publicUrl, requestsPerSecond, records, writer, ...(isToken && { isToken }) }
    const app = await buildApp(parts, signIn)
    listeningUrl = await app.listen({ port: options.port, host: HOST })
    return {
      url: listeningUrl,
      withdrawAll: () => signIn?.withdrawAll(),
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
