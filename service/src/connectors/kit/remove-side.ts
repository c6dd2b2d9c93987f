import { RetryableError } from '../../errors.ts'
import type { SideOutcome, SideRecord } from '../contract/contract.ts'
import type { Sent } from './http.ts'

/**
 * Removes what a side record names, or keeps it for the reason `need`. `found` is null if it no longer exists.
 * `complain` words the error if the tool does not delete it. `url` is where people find it.
 */
export async function removeSide(
  { kind, mark }: SideRecord,
  found: { id: string | number } | null,
  need: string | null,
  remove: (id: string) => Promise<Sent>,
  complain: (code: string) => string,
  url: string | null = null,
): Promise<SideOutcome> {
  if (!found) return { kind, mark, result: 'removed' }
  const id = String(found.id)
  if (need !== null) return { kind, mark, result: 'kept', destinationId: id, url, message: need }
  const sent = await remove(id)
  if (sent.result === 'refused' && sent.status !== 404) throw new RetryableError(complain(sent.code))
  return { kind, mark, result: 'removed' }
}
