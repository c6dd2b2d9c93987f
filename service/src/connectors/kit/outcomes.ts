import type { WriteLoss } from '../../warnings/codes.ts'
import type { SettledOutcome } from '../contract/contract.ts'
import type { Sent } from './http.ts'

export type RefusedAnswer = Extract<Sent, { result: 'refused' }>
type Written = Extract<SettledOutcome, { result: 'written' }>

/** The tool refuses this record. Other records are not affected. */
export const refused = (key: string, code: string, message: string): SettledOutcome & { result: 'refused' } => ({
  key,
  result: 'refused',
  code,
  message,
})

/** Thrown by a step that one record needs, such as making its field. `writeEach` answers it as a refusal of the record. */
export class RefusedError extends Error {
  readonly code: string
  readonly status: number | null
  constructor(code: string, message: string, status: number | null = null) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** The outcome of a record whose steps may throw a RefusedError. */
export async function orRefused<T>(key: string, write: () => Promise<T>): Promise<T | ReturnType<typeof refused>> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof RefusedError) return refused(key, error.code, error.message)
    throw error
  }
}

/** How refused answers of a tool are told. These statuses mean that people have deleted the record. */
export function refusalsOf(label: string, gone: readonly number[] = [404]) {
  const isGone: [code: string, message: string] = ['gone', `It was deleted in ${label} since it was imported.`]
  const reasonOf = ({ status, code, message }: RefusedAnswer): [code: string, message: string] =>
    gone.includes(status) ? isGone : [code, message]
  /** An answer that is no refusal. A refusal ends the writing of its record. */
  const done = (sent: Sent): Extract<Sent, { result: 'done' }> => {
    if (sent.result === 'refused') throw new RefusedError(...reasonOf(sent), sent.status)
    return sent
  }
  return {
    done,
    /** Its JSON. */
    accepted: (sent: Sent): unknown => done(sent).json,
    /** The record as it is now. One that is not there any more cannot be written. */
    present<R>(raw: R | null | undefined): R {
      if (raw === null || raw === undefined) throw new RefusedError(...isGone)
      return raw
    },
  }
}

/** The record is in the tool. Losses are named once each. */
export function written(
  key: string,
  id: unknown,
  { url, version }: { url: string | null; version: string | null },
  losses: Iterable<WriteLoss> = [],
): Written {
  const lost = [...new Set(losses)]
  return { key, result: 'written', destinationId: String(id), url, version, ...(lost.length > 0 && { losses: lost }) }
}

/** The tool had it before the import. */
export const matched = (key: string, id: unknown, url: string | null): SettledOutcome => ({
  key,
  result: 'matched',
  destinationId: String(id),
  url,
})
