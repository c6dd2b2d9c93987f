import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError, UnreadableAnswerError } from '../../../errors.ts'
import { RefusedError } from '../../kit/outcomes.ts'

/**
 * Tryton processed the request and refused it. `refused`: the data break a rule of Tryton. `changed`: someone else
 * changed the row. `fault`: Tryton's program failed. `too_large`: the request is too long. The message is for the
 * customer. Tryton's own message may name records, so it belongs into outcomes and not into logs.
 */
export class TrytonRefusal extends RefusedError {
  override name = 'TrytonRefusal'
  readonly kind: 'refused' | 'changed' | 'fault' | 'too_large'

  constructor(kind: TrytonRefusal['kind'], message: string) {
    super(kind === 'too_large' ? kind : 'refused', message)
    this.kind = kind
  }
}

/** Returns the result or Tryton's refusal. Other errors are thrown. */
export const unlessRefused = <T>(act: () => Promise<T>): Promise<T | TrytonRefusal> =>
  act().catch((error: unknown) => {
    if (error instanceof TrytonRefusal) return error
    throw error
  })

const answer = Type.Object({ result: Type.Optional(Type.Unknown()), error: Type.Optional(Type.Unknown()) })
const parts = Type.Array(Type.Unknown())
const userError = Type.Tuple([Type.Union([Type.Literal('UserError'), Type.Literal('UserWarning')]), parts])
const concurrency = Type.Tuple([Type.Literal('ConcurrencyException'), Type.Unknown()])
const session = Type.Tuple([Type.Integer({ minimum: 0 }), Type.String({ minLength: 1 })])
const loginError = Type.Tuple([Type.Literal('LoginException'), parts])

const odd = (what: string) => new UnreadableAnswerError(`Tryton answered with ${what} of an unknown shape`)

/** Returns the result, or throws Tryton's refusal. */
export function readAnswer(json: unknown): unknown {
  if (!Check(answer, json)) throw odd('something')
  if (json.error === undefined || json.error === null) {
    if (!('result' in json)) throw odd('something')
    return json.result
  }
  if (Check(concurrency, json.error)) throw new TrytonRefusal('changed', 'It has been changed since.')
  if (Check(userError, json.error)) throw new TrytonRefusal('refused', sentenceOf(json.error))
  // Tryton's program sent a bare message. It may quote any data, so it is not passed on.
  throw new TrytonRefusal('fault', 'Tryton failed to store it and did not say why.')
}

/**
 * An error holds a message and a description; a warning has its name before them. Both come from outside, so they are
 * shortened.
 */
function sentenceOf([kind, given]: Static<typeof userError>): string {
  const words = (kind === 'UserWarning' ? given.slice(1, 3) : given.slice(0, 2)).filter(
    (entry) => typeof entry === 'string' && entry.trim() !== '',
  )
  return words.join(' ').slice(0, 500) || 'Tryton refused it and did not say why.'
}

export const lockedOut = (why: string) => new ObstacleError('authorization_lost', 'customer', why)

export function readSession(json: unknown): [number, string] {
  if (Check(answer, json) && Check(loginError, json.error)) {
    throw lockedOut(
      'Tryton asks this user for more than a password. Please connect a user who signs in with a password alone.',
    )
  }
  const result = readAnswer(json)
  // Some versions answer a wrong password with null or an empty list, others with 401.
  if (result === null || result === false || (Array.isArray(result) && result.length === 0)) {
    throw lockedOut('Tryton does not know this user name and password.')
  }
  if (!Check(session, result)) throw odd('a session')
  return result
}
