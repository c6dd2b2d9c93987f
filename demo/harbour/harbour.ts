import { API_PREFIX } from './api-routes.ts'
import { buildApp } from './build-app.ts'
import { entitiesOf, FAMILIES, type Family } from './entities.ts'
import type { Faults } from './faults.ts'
import { openDatabase } from './open-database.ts'
import { createFileStore } from './store-files.ts'
import { createRecordStore } from './store-records.ts'
import { createRecordSync } from './sync-records.ts'

export interface HarbourOptions extends Faults {
  /** 0 takes any free port. */
  port: number
  /** A file, made when it is missing, or `:memory:`. */
  dataFile: string
  /** The API token of the account that the pages show. */
  token: string
  /** Tokens of further accounts, each with the account's id. They share nothing but the people. */
  moreTokens?: Readonly<Record<string, string>>
  /** Opens `GET /effects`. */
  adminKey?: string
  accountName?: string
  /** Which kinds of things the account takes; all, unless told. */
  families?: readonly Family[]
  maxFileBytes?: number
  /** How links name Harbour; by default the address it listens on. */
  publicUrl?: string
  now?: () => Date
}

export interface Harbour {
  url: string
  /** Where the destination protocol is answered. */
  baseUrl: string
  close(): Promise<void>
}

export const DEFAULT_MAX_FILE_BYTES = 20 * 1024 * 1024

const HOST = '127.0.0.1'
const SHOWN_ACCOUNT = 'main'

export async function startHarbour(options: HarbourOptions): Promise<Harbour> {
  // A function, because with port 0 the address is known only once Harbour listens.
  let listeningUrl = ''
  const publicUrl = () => (options.publicUrl ?? listeningUrl).replace(/\/+$/, '')
  const families = options.families ?? FAMILIES
  const entities = entitiesOf(families)
  const maxFileBytes = options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES
  const db = openDatabase(options.dataFile)
  try {
    const store = createRecordStore(db, options.now ?? (() => new Date()))
    const sync = createRecordSync({ db, store, entities, publicUrl })
    const files = createFileStore(db, sync, maxFileBytes)
    const accountName = options.accountName ?? 'Fernhill at Harbour'
    const app = await buildApp({
      api: {
        db,
        accounts: new Map([...Object.entries(options.moreTokens ?? {}), [options.token, SHOWN_ACCOUNT]]),
        accountName,
        families,
        entities,
        maxFileBytes,
        sync,
        files,
        ...(options.latencyMs !== undefined && { latencyMs: options.latencyMs }),
        ...(options.onRequest && { onRequest: options.onRequest }),
      },
      pages: { db, store, files, entities, account: SHOWN_ACCOUNT, accountName, publicUrl },
      adminKey: options.adminKey,
    })
    listeningUrl = await app.listen({ port: options.port, host: HOST })
    return {
      url: listeningUrl,
      baseUrl: `${listeningUrl}${API_PREFIX}`,
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
