import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'

const longestDays = 3_650

export interface RetentionChange {
  undoDays?: string | undefined
  ledgerDays?: string | undefined
}

export async function showRetention(db: Db, partnerId: string) {
  const partner = await db
    .selectFrom('partners')
    .select(['id', 'name', 'undo_days', 'ledger_days'])
    .where('id', '=', partnerId)
    .executeTakeFirst()
  if (!partner) throw new OperatorError(`There is no partner ${partnerId}. "wherry partner list" shows all.`)
  return partner
}

/** Sets how long data of finished imports is kept. Completed imports keep their dates. */
export async function setRetention(db: Db, partnerId: string, change: RetentionChange) {
  const undo_days = readDays('--undo-days', change.undoDays)
  const ledger_days = readDays('--ledger-days', change.ledgerDays)
  const changes = { ...(undo_days !== undefined && { undo_days }), ...(ledger_days !== undefined && { ledger_days }) }
  if (Object.keys(changes).length === 0) {
    throw new OperatorError('Say what to change: --undo-days or --ledger-days.')
  }
  return db.transaction().execute(async (tx) => {
    await tx.updateTable('partners').set(changes).where('id', '=', partnerId).execute()
    const shown = await showRetention(tx, partnerId)
    if (shown.ledger_days < shown.undo_days) {
      throw new OperatorError(
        `--ledger-days must be at least --undo-days (${shown.undo_days}): an undo needs the ledger of its records.`,
      )
    }
    const details = { undo_days: shown.undo_days, ledger_days: shown.ledger_days }
    await audit(tx, { actor: 'operator', act: 'retention set', subject: partnerId, details })
    return shown
  })
}

function readDays(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const days = Number(text)
  if (!/^\d{1,4}$/.test(text) || days < 1 || days > longestDays) {
    throw new OperatorError(`${option} must be a whole number of days from 1 to ${longestDays}, not "${text}".`)
  }
  return days
}
