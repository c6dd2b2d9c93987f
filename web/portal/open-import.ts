import type { PortalError, PortalImport, PortalSessionRequest } from '../../service/src/portal/contract.ts'
import { fetchSentences } from '../texts/sentences.ts'
import { hideToken, readAddress } from './address.ts'
import { PortalFailure } from './portal-failure.ts'

const answerLimitMs = 10_000

/**
 * Loads the import in the address bar. A token in the address is first exchanged for a cookie. If that fails, the
 * token stays in the address, and the next call tries again.
 */
export async function openImport(signal: AbortSignal): Promise<PortalImport> {
  const address = readAddress()
  if (!address) throw new PortalFailure({ kind: 'invalid link' })
  const { id, token } = address
  if (token !== null) {
    await openSession({ id, token }, signal)
    hideToken(id)
  }
  const answer = await ask(`/portal/imports/${id}`, { signal })
  if (answer.ok) {
    const imp = (await readJson(answer)) as PortalImport
    if (imp.run?.obstacle) await fetchSentences()
    return imp
  }
  if (answer.status === 401) throw new PortalFailure({ kind: token === null ? 'signed out' : 'cookies refused' })
  throw await failureOf(answer)
}

async function openSession(body: PortalSessionRequest, signal: AbortSignal): Promise<void> {
  const answer = await ask('/portal/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  if (!answer.ok) throw await failureOf(answer)
}

async function ask(path: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  const signal = AbortSignal.any([init.signal, AbortSignal.timeout(answerLimitMs)])
  try {
    return await fetch(path, { ...init, signal, cache: 'no-store' })
  } catch (cause) {
    throw new PortalFailure({ kind: 'unavailable', reference: null }, { cause })
  }
}

async function failureOf(answer: Response): Promise<PortalFailure> {
  if (answer.status === 429 || answer.status >= 500) return unavailable(answer)
  const { ended } = (await readJson(answer)) as PortalError
  return new PortalFailure(ended ? { kind: 'ended', ended } : { kind: 'invalid link' })
}

/** A proxy may answer instead of the service, and not in JSON. */
async function readJson(answer: Response): Promise<unknown> {
  return answer.json().catch(() => {
    throw unavailable(answer)
  })
}

function unavailable(answer: Response): PortalFailure {
  return new PortalFailure({ kind: 'unavailable', reference: answer.headers.get('x-request-id') })
}
