import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { audit } from '../../service/src/audit.ts'
import { sealAll } from '../../service/src/audit-chain.ts'
import { readChain } from '../../service/src/audit-read.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { createTestDatabase } from '../support/database.ts'

/** Exports a log that continued after the moment of the restore: no other database has its lines. */
export async function exportElsewhere(...acts: { act: string; subject: string }[]): Promise<string> {
  const other = await createTestDatabase()
  const database = openDatabase(other.url, { poolSize: 2 })
  try {
    for (const line of acts) await audit(database.db, { actor: 'service', ...line })
    await sealAll(database.db)
    const lines: string[] = []
    for await (const line of readChain(database.db)) lines.push(JSON.stringify(line))
    const file = join(await mkdtemp(join(tmpdir(), 'wherry-export-')), 'audit.jsonl')
    await writeFile(file, lines.join('\n'))
    return file
  } finally {
    await database.close()
    await other.drop()
  }
}
