import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { type OperatorRole, operatorRoles } from '../db/operator-tables.ts'
import { OperatorError } from '../errors.ts'
import { newId } from '../ids.ts'

const setupHours = 24
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._@+ -]{1,79}$/u

export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** A one-time code for setting the password of an account. Only this answer contains it. */
export interface SetupCode {
  id: string
  name: string
  role: OperatorRole
  setup_code: string
  valid_until: Date
}

/** Creates an account without a password. Its owner sets one with the code. */
export async function createOperator(db: Db, input: { name: string; role: string }): Promise<SetupCode> {
  const name = input.name.trim()
  if (!namePattern.test(name)) {
    throw new OperatorError(
      'The name must have 2 to 80 characters: letters, digits, spaces and . _ @ + -, and begin with a letter or digit.',
    )
  }
  const role = readRole(input.role)
  return db.transaction().execute(async (tx) => {
    const id = newId('opr')
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('operators')
      .values({ id, name, role })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) throw new OperatorError(`There is an operator "${name}" already.`)
    await audit(tx, { actor: 'operator', act: 'operator created', subject: id, details: { role } })
    return issueSetup(tx, id)
  })
}

/** Removes password and authenticator of an account, ends its sessions, and issues a code to set new ones. */
export async function resetOperator(db: Db, named: string): Promise<SetupCode> {
  return db.transaction().execute(async (tx) => {
    const { id } = await findOperator(tx, named)
    await tx
      .updateTable('operators')
      .set({ password_hash: null, sealed_totp: null, totp_step: null })
      .where('id', '=', id)
      .execute()
    await endSessions(tx, id)
    await audit(tx, { actor: 'operator', act: 'operator reset', subject: id })
    return issueSetup(tx, id)
  })
}

async function issueSetup(tx: Tx, id: string): Promise<SetupCode> {
  const code = randomBytes(24).toString('base64url')
  const row = await tx
    .updateTable('operators')
    .set({ setup_hash: hashOf(code), setup_expires_at: sql`now() + make_interval(hours => ${setupHours})` })
    .where('id', '=', id)
    .returning(['name', 'role', 'setup_expires_at'])
    .executeTakeFirstOrThrow()
  return { id, name: row.name, role: row.role, setup_code: code, valid_until: row.setup_expires_at as Date }
}

export async function setOperatorRole(db: Db, named: string, role: string) {
  const wanted = readRole(role)
  return db.transaction().execute(async (tx) => {
    const before = await findOperator(tx, named)
    const { id } = before
    await tx.updateTable('operators').set({ role: wanted }).where('id', '=', id).execute()
    await requireOwner(tx, before)
    // The new role may not be allowed to view portals or prices.
    await tx
      .deleteFrom('portal_sessions')
      .where('operator_session_id', 'in', tx.selectFrom('operator_sessions').select('id').where('operator_id', '=', id))
      .execute()
    await audit(tx, { actor: 'operator', act: 'operator role set', subject: id, details: { role: wanted } })
    return showOperator(tx, id)
  })
}

/** Disables or enables an account. Disabling ends its sessions at once. */
export async function setOperatorDisabled(db: Db, named: string, isDisabled: boolean) {
  return db.transaction().execute(async (tx) => {
    const before = await findOperator(tx, named)
    const { id } = before
    await tx
      .updateTable('operators')
      .set({
        disabled_at: isDisabled ? sql`now()` : null,
        ...(isDisabled && { setup_hash: null, setup_expires_at: null }),
      })
      .where('id', '=', id)
      .execute()
    if (isDisabled) {
      await requireOwner(tx, before)
      await endSessions(tx, id)
    }
    await audit(tx, { actor: 'operator', act: isDisabled ? 'operator disabled' : 'operator enabled', subject: id })
    return showOperator(tx, id)
  })
}

/** Lists accounts with their open sessions. The list contains no secrets. */
export async function listOperators(db: Db | Tx) {
  const { rows } = await sql<{
    id: string
    name: string
    role: OperatorRole
    state: 'active' | 'waiting for set-up' | 'disabled'
    sessions: number
    created_at: Date
  }>`
    select o.id, o.name, o.role,
      case when disabled_at is not null then 'disabled' when password_hash is null then 'waiting for set-up'
        else 'active' end as state,
      (select count(*)::int from operator_sessions s where s.operator_id = o.id and s.expires_at > now()) as sessions,
      o.created_at
    from operators o order by o.id`.execute(db)
  return rows
}

async function showOperator(tx: Tx, id: string) {
  const shown = (await listOperators(tx)).find((one) => one.id === id)
  if (!shown) throw new OperatorError(`There is no operator ${id}.`)
  return shown
}

interface Found {
  id: string
  role: OperatorRole
  password_hash: string | null
  disabled_at: Date | null
}

/** Finds an account by id or name, and locks it. */
async function findOperator(tx: Tx, named: string): Promise<Found> {
  // Locks all accounts, so that two changes at once cannot remove the last owner.
  await tx.selectFrom('operators').select('id').orderBy('id').forUpdate().execute()
  const found = await tx
    .selectFrom('operators')
    .select(['id', 'role', 'password_hash', 'disabled_at'])
    .where((eb) => eb.or([eb('id', '=', named), eb(sql`lower(name)`, '=', named.trim().toLowerCase())]))
    .executeTakeFirst()
  if (!found) throw new OperatorError(`There is no operator "${named}". "wherry operator list" shows all.`)
  return found
}

/** Throws if the change would leave no owner who can sign in. */
async function requireOwner(tx: Tx, before: Found): Promise<void> {
  if (before.role !== 'owner' || before.disabled_at !== null || before.password_hash === null) return
  const owner = await tx
    .selectFrom('operators')
    .select('id')
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
    .where('password_hash', 'is not', null)
    .executeTakeFirst()
  if (!owner) throw new OperatorError('This is the last owner. Create another owner first: wherry operator create')
}

async function endSessions(tx: Tx, operatorId: string): Promise<void> {
  await tx.deleteFrom('operator_sessions').where('operator_id', '=', operatorId).execute()
}

function readRole(text: string): OperatorRole {
  const role = operatorRoles.find((one) => one === text)
  if (!role) throw new OperatorError(`The role must be one of ${operatorRoles.join(', ')}, not "${text}".`)
  return role
}
