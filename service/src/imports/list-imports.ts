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

/** Cuts off what lies beyond the limit. */
export function pageOf(entries: ImportEntry[], limit: number | null): ListedImports {
  if (limit === null || entries.length <= limit) return { entries, next: null }
  const page = entries.slice(0, limit)
  return { entries: page, next: page.at(-1)?.id ?? null }
}
