import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { createTestDatabase } from '../support/database.ts'

/** Far less memory than all lines need. Code that keeps all lines runs out of heap. */
const heapMegabytes = 64
const lines = 120_000

test('a long log is sealed, exported and verified without being held in memory', async () => {
  const own = await createTestDatabase()
  try {
    const client = new pg.Client({ connectionString: own.url })
    await client.connect()
    await client.query(
      `insert into audit_log (actor, act, subject, details)
       select 'operator', 'tested', 'line ' || n, jsonb_build_object('filler', repeat('x', 900)) from generate_series(1, $1::int) n`,
      [lines],
    )
    await client.end()
    const file = join(await mkdtemp(join(tmpdir(), 'wherry-audit-')), 'export.jsonl')
    const target = await open(file, 'w')
    expect(await wherry(own.url, ['audit', 'export'], target.fd)).toBe(0)
    await target.close()
    expect((await stat(file)).size).toBeGreaterThan(heapMegabytes * 1024 ** 2)
    let count = 0
    for await (const line of createInterface({ input: createReadStream(file) })) if (line !== '') count += 1
    expect(count).toBe(lines)
    expect(await wherry(own.url, ['audit', 'verify', '--file', file])).toBe(0)
    expect(await wherry(own.url, ['audit', 'verify'])).toBe(0)
  } finally {
    await own.drop()
  }
})

async function wherry(databaseUrl: string, args: string[], stdout: number | 'ignore' = 'ignore') {
  const bin = join(checkoutDir, 'service/bin/wherry.mjs')
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, bin, ...args], {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, DATABASE_URL: databaseUrl },
    stdio: ['ignore', stdout, 'inherit'],
  })
  const [code] = await once(child, 'exit')
  return code
}
