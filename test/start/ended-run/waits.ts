import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { startProgram } from '../../support/program.ts'

test('is in the middle of its work', async () => {
  const database = await createTestDatabase()
  const program = startProgram('sleep', ['900'])
  writeFileSync(String(process.env.WAITS_FILE), JSON.stringify({ folder: process.env.TMPDIR, pid: program.pid }))
  await program.finished
  await database.drop()
})
