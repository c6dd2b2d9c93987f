import { connectors } from '../src/connectors/registry.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { parseKeyRing } from '../src/key-ring.ts'
import { createPartner } from '../src/partners/create-partner.ts'

/** Creates a partner for help desk imports into a destination of the open protocol. Returns its API token. */
export async function createBenchPartner(databaseUrl: string, keys: string): Promise<string> {
  const { db, close } = openDatabase(databaseUrl, { poolSize: 1 })
  try {
    const parts = { connectors, keyRing: parseKeyRing(keys) }
    return (await createPartner(db, parts, { name: 'Bench', destination: 'open', families: ['helpdesk'] })).api_token
  } finally {
    await close()
  }
}
