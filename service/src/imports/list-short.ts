import type { Pool } from 'pg'
import { createAskByName } from '../db/ask-by-name.ts'
import { gatherQuestions } from '../db/gather-questions.ts'
import type { Db } from '../db/open-database.ts'
import { entryColumns, type ImportEntry } from './import-rows.ts'
import { type ListedImports, type ListImports, listImports, pageOf } from './list-imports.ts'

/** Nearly every customer has fewer imports. So a huge list never makes the short ones of the same lot wait. */
const mostEntries = 20

/** The newest imports of several customers, one more of each than a short list has. */
export const shortListsStatement = {
  name: 'list-short',
  text: `
    select asked.place::int as place, found.*
    from unnest($1::text[], $2::text[]) with ordinality as asked (partner_id, destination_username, place)
    cross join lateral (
      select ${entryColumns.join(', ')}
      from imports
      where partner_id = asked.partner_id and destination_username = asked.destination_username and ended_at is null
      order by id desc limit ${mostEntries + 1}
    ) found
    order by asked.place, found.id desc`,
}

/** Lists imports as `listImports` does. Short lists that are asked for at the same time take one round trip together. */
export function createListImports({ db, pool }: { db: Db; pool: Pool }) {
  const askByName = createAskByName(pool)
  const listNewest = gatherQuestions<ListImports, ImportEntry[]>({
    most: 50,
    mostUnderWay: 2,
    async askAll(questions) {
      const { rows } = await askByName<ImportEntry & { place: number }>(shortListsStatement, [
        questions.map(({ partnerId }) => partnerId),
        questions.map(({ destinationUsername }) => destinationUsername),
      ])
      const lists: ImportEntry[][] = questions.map(() => [])
      for (const row of rows) lists[row.place - 1]?.push(row)
      return lists
    },
  })
  return async (query: ListImports): Promise<ListedImports> => {
    if (query.after !== null) return listImports(db, query)
    const entries = await listNewest(query)
    return entries.length > mostEntries ? listImports(db, query) : pageOf(entries, query.limit)
  }
}
