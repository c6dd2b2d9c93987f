import { RetryableError } from '../../errors.ts'
import { type SendTrack, trackSends } from '../../outbound/track-sends.ts'
import type { SideRecords } from '../contract/contract.ts'
import { digestOf } from './keys.ts'

const kind = 'changed_choices'
/** A request whose connection broke may still be carried out for this long. */
const lateMs = 60_000

/**
 * Changes the choices of a field in a tool that replaces all of them at once. `act` reads them and sends them again
 * with the new one. A request that is carried out late would take away choices that were added after it. So after a
 * request without an answer, the field is not changed again until that request cannot take effect any more. Imports of
 * one account change a field one after the other, because `act` of both would read the same choices.
 */
export function changeChoices<T>(sides: SideRecords | undefined, field: string, act: () => Promise<T>): Promise<T> {
  const mark = digestOf(field)
  const change = () => changeOwn(sides, mark, act)
  return sides?.inTurn ? sides.inTurn(`${kind}/${mark}`, change) : change()
}

async function changeOwn<T>(sides: SideRecords | undefined, mark: string, act: () => Promise<T>): Promise<T> {
  const [open] = (await sides?.list(kind, [mark])) ?? []
  const leftMs = Number(open?.version ?? 0) + lateMs - Date.now()
  if (leftMs > 0) {
    throw new RetryableError('an earlier change of choices may still take effect', { retryAfterMs: leftMs })
  }
  await sides?.note({ kind, mark, destinationId: null, version: String(Date.now()) })
  const track: SendTrack = { mayBeSent: false }
  try {
    const done = await trackSends(track, act)
    await sides?.forget({ kind, mark })
    return done
  } catch (error) {
    if (!track.mayBeSent) await sides?.forget({ kind, mark })
    throw error
  }
}
