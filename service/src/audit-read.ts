import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { type AuditLine, exactTime } from './audit-chain.ts'
import type { Db } from './db/open-database.ts'
import { OperatorError } from './errors.ts'

const linesAtOnce = 2_000

export interface AuditFilter {
  since: Date | null
  actor: string | null
  act: string | null
  subject: string | null
  limit: number
}

/** The newest lines that match. A line without a number waits to be sealed, for a second at most. */
export async function listAudit(db: Db, { since, actor, act, subject, limit }: AuditFilter) {
  const rows = await db
    .selectFrom('audit_log')
    .select(['seq', exactTime.as('time'), 'actor', 'act', 'subject', 'details', 'hash'])
    .$if(since !== null, (query) => query.where('at', '>=', since as Date))
    .$if(actor !== null, (query) => query.where(isActor(actor as string)))
    .$if(act !== null, (query) => query.where('act', '=', act as string))
    .$if(subject !== null, (query) => query.where('subject', '=', subject as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ seq, time, ...row }) => ({ seq: seq === null ? null : Number(seq), at: time, ...row }))
}

/** "customer" means every customer, "customer imp_…" that one. */
const isActor = (actor: string) => sql<boolean>`(actor = ${actor} or starts_with(actor, ${`${actor} `}))`

/** Every sealed line in the order of the chain, some at a time, so that memory does not grow with the log. */
export async function* readChain(db: Db, { since = null }: { since?: Date | null } = {}): AsyncGenerator<AuditLine> {
  let after = await findStart(db, since)
  if (after === null) return
  for (;;) {
    const rows = await db
      .selectFrom('audit_log')
      .select(['seq', exactTime.as('time'), 'actor', 'act', 'subject', 'details', 'previous_hash', 'hash'])
      .where('seq', '>', String(after))
      .orderBy('seq')
      .limit(linesAtOnce)
      .execute()
    for (const { seq, time, previous_hash, hash, ...row } of rows) {
      yield { seq: Number(seq), at: time, ...row, previous_hash: String(previous_hash), hash: String(hash) }
    }
    const last = rows.at(-1)
    if (!last || rows.length < linesAtOnce) return
    after = Number(last.seq)
  }
}

/**
 * The number before the first line of this time. The lines after it are exported whole, so that the chain has no gap.
 */
async function findStart(db: Db, since: Date | null): Promise<number | null> {
  if (since === null) return 0
  const { first } = await db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.min('seq').as('first'))
    .where('at', '>=', since)
    .executeTakeFirstOrThrow()
  return first === null ? null : Number(first) - 1
}

/** The lines of an exported file, one at a time. */
export async function* readExport(file: string): AsyncGenerator<AuditLine> {
  const input = createReadStream(file)
  let number = 0
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1
      if (text !== '') yield parseLine(file, number, text)
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    input.destroy()
  }
}

const texts = ['at', 'actor', 'act', 'subject', 'previous_hash', 'hash'] as const

function parseLine(file: string, number: number, text: string): AuditLine {
  const line = parseObject(text)
  const isWhole =
    line !== null &&
    Number.isSafeInteger(line.seq) &&
    Number(line.seq) > 0 &&
    texts.every((name) => typeof line[name] === 'string') &&
    typeof line.details === 'object' &&
    line.details !== null
  if (isWhole) return line as unknown as AuditLine
  throw new OperatorError(`Line ${number} of ${file} is no line of an export: "wherry audit export" writes them.`)
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
