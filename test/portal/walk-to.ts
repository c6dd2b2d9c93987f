import type { Db } from '../../service/src/db/open-database.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { type ImportStatus, initialStatus, type Move, type MoveEvent, moves } from '../../service/src/lifecycle.ts'
import { markPaid } from '../support/mark-paid.ts'

/** Moves a new import to a status, with a sample first; the customer pays if necessary. */
export async function walkTo(db: Db, importId: string, status: ImportStatus): Promise<void> {
  for (const event of eventsTo(status)) {
    if (event === 'purchase is paid') await markPaid(db, importId)
    const moved = await db.transaction().execute((tx) => moveImport(tx, importId, event))
    if (moved === null) throw new Error(`${importId} did not move by "${event}"`)
  }
}

function eventsTo(target: ImportStatus): MoveEvent[] {
  const ways = new Map<ImportStatus, MoveEvent[]>([[initialStatus, []]])
  for (const [from, events] of ways) {
    if (from === target) return events
    for (const move of moves as readonly (Move & { event: MoveEvent })[]) {
      const isOpen = !['start_full', 'sponsorship accepted'].includes(move.when ?? '')
      if (move.from === from && isOpen && !ways.has(move.to)) ways.set(move.to, [...events, move.event])
    }
  }
  throw new Error(`no moves lead to ${target}`)
}
