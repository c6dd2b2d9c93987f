import type { WarningCode, WriteLoss } from '../warnings/codes.ts'
import type { OutcomeRow } from './change-ledger.ts'
import { placeOf } from './decide-records.ts'
import { neverKnown } from './judge-removal.ts'
import { isInDestination, type LedgerRow } from './ledger.ts'
import type { Sending, SendOutcome } from './sending.ts'
import { orNull, uniteCodes } from './warnings.ts'

const noPlace = {
  destination_id: null,
  destination_url: null,
  destination_version: null,
  written_hash: null,
  stored_hash: null,
  is_incomplete: false,
}

/** Turns the outcome of a record into the change of its ledger row. */
export function toOutcomeRow(
  sent: ReadonlyMap<string, Sending>,
  rowOf: (sourceId: string) => LedgerRow | undefined,
  isTop: boolean,
) {
  const placeOfNew = ({ record, parent, position }: Sending) =>
    rowOf(record.sourceId) === undefined && {
      place: { ...placeOf(record, parent), is_counted: isTop, carried_at: position ?? null },
    }
  return (outcome: SendOutcome): OutcomeRow => {
    const sending = sent.get(outcome.key)
    const source_id = sending?.record.sourceId
    if (sending === undefined || source_id === undefined)
      throw new Error(`an outcome for ${outcome.key}, which was not sent`)
    switch (outcome.result) {
      case 'unknown':
        return {
          source_id,
          ...noPlace,
          state: 'intended',
          code: 'unknown',
          message: 'It may be there or not.',
          warned: ['unknown'],
        }
      case 'deleted':
        return {
          source_id,
          ...noPlace,
          state: 'deleted',
          code: 'deleted',
          message: deletedMessage,
          warned: ['deleted'],
        }
      case 'edited':
        return { ...editedOutcome(outcome, sending, rowOf(source_id)), source_id }
      case 'refused': {
        const { code, message } = outcome
        return {
          source_id,
          ...noPlace,
          state: 'refused',
          code,
          message,
          written_hash: `\\x${outcome.hash ?? sending.hash}`,
          warned: warnedOfRefusal(rowOf(source_id), code),
        }
      }
      default:
        return {
          source_id,
          ...placeOfNew(sending),
          state: outcome.result,
          destination_id: outcome.destinationId,
          destination_url: outcome.url,
          destination_version: outcome.result === 'written' ? outcome.version : null,
          written_hash: `\\x${outcome.hash ?? sending.hash}`,
          stored_hash: 'storedHash' in outcome ? `\\x${outcome.storedHash}` : null,
          is_incomplete: sending.isIncomplete,
          code: null,
          message: null,
          warned: orNull(uniteCodes(sending.warnings, lossesOf(outcome))),
        }
    }
  }
}

export const deletedMessage = 'Someone deleted it in the destination after it was written.'

/** The record stays as people left it. If its answer was lost, the ledger now knows its place. */
function editedOutcome(
  { destinationId, url }: Extract<SendOutcome, { result: 'edited' }>,
  { hash, warnings }: Sending,
  row: LedgerRow | undefined,
): Omit<OutcomeRow, 'source_id'> {
  const message = 'Someone changed it in the destination since it was written, so it stays unchanged there.'
  const code = 'edited'
  if (isInDestination(row))
    return { ...noPlace, code, message, state: 'refused', warned: warnedOfRefusal(row, 'edited') }
  return {
    ...noPlace,
    code,
    message: neverKnown,
    state: 'written',
    destination_id: destinationId,
    destination_url: url,
    written_hash: `\\x${hash}`,
    warned: uniteCodes(warnings, ['edited']),
  }
}

/** Codes of the losses of a written record. */
export const lossesOf = ({ losses = [] }: { result?: string; losses?: readonly WriteLoss[] }): WarningCode[] =>
  losses.map((loss) => `lost:${loss}` as const)

/** Refusals with a warning of their own. All others get the warning `refused`. */
const ownWords = ['file_too_large', 'file_missing', 'edited', 'not_protected', 'parent_missing'] as const

/** A record whose change was refused keeps its earlier warnings, and gets one more. */
function warnedOfRefusal(row: LedgerRow | undefined, code: string | null): WarningCode[] {
  const warning = ownWords.find((one) => one === code) ?? 'refused'
  return uniteCodes(isInDestination(row) ? row?.warned : null, [warning])
}
