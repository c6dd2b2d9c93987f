import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FoundRecord } from '../connectors/contract/contract.ts'
import { rowsWith } from '../db/find-in-ledger.ts'
import { RetryableError } from '../errors.ts'
import { entityOf, familyDefinitions } from '../families/index.ts'
import { findPlaced } from './find-placed.ts'
import { findPlacedRows, type PlacedRow, refKey } from './ledger.ts'
import { sourceIdOf } from './record-key.ts'
import { isRemovable } from './removable-rows.ts'
import type { RunContext } from './run-context.ts'

export const referredMessage = 'A record that stays in the destination refers to it.'

interface KeptRows {
  entity: string
  rows: readonly PlacedRow[]
}

/**
 * Marks the records of this import that kept records refer to, as the destination shows them now, and the records that
 * these refer to in turn. An undo or a removal keeps them, too. `gone` are rows whose record was just removed. All rows
 * are marked in one transaction, so an interrupted walk begins again.
 */
export async function keepReferred(
  context: RunContext,
  entity: string,
  kept: readonly PlacedRow[],
  gone: readonly PlacedRow[] = [],
): Promise<void> {
  const met = new Set([...kept, ...gone].map(({ source_id }) => refKey({ entity, sourceId: source_id })))
  const marked = new Map<string, string[]>()
  const open: KeptRows[] = [{ entity, rows: kept }]
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { entity: name, rows } = next
    if (rows.length === 0) continue
    const foundOf = await findAgain(context, name, [...rows])
    const there = rows.filter((row) => foundOf(row))
    // A deleted record cannot be kept.
    if (rows !== kept) marked.set(name, [...(marked.get(name) ?? []), ...there.map(({ source_id }) => source_id)])
    const found = there.flatMap((row) => foundOf(row) ?? [])
    for (const [target, names] of referencesOf(context, name, found)) {
      const isNew = ({ source_id }: PlacedRow) => !met.has(refKey({ entity: target, sourceId: source_id }))
      const referred = (await findReferred(context, target, names)).filter(isNew)
      for (const { source_id } of referred) met.add(refKey({ entity: target, sourceId: source_id }))
      open.push({ entity: target, rows: referred })
    }
    open.push(...(await findStayingChildren(context, name, there)))
  }
  await mark(context, marked)
}

/** The walk loses all that it has found when one question fails, so each is asked up to three times before that. */
async function findAgain(...question: Parameters<typeof findPlaced>): ReturnType<typeof findPlaced> {
  for (const pauseMs of [250, 1_000]) {
    try {
      return await findPlaced(...question)
    } catch (error) {
      // The walk waits for a tool that asks for a pause.
      if (!(error instanceof RetryableError) || error.retryAfterMs !== null) throw error
      await sleep(pauseMs)
    }
  }
  return findPlaced(...question)
}

/** By entity, how the destination names the records that these refer to. */
function referencesOf({ family }: RunContext, entity: string, found: FoundRecord[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>()
  for (const [name, { to = [] }] of Object.entries(entityOf(family, entity).fields)) {
    const values = found.flatMap(({ fields }) => [fields[name] ?? []].flat())
    const names = values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String)
    for (const target of names.length === 0 ? [] : to) {
      wanted.set(target, new Set([...(wanted.get(target) ?? []), ...names]))
    }
  }
  return wanted
}

/** Destinations name a record by its id, or by the key that we gave it. Rows that are marked already have been followed. */
async function findReferred(
  { db, importId, run }: RunContext,
  entity: string,
  names: Set<string>,
): Promise<PlacedRow[]> {
  const sourceIds = [...names].flatMap((name) => sourceIdOf(name, importId, entity) ?? [])
  const ids = [...names].filter((name) => !name.startsWith(`${importId}/`))
  const { rows } = await sql<{ source_id: string }>`
    select m.source_id from ${rowsWith('destination_id', importId, ids)} m where m.entity = ${entity}`.execute(db)
  const named = sql`m.source_id = any(${[...sourceIds, ...rows.map(({ source_id }) => source_id)]})`
  const isNew = sql`m.state = 'written' and m.undo_finding is distinct from 'edited' and ${isRemovable(run)}`
  return findPlacedRows(db, { importId, entity, after: null, limit: names.size }, sql`${named} and ${isNew}`)
}

async function mark({ run, importId }: RunContext, marked: ReadonlyMap<string, string[]>): Promise<void> {
  if (marked.size === 0) return
  await run.lease.commit(async (tx) => {
    for (const [entity, ids] of marked) {
      await sql`
        update id_map set undo_finding = 'edited', message = ${referredMessage}
        where import_id = ${importId} and entity = ${entity} and source_id = any(${ids})`.execute(tx)
    }
  })
}

/** Children that the destination can only remove together with their parent stay with it. */
async function findStayingChildren(
  { db, importId, family, mapping, run }: RunContext,
  entity: string,
  kept: readonly PlacedRow[],
): Promise<KeptRows[]> {
  const children = familyDefinitions[family].entities.filter(
    ({ name, parent, fields }) =>
      parent !== undefined &&
      fields[parent]?.to?.includes(entity) &&
      mapping.destination.entities[name]?.removal === 'with parent',
  )
  const parents = kept.map(({ source_id }) => source_id)
  return Promise.all(
    children.map(async ({ name }) => ({
      entity: name,
      rows: await findPlacedRows(
        db,
        { importId, entity: name, after: null, limit: 10_000 },
        sql`m.state = 'written' and m.parent_entity = ${entity} and m.parent_source_id = any(${parents})
          and ${isRemovable(run)}`,
      ),
    })),
  )
}
