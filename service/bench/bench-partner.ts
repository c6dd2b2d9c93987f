import { connectors } from '../src/connectors/registry.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { parseKeyRing } from '../src/key-ring.ts'
import { createPartner } from '../src/partners/create-partner.ts'

/** A partner whose customers move help desks into a destination of the open protocol; answers its API token. */
export async function createBenchPartner(databaseUrl: string, keys: string): Promise<string> {
  const { db, close } = openDatabase(databaseUrl, { poolSize: 1 })
  try {
    const parts = { connectors, keyRing: parseKeyRing(keys) }
    return (await createPartner(db, parts, { name: 'Bench', destination: 'open', families: ['helpdesk'] })).api_token
  } finally {
    await close()
  }
}
