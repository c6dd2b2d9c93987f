import { sql } from 'kysely'
import { actingOperator, audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import { hashPassword, isPassword, requireGoodPassword } from './hash-password.ts'
import { hashOf } from './manage-operators.ts'
import { newTotp, stepOfCode } from './one-time-codes.ts'
import { openSession, type Visit } from './operator-sessions.ts'
import { forgiveAttempt, takeAttempt } from './sign-in-failures.ts'

export interface SignInParts {
  db: Db
  keyRing: KeyRing
}

/**
 * Checks name, password and code together, and returns the secret of a new session. The error does not say which of
 * them was wrong.
 */
export async function signIn(
  { db, keyRing }: SignInParts,
  given: { name: string; password: string; code: string },
  visit: Visit,
): Promise<string> {
  await takeAttempt(db, given.name, visit.address)
  const operator = await db
    .selectFrom('operators')
    .select(['id', 'name', 'password_hash', 'sealed_totp', 'disabled_at'])
    .where(sql<boolean>`lower(name) = ${given.name.toLowerCase()}`)
    .executeTakeFirst()
  const isRight = await isPassword(given.password, operator?.password_hash ?? null)
  const step = operator && isRight && !operator.disabled_at ? stepOfCode(keyRing, operator, given.code) : null
  const secret =
    operator && step !== null
      ? await db.transaction().execute(async (tx) => {
          if (!(await useStep(tx, operator, step))) return null
          await forgiveAttempt(tx, given.name, visit.address)
          await audit(tx, { actor: 'operator', act: 'signed in to the console', subject: operator.id })
          return openSession(tx, operator.id, visit)
        })
      : null
  if (secret !== null) return secret
  await audit(db, { actor: 'service', act: 'console sign-in failed', subject: operator?.id ?? 'console' })
  throw new RequestError('unauthorized', 'Name, password or code is wrong. A code can be used once.')
}

/**
 * Uses up a code: each code opens only one session, so that an observer cannot reuse it. False if the account was reset
 * or disabled since the password was checked.
 */
async function useStep(tx: Tx, operator: { id: string; password_hash: string | null }, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operators')
    .set({ totp_step: step })
    .where('id', '=', operator.id)
    .where('password_hash', '=', operator.password_hash)
    .where('disabled_at', 'is', null)
    .where((eb) => eb.or([eb('totp_step', 'is', null), eb('totp_step', '<', String(step))]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Creates the secret for the authenticator app of a new account. Each call creates a new secret. */
export async function beginSetup({ db, keyRing }: SignInParts, code: string, visit: Visit) {
  await takeAttempt(db, null, visit.address)
  const operator = await findBySetup(db, code)
  await forgiveAttempt(db, null, visit.address)
  const { sealed, secret, uri } = newTotp(keyRing, operator)
  await db
    .updateTable('operators')
    .set({ sealed_totp: sealed, totp_step: null })
    .where('id', '=', operator.id)
    .where('setup_hash', '=', hashOf(code))
    .execute()
  return { name: operator.name, role: operator.role, secret, uri }
}

/** Sets password and authenticator, uses up the code, and returns the secret of the first session. */
export async function finishSetup(
  { db, keyRing }: SignInParts,
  given: { setupCode: string; password: string; code: string },
  visit: Visit,
): Promise<string> {
  await takeAttempt(db, null, visit.address)
  const operator = await findBySetup(db, given.setupCode)
  requireGoodPassword(given.password, operator.name)
  const step = stepOfCode(keyRing, operator, given.code)
  if (step === null) {
    throw new ValidationError({ code: ['is not the code that the authenticator app shows now'] })
  }
  const hash = await hashPassword(given.password)
  return actingOperator.run(operator.id, () =>
    db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('operators')
        .set({ password_hash: hash, totp_step: step, setup_hash: null, setup_expires_at: null })
        .where('id', '=', operator.id)
        .where('setup_hash', '=', hashOf(given.setupCode))
        // If another tab created a new secret meanwhile, no app has that secret, so this set-up must fail.
        .where('sealed_totp', '=', operator.sealed_totp)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) throw noSuchCode()
      await forgiveAttempt(tx, null, visit.address)
      await audit(tx, { actor: 'operator', act: 'operator set up', subject: operator.id })
      return openSession(tx, operator.id, visit)
    }),
  )
}

async function findBySetup(db: Db, code: string) {
  const operator = await db
    .selectFrom('operators')
    .select(['id', 'name', 'role', 'sealed_totp'])
    .where('setup_hash', '=', hashOf(code))
    .where('setup_expires_at', '>', sql<Date>`now()`)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (!operator) throw noSuchCode()
  return operator
}

const noSuchCode = () =>
  new RequestError('unauthorized', 'This set-up code is not valid any more. Ask for a new one: wherry operator reset')
