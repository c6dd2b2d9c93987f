import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { importStatuses } from '../../service/src/lifecycle.ts'
import { createTestDatabase } from '../support/database.ts'

const page = readFileSync(join(checkoutDir, 'docs/glossary.md'), 'utf8')

/** The words that a section of the page explains. */
function wordsUnder(heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| `([a-z_]+)` \| .{10,} \|$/gm)].map(([, word = '']) => word).sort()
}

test('docs/glossary.md explains every status of an import', () => {
  expect(wordsUnder('Statuses of an import')).toEqual([...importStatuses].sort())
})

test('docs/glossary.md explains every kind, stage, state, finding, fate, task and fact that the database allows', async () => {
  const own = await createTestDatabase()
  const { db, close } = openDatabase(own.url, { poolSize: 1 })
  const { rows } = await sql<{ at: string; rule: string }>`
    select c.conrelid::regclass || '.' || a.attname as at, pg_get_constraintdef(c.oid) as rule
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'c' and cardinality(c.conkey) = 1`.execute(db)
  await close()
  await own.drop()
  const allowed = (at: string) =>
    rows
      .filter((row) => row.at === at)
      .flatMap(({ rule }) => [...rule.matchAll(/'([a-z_]+)'::text/g)].map(([, word = '']) => word))
      .sort()
  const sections = {
    'Kinds of runs': 'runs.kind',
    'States of a run': 'runs.state',
    Stages: 'run_stages.stage',
    'States of a record in the ledger': 'id_map.state',
    'States of a delivery': 'deliveries.state',
    'States of an upload': 'uploads.state',
    'Findings of an undo': 'id_map.undo_finding',
    'Fates in a plan': 'plan_records.fate',
    'States of a payment': 'payments.state',
    'Tasks of a payment': 'payments.task',
    'Facts about a payment': 'payment_events.fact',
    'States of a mail': 'mails.state',
  }
  for (const [heading, at] of Object.entries(sections)) {
    expect([heading, wordsUnder(heading)]).toEqual([heading, allowed(at)])
    expect(allowed(at).length).toBeGreaterThan(2)
  }
})
