import { sql } from 'kysely'
import type { FoundRecord, StoredContent } from '../connectors/contract/contract.ts'
import { changeRows } from './change-ledger.ts'
import { hashPrints, type Print, printsOf, readAndCut, storedContent } from './hash-record.ts'
import { hasComeInside, type LedgerRow } from './ledger.ts'
import type { RunContext } from './run-context.ts'
import type { Sending } from './sending.ts'

// Some tools need several requests to change one record. If the change breaks off, the record is neither the old nor
// the new one. Each of its fields is still one of the two, and so is each entry of a list. Anything else is an edit.

/** Hashes of a change of ours that has not arrived as a whole. */
export interface Changing {
  /** All fields that the change leaves alone. */
  rest: string
  /** The other fields, before and after the change; null for an empty one. */
  fields: Record<string, readonly [from: Print | null, to: Print | null]>
}

/** Null if one value changes: then nothing can be half done. */
export function changingOf(now: StoredContent, next: StoredContent): Changing | null {
  const [from, to] = [printsOf(now), printsOf(next)]
  const changed = Object.keys({ ...from, ...to }).filter((name) => String(from[name]) !== String(to[name]))
  const fields = Object.fromEntries(changed.map((name) => [name, [from[name] ?? null, to[name] ?? null] as const]))
  const isOne = changed.length < 2 && !Object.values(fields).flat().some(Array.isArray)
  return isOne ? null : { rest: hashRest(from, fields), fields }
}

/** Whether the change may have left the record like this. */
export function isHalfChanged(changing: Changing | null, found: StoredContent): boolean {
  if (changing === null) return false
  const prints = printsOf(found)
  return (
    hashRest(prints, changing.fields) === changing.rest &&
    Object.entries(changing.fields).every(([name, [from, to]]) => isEither(prints[name] ?? null, from, to))
  )
}

function isEither(now: Print | null, from: Print | null, to: Print | null): boolean {
  if (String(now) === String(from) || String(now) === String(to)) return true
  if (typeof (from ?? to) === 'string') return false
  const [before, after, entries] = [toSet(from), toSet(to), toSet(now)]
  const isOurs = [...entries].every((entry) => before.has(entry) || after.has(entry))
  return isOurs && [...before].every((entry) => !after.has(entry) || entries.has(entry))
}

const toSet = (print: Print | null): ReadonlySet<string> => new Set(print === null ? [] : [print].flat())

const hashRest = (prints: Record<string, Print>, changed: object): string =>
  hashPrints(Object.fromEntries(Object.entries(prints).filter(([name]) => !Object.hasOwn(changed, name))))

/** Notes changes that may break off in the middle. `found` is each record as the destination has it now. */
export async function noteChanges(
  context: RunContext,
  entity: string,
  changes: readonly { sending: Sending; row: LedgerRow; found: FoundRecord }[],
): Promise<void> {
  const notes: { source_id: string; state: 'written'; changing: Changing }[] = []
  for (const { sending, row, found } of changes) {
    if (found.isUnreadable) continue
    const { fields, customFields, ...times } = await storedContent(
      context,
      entity,
      sending.outgoing,
      hasComeInside(row),
    )
    // Copies, because long texts are cut.
    const next = { ...times, fields: { ...fields }, customFields: { ...customFields } }
    await readAndCut([next])
    const changing = changingOf(found, next)
    if (changing) notes.push({ source_id: row.source_id, state: 'written', changing })
  }
  if (notes.length === 0) return
  const { run } = context
  await run.lease.commit((tx) =>
    changeRows(tx, run, entity, notes, { state: 'text', changing: 'json' }, sql`changing = excluded.changing`),
  )
}
