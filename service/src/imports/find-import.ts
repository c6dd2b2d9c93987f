import type { Pool } from 'pg'
import { type ImportDetail, isImportId } from './import-rows.ts'

const maxWarnings = 100

/** One statement, prepared once per connection: this is the request that partners poll. */
export const findImportStatement = {
  name: 'find-import',
  text: `
    select id, link_version, status, family, items, users, created_at,
      source_tool, destination_tool, sponsorship, progress,
      (select coalesce(json_agg(json_build_object(
          'code', w.code, 'message', w.message, 'entity', w.entity, 'count', w.count)), '[]')
        from (select * from warnings where import_id = imports.id order by code, entity limit ${maxWarnings}) w
      ) as warnings
    from imports
    where id = $1 and partner_id = $2 and ended_at is null`,
}

/** The partner's own import; null for one that is missing, ended, or another partner's, without telling which. */
export async function findImport(pool: Pool, partnerId: string, importId: string): Promise<ImportDetail | null> {
  if (!isImportId(importId)) return null
  const { rows } = await pool.query<ImportDetail>({ ...findImportStatement, values: [importId, partnerId] })
  return rows[0] ?? null
}
