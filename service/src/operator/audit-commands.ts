import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { type AuditLine, sealAll } from '../audit-chain.ts'
import { listAudit, readChain, readExport } from '../audit-read.ts'
import { verifyChain } from '../audit-verify.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { printResult } from './print-result.ts'
import { readLimit } from './read-limit.ts'
import { readTime, type WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const

interface ListOptions {
  since?: string
  actor?: string
  act?: string
  subject?: string
  limit: string
}

/** Commands that list the audit log, and verify that nobody changed it. */
export function addAuditCommands(program: Command, withDatabase: WithDatabase): void {
  const audit = program.command('audit').description('the audit log: every act of operators, partners and customers')
  audit
    .command('list')
    .description('list the newest lines')
    .option('--since <time>', 'only since this time, such as 2026-11-15T08:00Z')
    .option('--actor <actor>', 'only acts of operator, partner, customer or service; "partner prt_…" for one of them')
    .option('--act <act>', 'only this act, such as "full started"')
    .option('--subject <id>', 'only acts on the import, partner or other thing with this id')
    .option('--limit <n>', 'how many to list', '50')
    .option(...json)
    .action(
      withDatabase((db, { since, actor, act, subject, limit }: ListOptions) =>
        listAudit(db, {
          since: since === undefined ? null : readTime(since),
          actor: actor ?? null,
          act: act ?? null,
          subject: subject ?? null,
          limit: readLimit(limit),
        }),
      ),
    )
  audit
    .command('export')
    .description('print every line as JSON, one per row, in the order of the chain')
    .option('--since <time>', 'begin with the first line since this time, such as 2026-11-15T08:00Z')
    .action(
      withDatabase((db, { since }: { since?: string }) =>
        exportLines(db, since === undefined ? null : readTime(since)),
      ),
    )
  audit
    .command('verify')
    .description('find the first line that was changed, removed, swapped or inserted')
    .option('--file <file>', 'check this export instead of the database')
    .option('--head <hash>', 'a hash that you noted earlier: its line must still be there')
    .option(...json)
    .action(async (options: { file?: string; head?: string; json?: boolean }, command: Command) => {
      const head: { head?: string } = options.head === undefined ? {} : { head: readHash(options.head) }
      // Checking a file needs no database, so that anyone with the file can do it.
      if (options.file !== undefined) {
        printResult(await verifyChain(readExport(options.file), head), options.json === true)
        return
      }
      await withDatabase((db) => verifyTable(db, head))(command)
    })
}

async function exportLines(db: Db, since: Date | null): Promise<void> {
  await sealAll(db)
  try {
    await pipeline(Readable.from(asText(readChain(db, { since }))), process.stdout, { end: false })
  } catch (error) {
    // The program that reads our output, such as "head", has closed it.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

async function* asText(lines: AsyncIterable<AuditLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}

async function verifyTable(db: Db, head: { head?: string }) {
  await sealAll(db)
  // The end is read before the lines, so that lines sealed meanwhile are not checked.
  const { seq, hash } = await db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
  const end = { seq: Number(seq), hash }
  return verifyChain(until(readChain(db), end.seq), { ...head, end, startsAtFirst: true })
}

async function* until(lines: AsyncIterable<AuditLine>, last: number): AsyncGenerator<AuditLine> {
  for await (const line of lines) {
    if (line.seq > last) return
    yield line
  }
}

function readHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new OperatorError(
    '--head must be the hash of a line: 64 hexadecimal digits, as "wherry audit verify" prints it.',
  )
}
