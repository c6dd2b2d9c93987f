import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import type { RunKind } from '../db/schema.ts'
import { RetryableError } from '../errors.ts'
import type { ToolUser } from '../families/record.ts'
import { countUsers } from '../imports/choose-users.ts'
import { cutText } from '../text/cut-text.ts'
import { countWithheld } from './count-withheld.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'
import { tellSkipped, tellWithheld } from './warnings.ts'

/** Both sides are read, then people who left the destination are forgotten, then the others are matched. */
const steps = ['source', 'destination', 'forget', 'match'] as const

/** The position of the stage: its step, and the last page or person of that step. */
interface Position {
  step: (typeof steps)[number]
  at: string | null
}

/** Runs that look at the whole source. */
const kindsThatReadAll: RunKind[] = ['plan', 'full', 'delta']

/** People that one transaction deals with, once they are stored. */
const peopleAtOnce = 2_000

/**
 * One page of people of either side, or one lot of those stored to be matched: by e-mail; a like name is only a
 * suggestion. A choice made by the customer stays as it is; somebody to be invited later is matched once invited.
 */
export async function matchUsers(context: RunContext, stage: Stage): Promise<void> {
  const { run, reader, writer, importId } = context
  const { step, at }: Position = stage.cursor === null ? { step: steps[0], at: null } : JSON.parse(stage.cursor)
  const side = step === 'source' ? reader : step === 'destination' ? writer : null
  const page = side && (await side.users(at))
  if (page && page.next !== null && page.next === at) throw new RetryableError('a list of people does not go on')
  const total = run.kind === 'full' && stage.cursor === null ? await countRecords(context) : null
  const skipped =
    stage.cursor === null && kindsThatReadAll.includes(run.kind) ? await reader.countSkipped?.() : undefined
  const withheld = stage.cursor === null && kindsThatReadAll.includes(run.kind) ? await countWithheld(context) : null
  const lagSeconds = Math.min(Math.ceil(context.sourceLagMs() / 1_000), 2 ** 31 - 1)
  await run.lease.commit(async (tx) => {
    if (stage.cursor === null)
      await sql`update runs set source_lag_seconds = ${lagSeconds} where id = ${run.id}`.execute(tx)
    if (total !== null) await setTotal(tx, importId, total)
    if (skipped) await tellSkipped(tx, importId, skipped)
    if (withheld) await tellWithheld(tx, importId, withheld)
    if (page && step === 'source') await storeSource(tx, run, page.items)
    if (page && step === 'destination') await storeDestination(tx, run, page.items)
    const next = page
      ? page.next
      : step === 'forget'
        ? await forgetSome(tx, run, at)
        : await matchSome(tx, importId, at)
    const following = next === null ? steps[steps.indexOf(step) + 1] : step
    if (following === undefined) await countUsers(tx, importId, await countSeen(tx, run))
    const position: Position | null = following === undefined ? null : { step: following, at: next }
    await moveStage(tx, context, stage, { cursor: position && JSON.stringify(position), isDone: position === null })
  })
}

/** The number of records to copy; null if the source does not count one of the entities. Asked once. */
async function countRecords({ reader }: RunContext): Promise<number | null> {
  const known = Object.values(await reader.count())
  return known.reduce<number | null>((sum, count) => (sum === null || count === null ? null : sum + count), 0)
}

async function setTotal(tx: Tx, importId: string, total: number): Promise<void> {
  await sql`
    update imports set progress = jsonb_set(progress, '{total}', to_jsonb(${total}::int)) where id = ${importId}`.execute(
    tx,
  )
}

/** The form in which addresses are compared. Longer ones than an index key of Postgres count as none. */
const plain = (text: string, most: number) => cutText(text.normalize('NFC').trim().toLowerCase(), most) || null

/** Names come from outside, and lists of people are sent to browsers. */
const cutName = (name: string) => cutText(name, 300)

/** Letters that no accent explains. */
const folded: Record<string, string> = { ø: 'o', æ: 'ae', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }

/** Names are compared without accents, signs and capitals; "Last, First" is "First Last". */
export function plainName(name: string): string | null {
  const [last = '', ...first] = cutName(name).split(',')
  const inOrder = first.length === 1 ? `${first[0]} ${last}` : cutName(name)
  const words = inOrder
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[øæœßłđðþı]/g, (letter) => folded[letter] ?? letter)
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '')
  return cutText(words.join(' '), 200) || null
}

/** Initial and last name; null for a single word. */
function shortName(plainOne: string | null): string | null {
  const words = plainOne?.split(' ') ?? []
  return words.length < 2 ? null : `${[...(words[0] ?? '')][0]} ${words.at(-1)}`
}

const namesOf = (name: string) => {
  const plain_name = plainName(name)
  return { plain_name, short_name: shortName(plain_name) }
}

const plainOf = ({ name, email }: ToolUser) => ({
  ...namesOf(name),
  plain_email: email !== null && email.length <= 320 ? plain(email, 320) : null,
})

type InRun = Pick<RunContext['run'], 'id' | 'importId'>

async function storeSource(tx: Tx, { id, importId }: InRun, users: ToolUser[]): Promise<void> {
  const rows = users.map((user) => ({
    source_user_id: user.id,
    name: cutName(user.name),
    email: user.email,
    ...plainOf(user),
  }))
  await sql`
    insert into user_map (import_id, seen_in, source_user_id, name, email, plain_name, short_name, plain_email)
    select distinct on (r.source_user_id) ${importId}, ${id}, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(source_user_id text, name text, email text, plain_name text, short_name text, plain_email text)
    order by r.source_user_id
    on conflict (import_id, source_user_id) do update set seen_in = excluded.seen_in, name = excluded.name,
      email = excluded.email, plain_name = excluded.plain_name, short_name = excluded.short_name,
      plain_email = excluded.plain_email, is_listed = true`.execute(tx)
}

async function storeDestination(tx: Tx, { id, importId }: InRun, users: ToolUser[]): Promise<void> {
  const rows = users.map((user) => ({
    user_id: user.id,
    name: cutName(user.name),
    email: user.email,
    is_active: user.isActive,
    ...plainOf(user),
  }))
  await sql`
    insert into destination_users (import_id, seen_in, user_id, name, email, is_active, plain_name, short_name, plain_email)
    select distinct on (r.user_id) ${importId}, ${id}, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(user_id text, name text, email text, is_active boolean, plain_name text, short_name text, plain_email text)
    order by r.user_id
    on conflict (import_id, user_id) do update set seen_in = excluded.seen_in, name = excluded.name,
      email = excluded.email, is_active = excluded.is_active, plain_name = excluded.plain_name,
      short_name = excluded.short_name, plain_email = excluded.plain_email`.execute(tx)
}

/** Deletes the people of the next lot who left the destination. Returns the last person of the lot; null at the end. */
async function forgetSome(tx: Tx, { id, importId }: InRun, after: string | null): Promise<string | null> {
  const { rows } = await sql<{ size: number; last: string | null }>`
    with lot as (
      select user_id, seen_in from destination_users
      where import_id = ${importId} and (${after}::text is null or user_id > ${after})
      order by user_id limit ${peopleAtOnce}
    ), gone as (
      delete from destination_users d using lot
      where d.import_id = ${importId} and d.user_id = lot.user_id and lot.seen_in is distinct from ${id}
    )
    select count(*)::int as size, max(user_id) as last from lot`.execute(tx)
  return lastOf(rows)
}

/** Matches the next lot. Returns the last person of the lot; null at the end. */
async function matchSome(tx: Tx, importId: string, after: string | null): Promise<string | null> {
  const first = sql`order by d.is_active desc, d.user_id limit 1`
  const { rows } = await sql<{ size: number; last: string | null }>`
    with lot as (
      select source_user_id from user_map
      where import_id = ${importId} and (${after}::text is null or source_user_id > ${after})
      order by source_user_id limit ${peopleAtOnce}
    ), matched as (
      update user_map u set
        destination_user_id = case when u.is_chosen and not u.keeps_name then u.destination_user_id else (
          select d.user_id from destination_users d
          where d.import_id = u.import_id and d.plain_email = u.plain_email ${first}) end,
        suggested_user_id = coalesce(
          (select d.user_id from destination_users d
            where d.import_id = u.import_id and d.plain_name = u.plain_name ${first}),
          (select d.user_id from destination_users d
            where d.import_id = u.import_id and d.short_name = u.short_name ${first}))
      from lot where u.import_id = ${importId} and u.source_user_id = lot.source_user_id
    )
    select count(*)::int as size, max(source_user_id) as last from lot`.execute(tx)
  return lastOf(rows)
}

const lastOf = ([row]: { size: number; last: string | null }[]) => (row && row.size === peopleAtOnce ? row.last : null)

async function countSeen(tx: Tx, { id, importId }: InRun): Promise<{ source_tool: number; destination_tool: number }> {
  const { rows } = await sql<{ source_tool: number; destination_tool: number }>`
    select
      (select count(*)::int from user_map where import_id = ${importId} and seen_in = ${id}) as source_tool,
      (select count(*)::int from destination_users where import_id = ${importId}) as destination_tool`.execute(tx)
  return rows[0] ?? { source_tool: 0, destination_tool: 0 }
}

/** A person of the source, and who that is in the destination. */
export interface MatchedUser {
  name: string
  email: string | null
  userId: string | null
  /** The name that records show until the person has an account in the destination. */
  keptName: string | null
}

/** The matches of these people of the source. */
export async function findUsers(
  db: Db,
  importId: string,
  sourceUserIds: readonly string[],
): Promise<Map<string, MatchedUser>> {
  if (sourceUserIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('user_map')
    .select(['source_user_id', 'name', 'email', 'destination_user_id', 'keeps_name'])
    .where('import_id', '=', importId)
    .where('source_user_id', 'in', [...new Set(sourceUserIds)])
    .execute()
  return new Map(
    rows.map(({ source_user_id, name, email, destination_user_id: userId, keeps_name }) => [
      source_user_id,
      { name, email, userId, keptName: keeps_name ? name : null },
    ]),
  )
}
