import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { ImportStatus } from '../lifecycle.ts'

export interface ImportSearch {
  /** An import's id, or the beginning of the customer's name at the partner or of the partner's name. */
  text: string | null
  partner: string | null
  tool: string | null
  status: ImportStatus | undefined
  /** Finds only imports that are older than this one. */
  before: string | null
  limit: number
}

const beginningOf = (text: string) => `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** Finds imports of all partners, newest first, including ended ones. */
export async function searchImports(db: Db, search: ImportSearch) {
  const { text } = search
  // Partners are looked up first. With a subquery inside the OR, the search would read every import.
  const partners =
    text === null
      ? []
      : await db.selectFrom('partners').select('id').where(sql`lower(name)`, 'like', beginningOf(text)).execute()
  const partnerIds = partners.map(({ id }) => id)
  return selectImports(db, search, partnerIds).execute()
}

/** Open and ended imports are separate conditions, because each has its own index. */
const ofPartners = (ids: string[]) => sql<boolean>`(
  (i.partner_id = any(${ids}) and i.ended_at is null) or (i.partner_id = any(${ids}) and i.ended_at is not null))`

export function selectImports(
  db: Db,
  { text, partner, tool, status, before, limit }: ImportSearch,
  partnerIds: string[],
) {
  return db
    .selectFrom('imports as i')
    .innerJoin('partners as p', 'p.id', 'i.partner_id')
    .select(['i.id', 'i.partner_id', 'p.name as partner', 'i.destination_username as user', 'i.status'])
    .select(['i.source_tool', 'i.destination_tool', 'i.family', 'i.created_at', 'i.ended_as'])
    .select((eb) =>
      eb
        .selectFrom('runs as r')
        .select(sql<string | null>`r.obstacle->>'code'`.as('code'))
        .whereRef('r.import_id', '=', 'i.id')
        .where('r.state', 'in', ['working', 'paused'])
        .where('r.obstacle', 'is not', null)
        .limit(1)
        .as('obstacle'),
    )
    .$if(text !== null, (query) =>
      query.where((eb) =>
        eb.or([
          eb('i.id', '=', String(text)),
          eb(sql`lower(i.destination_username)`, 'like', beginningOf(String(text))),
          ...(partnerIds.length > 0 ? [ofPartners(partnerIds)] : []),
        ]),
      ),
    )
    .$if(partner !== null, (query) => query.where(ofPartners([String(partner)])))
    .$if(tool !== null, (query) =>
      query.where((eb) => eb.or([eb('i.source_tool', '=', String(tool)), eb('i.destination_tool', '=', String(tool))])),
    )
    .$if(status !== undefined, (query) =>
      query.where('i.status', '=', status as ImportStatus).where('i.ended_at', 'is', null),
    )
    .$if(before !== null, (query) => query.where('i.id', '<', String(before)))
    .orderBy('i.id', 'desc')
    .limit(limit)
}
