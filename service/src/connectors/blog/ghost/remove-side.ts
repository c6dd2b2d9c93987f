import { RetryableError } from '../../../errors.ts'
import type { SideOutcome, SideRecord } from '../../contract/contract.ts'
import { type GhostApi, lostAccess } from './api.ts'

export const keepSide = ({ kind, mark }: SideRecord, destinationId: string, message: string): SideOutcome => ({
  kind,
  mark,
  result: 'kept',
  destinationId,
  url: null,
  message,
})

/** Deletes a side record. Without a route, the record no longer exists. */
export async function deleteSide(
  api: GhostApi,
  { kind, mark }: SideRecord,
  route: string | undefined,
): Promise<SideOutcome> {
  const answer = route === undefined ? null : await api.send('DELETE', route)
  if (answer?.result === 'refused' && answer.status === 403) throw lostAccess(403)
  if (answer?.result === 'refused' && answer.status !== 404) {
    throw new RetryableError(`Ghost does not delete one of its ${kind}: ${answer.code}`)
  }
  return { kind, mark, result: 'removed' }
}
