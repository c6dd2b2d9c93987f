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

/**
 * Thrown by a step that one record needs, such as making its field. `writeEach` turns it into a refusal of that record.
 */
export class RefusedError extends Error {
  readonly code: string
  readonly status: number | null
  /** What is true instead if the record is new. A new record cannot have been deleted. */
  readonly ofNew: Reason | null
  /** The parts of the record that the refusal is about, by their keys, if the tool tells. */
  refusedParts: readonly string[] | undefined
  constructor(code: string, message: string, status: number | null = null, ofNew: Reason | null = null) {
    super(message)
    this.code = code
    this.status = status
    this.ofNew = ofNew
  }
}

type Reason = [code: string, message: string]

/** A record that is private in the source by now, and whose copy customers can read. Its new text must not go there. */
export const nowPrivate = (label: string): RefusedError =>
  new RefusedError('not_protected', `It is private in the source now. Customers can read its copy in ${label}.`)

/** Runs the steps of one record and turns a RefusedError into a refusal of that record. */
export async function orRefused<T>(
  key: string,
  write: () => Promise<T>,
  isNew = false,
): Promise<T | ReturnType<typeof refused>> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const [code, message] = (isNew && error.ofNew) || [error.code, error.message]
    const { refusedParts } = error
    return { ...refused(key, code, message), ...(refusedParts && { refusedParts }) }
  }
}

/** Returns what `settle` does, and adds to its RefusedError which parts it is about. */
export function blaming<T>(refusedParts: readonly string[] | undefined, settle: () => T): T {
  try {
    return settle()
  } catch (error) {
    if (error instanceof RefusedError) error.refusedParts = refusedParts
    throw error
  }
}

/**
 * Helpers that turn refused answers of a tool into RefusedErrors. The statuses in `gone` mean that people deleted the
 * record.
 */
export function refusalsOf(
  label: string,
  gone: readonly number[] = [404],
  goneWords = `It was deleted in ${label} since it was imported.`,
) {
  const isGone: Reason = ['gone', goneWords]
  const isOrphan: Reason = ['gone', `The record that it belongs to is no longer in ${label}.`]
  const lacks = ({ code, status }: RefusedAnswer): Reason => [
    code,
    `${label} has no place for it (${status}). The plan of this account may lack it.`,
  ]
  /** Returns a successful answer. Throws if the tool refused. */
  const done = <S extends { result: 'done' }>(sent: S | RefusedAnswer): S => {
    if (sent.result === 'done') return sent
    const { status, code, message } = sent
    if (!gone.includes(status)) throw new RefusedError(code, message, status)
    throw new RefusedError(...isGone, status, sent.isOfList ? lacks(sent) : isOrphan)
  }
  return {
    done,
    /** Returns the JSON of a successful answer. */
    accepted: (sent: Sent): unknown => done(sent).json,
    /** Returns the record. Throws if the record no longer exists. */
    present<R>(raw: R | null | undefined): R {
      if (raw === null || raw === undefined) throw new RefusedError(...isGone, null, isOrphan)
      return raw
    },
  }
}

/** The outcome of a record that is now in the tool. Each loss is named once. */
export function written(
  key: string,
  id: unknown,
  { url, version }: { url: string | null; version: string | null },
  losses: Iterable<WriteLoss> = [],
): Written {
  const lost = [...new Set(losses)]
  return { key, result: 'written', destinationId: String(id), url, version, ...(lost.length > 0 && { losses: lost }) }
}

/** The outcome of a record that the tool had before the import. */
export const matched = (key: string, id: unknown, url: string | null): SettledOutcome => ({
  key,
  result: 'matched',
  destinationId: String(id),
  url,
})
