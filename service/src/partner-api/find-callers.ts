import type { Pool } from 'pg'
import { askByName } from '../db/ask-by-name.ts'
import { type Ask, gatherQuestions } from '../db/gather-questions.ts'
import type { Family } from '../families/index.ts'
import { type ImportDetail, type ImportEntry, importDetailColumns } from '../imports/import-rows.ts'
import { type JsonEntry, readShortList, selectShortList } from '../imports/list-imports.ts'
import type { TokenScope } from '../partners/token-scopes.ts'

export interface CallerQuestion {
  /** SHA-256 of the token, in hexadecimal. */
  tokenHash: string
  /** The import that the path names; null without one. */
  importId: string | null
  /** The customer whose imports are listed; null without one. */
  username: string | null
}

export interface Caller {
  partner: {
    id: string
    destinationTool: string
    families: Family[]
    /** The only rights of the token; null for every right. */
    scopes: TokenScope[] | null
  }
  isExpired: boolean
  isAccepted: boolean
  /** Requests that the limit leaves in this second. */
  remaining: number
  /** The partner's own import of that id; null if it is missing, has ended, or is another partner's. */
  imp: ImportDetail | null
  /** The customer's imports, newest first; null if they were not asked for, or are too many. */
  list: ImportEntry[] | null
}

interface CallerRow extends ImportDetail {
  /** Of the question, from 1. */
  place: number
  token_id: string
  /** The last use was recorded more than a minute ago. */
  is_stale: boolean
  is_expired: boolean
  scopes: TokenScope[] | null
  partner_id: string
  partner_destination_tool: string
  partner_families: Family[]
  /** Requests of the partner that this statement accepted. */
  accepted: number
  /** Requests of the partner in the last second, with those. */
  recent: number
  list?: JsonEntry[] | null
}

/**
 * Token, partner, limit and rows of several requests in one round trip.
 *
 * `rate_windows` holds the times of a partner's newest accepted requests, oldest first. Requests are accepted as long as
 * fewer than `limit` of these times lie in the last second. The row's lock makes requests of one partner take turns over
 * all processes, and the clock is read once the row is locked. So no window of one second ever holds more than `limit`.
 * Rows are locked in the order of their keys: two statements never wait for each other.
 *
 * The arrays come from subselects, which hide their lengths from the planner. Otherwise Postgres would plan the statement
 * anew for each short lot, which takes three times as long as its execution. `offset 0` makes Postgres look up each token
 * and partner in its index. For a few thousand tokens it would rather read the whole table for each lot.
 */
function buildStatement(rateLimit: number, rows: 'imports' | 'lists' | 'both') {
  const isLimited = rateLimit > 0
  // The times that this statement adds are equal to each other and later than every other of the partner.
  const counted = `, accepted as (
      insert into rate_windows as w (partner_id, accepted_at)
      select partner_id, array_fill(clock_timestamp(), array[least(count(*), ${rateLimit})::int])
      from caller where not is_expired group by partner_id order by partner_id
      on conflict (partner_id) do update
        set accepted_at = (
          select (w.accepted_at || array_fill(added.moment, array[added.number]))
            [greatest(cardinality(w.accepted_at) + added.number + 1 - ${rateLimit}, 1):]
          from (select clock_timestamp() as now) clock, lateral (
            select greatest(clock.now, w.accepted_at[cardinality(w.accepted_at)] + interval '1 microsecond') as moment,
              greatest(least(cardinality(excluded.accepted_at), ${rateLimit} - count(*)), 1)::int as number
            from unnest(w.accepted_at) as earlier where earlier > clock.now - interval '1 second'
          ) added
        )
        where coalesce(w.accepted_at[cardinality(w.accepted_at) + 1 - ${rateLimit}], '-infinity')
          <= clock_timestamp() - interval '1 second'
      returning partner_id, accepted_at
    ), numbers as (
      select partner_id,
        (count(*) filter (where moment = accepted_at[cardinality(accepted_at)]))::int as accepted,
        (count(*) filter (where moment > accepted_at[cardinality(accepted_at)] - interval '1 second'))::int as recent
      from accepted, unnest(accepted_at) as moment group by partner_id
    )`
  const found = `left join lateral (
      select ${importDetailColumns}
      from imports
      where id = caller.import_id and imports.partner_id = caller.partner_id and ended_at is null
    ) found on true`
  return {
    name: `find-callers-${rateLimit}-${rows}`,
    text: `
    with caller as (
      select asked.place::int as place, asked.import_id, asked.username,
        t.id as token_id, (t.last_used_at is null or t.last_used_at < now() - interval '1 minute') as is_stale,
        p.id as partner_id, p.destination_tool as partner_destination_tool, p.families as partner_families,
        t.scopes, coalesce(t.expires_at <= now(), false) as is_expired
      from unnest((select $1::text[]), (select $2::text[]), (select $3::text[])) with ordinality
        as asked (token_hash, import_id, username, place)
      cross join lateral (
        select * from api_tokens where token_hash = decode(asked.token_hash, 'hex') and revoked_at is null offset 0
      ) t
      cross join lateral (select * from partners where id = t.partner_id and disabled_at is null offset 0) p
    )${isLimited ? counted : ''}
    select caller.place, caller.token_id, caller.is_stale, caller.is_expired, caller.scopes, caller.partner_id,
      partner_destination_tool, partner_families,
      ${isLimited ? 'coalesce(numbers.accepted, 0) as accepted, coalesce(numbers.recent, 0) as recent' : '1 as accepted, 0 as recent'},
      ${rows === 'imports' ? '' : `(${selectShortList('caller.partner_id', 'caller.username')}) as list,`}
      ${rows === 'lists' ? 'null as id' : 'found.*'}
    from caller ${isLimited ? 'left join numbers on numbers.partner_id = caller.partner_id' : ''}
    ${rows === 'lists' ? '' : found}
    order by caller.place`,
  }
}

/** At most one of two processes records the use, and neither waits for the other. */
const recordUse = `
  update api_tokens set last_used_at = now()
  where id in (select id from api_tokens where id = any($1) for no key update skip locked)`

const most = 50
const mostUnderWay = 2

/** Answers null for a token that is unknown, revoked, or of a disabled partner. */
export function createFindCaller(pool: Pool, rateLimit: number): Ask<CallerQuestion, Caller | null> {
  const finding = {
    imports: buildStatement(rateLimit, 'imports'),
    lists: buildStatement(rateLimit, 'lists'),
    both: buildStatement(rateLimit, 'both'),
  }
  return gatherQuestions<CallerQuestion, Caller | null>({
    most,
    mostUnderWay,
    async askAll(questions) {
      const hasLists = questions.some(({ username }) => username !== null)
      const hasImports = questions.some(({ importId }) => importId !== null)
      const { rows } = await askByName<CallerRow>(
        pool,
        finding[!hasLists ? 'imports' : hasImports ? 'both' : 'lists'],
        [
          questions.map(({ tokenHash }) => tokenHash),
          questions.map(({ importId }) => importId),
          questions.map(({ username }) => username),
        ],
      )
      const stale = rows.filter(({ is_stale, is_expired }) => is_stale && !is_expired)
      if (stale.length > 0) await pool.query(recordUse, [stale.map(({ token_id }) => token_id)])
      const answers: (Caller | null)[] = questions.map(() => null)
      const taken = new Map<string, number>()
      for (const row of rows) {
        // An expired token takes no place of the limit.
        const rank = (taken.get(row.partner_id) ?? 0) + (row.is_expired ? 0 : 1)
        taken.set(row.partner_id, rank)
        const isAccepted = rateLimit === 0 || rank <= row.accepted
        answers[row.place - 1] = {
          partner: {
            id: row.partner_id,
            destinationTool: row.partner_destination_tool,
            families: row.partner_families,
            scopes: row.scopes,
          },
          isExpired: row.is_expired,
          isAccepted,
          remaining: isAccepted && rateLimit > 0 ? rateLimit - (row.recent - row.accepted + rank) : 0,
          imp: row.id === null ? null : row,
          list: questions[row.place - 1]?.username == null ? null : readShortList(row.list ?? null),
        }
      }
      return answers
    },
  })
}
