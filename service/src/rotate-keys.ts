import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db/open-database.ts'
import { OperatorError } from './errors.ts'
import { type KeyRing, keyIdOf } from './key-ring.ts'
import { type SealedColumn, sealedColumns } from './sealed-columns.ts'

/** Each pass finds only values that a process with an older ring sealed during the pass before. */
const mostPasses = 4

export interface KeyUse {
  id: string
  /** The newest key: it seals. */
  seals: boolean
  in_ring: boolean
  values: number
  /** Values by table and column. */
  uses: Record<string, number>
}

/** As key-ring.ts writes it: a version, the length of the id, the id. */
const keyId = (column: string) =>
  sql<string>`convert_from(substring(${sql.ref(column)} from 3 for get_byte(${sql.ref(column)}, 1)), 'UTF8')`

/** Every key of the ring, and every key that a value in the database still needs. */
export async function countKeyUse(db: Db, keyRing: KeyRing): Promise<KeyUse[]> {
  const ids = keyRing.ids()
  const found = new Map<string, Record<string, number>>(ids.map((id) => [id, {}]))
  for (const { table, column } of sealedColumns) {
    const { rows } = await sql<{ id: string; count: string }>`
      select ${keyId(column)} as id, count(*) from ${sql.table(table)}
      where octet_length(${sql.ref(column)}) > 2 group by 1`.execute(db)
    for (const { id, count } of rows) {
      found.set(id, { ...found.get(id), [`${table}.${column}`]: Number(count) })
    }
  }
  return [...found].map(([id, uses]) => ({
    id,
    seals: id === ids[0],
    in_ring: ids.includes(id),
    values: Object.values(uses).reduce((sum, count) => sum + count, 0),
    uses,
  }))
}

export interface Rotation {
  key: string
  resealed: number
  /** Values that no key of the ring opens; they stay as they are. */
  unreadable: UnreadableValue[]
}

export interface UnreadableValue {
  value: string
  /** The key that it names. */
  key: string
  reason: string
}

type Row = { sealed: Buffer; place: string; key: unknown[] }

/**
 * Seals every value again that an older key sealed. A value is replaced only if it is still the one that was read, so a
 * value written meanwhile stays. Finished values stay finished: a killed rotation is started again.
 */
export async function rotateKeys(
  db: Db,
  keyRing: KeyRing,
  { batch, onProgress }: { batch: number; onProgress: (line: string) => void },
): Promise<Rotation> {
  const newest = keyRing.ids()[0] ?? ''
  let resealed = 0
  for (let pass = 1; ; pass++) {
    let isClean = true
    const unreadable: UnreadableValue[] = []
    for (const column of sealedColumns) {
      const total = await countOld(db, column, newest)
      if (total === 0) continue
      const name = `${column.table}.${column.column}`
      let done = 0
      for await (const rows of oldValues(db, column, newest, batch)) {
        for (const row of rows) {
          const opened = open(keyRing, row)
          if (!Buffer.isBuffer(opened)) {
            unreadable.push(opened)
            continue
          }
          isClean = false
          done += await reseal(db, keyRing, column, row, opened)
        }
        onProgress(`${name}: ${done} of ${total} sealed with key ${newest}`)
      }
      resealed += done
    }
    // Values that were written with an older key during this pass are found by the next.
    if (isClean) return { key: newest, resealed, unreadable }
    if (pass === mostPasses) {
      throw new OperatorError(
        `Values are still being sealed with an older key than ${newest}: a process runs with the old ring. Restart it with the new one, then repeat this command.`,
      )
    }
  }
}

async function countOld(db: Db, { table, column }: SealedColumn, newest: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from ${sql.table(table)} where ${isOld(column, newest)}`.execute(db)
  return Number(rows[0]?.count)
}

const isOld = (column: string, newest: string) =>
  sql<boolean>`octet_length(${sql.ref(column)}) > 2 and ${keyId(column)} <> ${newest}`

/** Goes through the table once, in the order of its primary key. */
async function* oldValues(db: Db, column: SealedColumn, newest: string, batch: number): AsyncGenerator<Row[]> {
  const names = Object.keys(column.key)
  const places = sql.join(names.map((name) => sql.ref(name)))
  let after: unknown[] | null = null
  for (;;) {
    const beyond: RawBuilder<unknown> = after ? sql`and (${places}) > (${typed(column, after)})` : sql``
    const { rows } = await sql<{ sealed: Buffer; place: string } & Record<string, unknown>>`
      select ${places}, ${sql.ref(column.column)} as sealed, ${sql.raw(column.place)} as place
      from ${sql.table(column.table)}
      where ${isOld(column.column, newest)} ${beyond}
      order by ${places} limit ${batch}`.execute(db)
    if (rows.length === 0) return
    const values = rows.map((row) => ({ sealed: row.sealed, place: row.place, key: names.map((name) => row[name]) }))
    yield values
    after = values.at(-1)?.key ?? null
  }
}

const typed = ({ key }: SealedColumn, values: unknown[]) =>
  sql.join(Object.values(key).map((type, index) => sql`${values[index]}::${sql.raw(type)}`))

/**
 * One row, one statement: no lock is held while another is waited for. Answers 0 if the value has changed meanwhile.
 */
async function reseal(
  db: Db,
  keyRing: KeyRing,
  column: SealedColumn,
  { sealed, place, key }: Row,
  opened: Buffer,
): Promise<number> {
  const places = sql.join(Object.keys(column.key).map((name) => sql.ref(name)))
  const again = keyRing.seal(opened, place)
  const { numAffectedRows } = await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${again}
    where (${places}) = (${typed(column, key)}) and ${sql.ref(column.column)} = ${sealed}`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

function open(keyRing: KeyRing, { sealed, place }: Row): Buffer | UnreadableValue {
  try {
    return keyRing.openBytes(sealed, place)
  } catch (error) {
    return { value: place, key: keyIdOf(sealed), reason: error instanceof Error ? error.message : String(error) }
  }
}
