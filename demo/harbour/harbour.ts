import { API_PREFIX } from './api-routes.ts'
import { buildApp } from './build-app.ts'
import { carriesOf, entitiesOf, FAMILIES, type Family } from './entities.ts'
import type { Faults } from './faults.ts'
import { followImports, type WherryAccess } from './follow-imports.ts'
import { createMessageBox } from './keep-messages.ts'
import { createRevisionKeeper } from './keep-revisions.ts'
import { MESSAGES_PATH } from './message-routes.ts'
import { openDatabase } from './open-database.ts'
import { createFileStore } from './store-files.ts'
import { createRecordStore } from './store-records.ts'
import { createRecordSync } from './sync-records.ts'
import { USERS } from './users.ts'

export interface HarbourOptions extends Faults {
  /** 0 uses any free port. */
  port: number
  /** Path of the data file, or `:memory:`. A missing file is created. */
  dataFile: string
  /** The API token of the account that the pages show. */
  token: string
  /** Account ids of further accounts by API token. Accounts share only the people. */
  moreTokens?: Readonly<Record<string, string>>
  /** The key for `GET /effects`. */
  adminKey?: string
  accountName?: string
  /** The families that the account accepts; all by default. */
  families?: readonly Family[]
  maxFileBytes?: number
  /** Whether comments may be sent inside their parent record. */
  carries?: boolean
  /** The address of Harbour in links. Default: the address that it listens on. */
  publicUrl?: string
  /** Harbour's partner account at Wherry, for the "Import from…" page. */
  wherry?: WherryAccess
  now?: () => Date
}

export interface Harbour {
  url: string
  /** The base URL of the destination protocol. */
  baseUrl: string
  close(): Promise<void>
}

export const DEFAULT_MAX_FILE_BYTES = 20 * 1024 * 1024

const HOST = '127.0.0.1'
const SHOWN_ACCOUNT = 'main'
/** The person whom the pages show as signed in. Harbour has no sign-in, because it listens on this machine only. */
const SIGNED_IN = USERS[0]

export async function startHarbour(options: HarbourOptions): Promise<Harbour> {
  // The address is a function, because with port 0 it is known only once Harbour listens.
  let listeningUrl = ''
  const publicUrl = () => (options.publicUrl ?? listeningUrl).replace(/\/+$/, '')
  const families = options.families ?? FAMILIES
  const entities = entitiesOf(families)
  const carries = options.carries ? carriesOf(families) : {}
  const maxFileBytes = options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES
  const now = options.now ?? (() => new Date())
  const db = openDatabase(options.dataFile)
  try {
    const store = createRecordStore(db, now)
    const revisions = createRevisionKeeper(db)
    const sync = createRecordSync({ db, store, revisions, entities, carries, publicUrl })
    const files = createFileStore(db, sync, revisions, maxFileBytes)
    const accountName = options.accountName ?? 'Fernhill at Harbour'
    const imports = options.wherry
      ? {
          follower: followImports(options.wherry, () => ({
            instanceUrl: `${publicUrl()}${API_PREFIX}`,
            username: String(SIGNED_IN?.email),
            token: options.token,
          })),
          box: createMessageBox(db, now),
          messagesUrl: () => `${publicUrl()}${MESSAGES_PATH}`,
          signedInAs: String(SIGNED_IN?.name),
          entities: Object.keys(entities),
        }
      : null
    const app = await buildApp({
      api: {
        db,
        accounts: new Map([...Object.entries(options.moreTokens ?? {}), [options.token, SHOWN_ACCOUNT]]),
        accountName,
        families,
        entities,
        carries,
        maxFileBytes,
        sync,
        files,
        ...(options.latencyMs !== undefined && { latencyMs: options.latencyMs }),
        ...(options.onRequest && { onRequest: options.onRequest }),
      },
      pages: { db, store, files, entities, account: SHOWN_ACCOUNT, accountName, publicUrl, imports },
      adminKey: options.adminKey,
      webhookSecret: options.wherry?.webhookSecret,
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
