import type { Db } from '../db/open-database.ts'
import { entryColumns, type ImportEntry } from './import-rows.ts'

export interface ListImports {
  partnerId: string
  destinationUsername: string
  limit: number | null
  /** Only imports older than this id. */
  after: string | null
}

export interface ListedImports {
  entries: ImportEntry[]
  next: string | null
}

/** Nearly every customer has fewer imports. A list beyond this is read by itself, so that others need not wait for it. */
const mostInShortList = 20

/** Selects a short list as JSON, for a statement that answers several requests; null without imports. */
export const selectShortList = (partnerId: string, destinationUsername: string) => `
  select json_agg(entry order by entry.id desc) from (
    select ${entryColumns.join(', ')} from imports
    where partner_id = ${partnerId} and destination_username = ${destinationUsername} and ended_at is null
    order by id desc limit ${mostInShortList + 1}
  ) entry`

/** An entry as JSON has it. */
export type JsonEntry = Omit<ImportEntry, 'created_at'> & { created_at: string }

/** Null if the list is not short. */
export function readShortList(list: JsonEntry[] | null): ImportEntry[] | null {
  if (list === null) return []
  if (list.length > mostInShortList) return null
  return list.map((entry) => ({ ...entry, created_at: new Date(entry.created_at) }))
}

/** Newest first. With a limit, one page by key; `next` is the start of the following page, if there is one. */
export async function listImports(
  db: Db,
  { partnerId, destinationUsername, limit, after }: ListImports,
): Promise<ListedImports> {
  const entries = await db
    .selectFrom('imports')
    .select(entryColumns)
    .where('partner_id', '=', partnerId)
    .where('destination_username', '=', destinationUsername)
    .where('ended_at', 'is', null)
    .$if(after !== null, (query) => query.where('id', '<', String(after)))
    .orderBy('id', 'desc')
    .$if(limit !== null, (query) => query.limit(Number(limit) + 1))
    .execute()
  return pageOf(entries, limit)
}

/** Cuts the list at the limit. */
export function pageOf(entries: ImportEntry[], limit: number | null): ListedImports {
  if (limit === null || entries.length <= limit) return { entries, next: null }
  const page = entries.slice(0, limit)
  return { entries: page, next: page.at(-1)?.id ?? null }
}
