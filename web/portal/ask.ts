import type { PortalError } from '../../service/src/portal/contract.ts'
import { texts } from '../texts/index.ts'
import { fetchSentences } from '../texts/sentences.ts'
import { readAddress } from './address.ts'

/** Longer than the service needs to contact both tools. */
const answerLimitMs = 30_000

/**
 * Matches answers that contain sentences of the service. Their translations are loaded before the answer is shown, so
 * that the text does not change on the screen.
 */
const holdsWords = /"(message|trouble)":"|"notes":\["/

/** Why a request failed. */
export type Refusal =
  | { kind: 'refused'; fields: Record<string, string[]> }
  | { kind: 'gone' }
  | { kind: 'unavailable'; reference: string | null }

export class AskFailure extends Error {
  override name = 'AskFailure'
  readonly refusal: Refusal

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.kind, options)
    this.refusal = refusal
  }
}

export const importPath = (path: string) => `/portal/imports/${readAddress()?.id ?? ''}${path}`

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, { ...(signal && { signal }) })
}

export function send<T = null>(method: 'POST' | 'PUT' | 'DELETE', path: string, body: unknown = {}): Promise<T> {
  return ask<T>(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

/** Sends a request about this import. Throws an AskFailure unless it succeeds. */
export async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const limit = AbortSignal.timeout(answerLimitMs)
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
  let answer: Response
  let text: string
  try {
    answer = await fetch(importPath(path), { ...init, signal, cache: 'no-store' })
    text = await answer.text()
  } catch (cause) {
    throw new AskFailure({ kind: 'unavailable', reference: null }, { cause })
  }
  const unavailable = () => new AskFailure({ kind: 'unavailable', reference: answer.headers.get('x-request-id') })
  const json = parse(text)
  if (answer.ok) {
    if (json === undefined) throw unavailable()
    if (holdsWords.test(text)) await fetchSentences()
    return json as T
  }
  if (answer.status === 422 || answer.status === 400) await fetchSentences()
  if (answer.status === 422 && typeof json === 'object' && json !== null) {
    throw new AskFailure({ kind: 'refused', fields: json as Record<string, string[]> })
  }
  // An operator who looks at the portal cannot change anything.
  if (answer.status === 403) throw new AskFailure({ kind: 'refused', fields: { request: [texts.shell.look.refused] } })
  if (answer.status === 401 || answer.status === 404) throw new AskFailure({ kind: 'gone' })
  if (answer.status === 400) {
    throw new AskFailure({ kind: 'refused', fields: { request: [(json as PortalError | undefined)?.message ?? ''] } })
  }
  throw unavailable()
}

/** Returns undefined if the body is no JSON: a proxy may have answered. */
function parse(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
