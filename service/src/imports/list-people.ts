import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'

/** The last person of a page. */
export interface PersonPosition {
  isMatched: boolean
  namedIn: number
  userId: string
}

const mostInDestination = 5_000

/** A page of the people of the source with their matches, and the people of the destination. */
export async function listPeople(
  db: Db,
  importId: string,
  { after, limit }: { after: PersonPosition | null; limit: number },
) {
  // People without an account come first, and of them those whom most records name.
  const isMatched = sql<boolean>`(destination_user_id is not null)`
  const [people, destination] = await Promise.all([
    db
      .selectFrom('user_map')
      .select(['source_user_id', 'name', 'email', 'destination_user_id', 'is_chosen', 'suggested_user_id'])
      .select(['named_in', 'is_listed', 'keeps_name'])
      .where('import_id', '=', importId)
      .$if(after !== null, (query) =>
        query.where(
          sql<boolean>`(${isMatched}, -named_in, source_user_id) > (${after?.isMatched}::boolean, ${-(after?.namedIn ?? 0)}::int, ${after?.userId}::text)`,
        ),
      )
      .orderBy(isMatched)
      .orderBy(sql`-named_in`)
      .orderBy('source_user_id')
      .limit(limit)
      .execute(),
    db
      .selectFrom('destination_users')
      .select(['user_id', 'name', 'email', 'is_active'])
      .where('import_id', '=', importId)
      .orderBy('name')
      .limit(mostInDestination)
      .execute(),
  ])
  return { people, destination }
}
