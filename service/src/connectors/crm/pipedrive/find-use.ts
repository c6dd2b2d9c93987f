import type { RawRecord } from '../../kit/lens.ts'
import { readAll } from '../../kit/pages.ts'
import { dataIn, type Kind, largestPage, type PipedriveApi } from './api.ts'
import { keyName } from './custom-values.ts'
import { filesUnder, pathOf } from './reader.ts'
import { hasAnySigns } from './signs.ts'

const kinds: Record<Kind, { path: string; parent: string; counts: readonly string[] }> = {
  deals: { path: '/api/v2/deals', parent: 'deal_id', counts: ['notes', 'activities', 'files'] },
  persons: {
    path: '/api/v2/persons',
    parent: 'person_id',
    counts: ['notes', 'activities', 'files', 'open_deals', 'closed_deals'],
  },
  organizations: {
    path: '/api/v2/organizations',
    parent: 'org_id',
    counts: ['notes', 'activities', 'files', 'open_deals', 'closed_deals', 'people'],
  },
}

/**
 * Why a record has to stay: people linked records of their own to it, which lose it when it is deleted. Pipedrive counts
 * most of these records in one cheap request, and only then they are listed. All records of ours have our key.
 */
export async function findUse(api: PipedriveApi, kind: Kind, id: string): Promise<string | null> {
  const { path, parent, counts } = kinds[kind]
  const { json } = await api.http.ask(`${path}/${id}`, { include_fields: counts.map((name) => `${name}_count`) })
  const told = dataIn(json) as RawRecord | null
  const named = counts.filter((name) => Number(told?.[`${name}_count`] ?? 0) > 0)
  let count = 0
  for (const name of new Set(named.map((one) => one.replace(/^.*_/, '')))) {
    count += (await list(api, kind, name, { [parent]: id }, id)).length
  }
  return count > 0 ? `Records of their own that people linked to it: ${count}.` : null
}

/** The records at a record that have none of our keys. */
async function list(
  api: PipedriveApi,
  kind: Kind,
  name: string,
  query: Record<string, string>,
  id: string,
): Promise<RawRecord[]> {
  if (name === 'deals' || name === 'people') {
    const codes = (await api.fields(name === 'deals' ? 'deals' : 'persons'))
      .filter((one) => one.is_custom_field && one.field_name === keyName)
      .map((one) => one.field_code)
    const all = await readAll(api.list(pathOf[name === 'deals' ? 'deals' : 'contacts'] ?? '', query), largestPage)
    const customOf = (raw: RawRecord) => (raw.custom_fields ?? {}) as Record<string, unknown>
    return all.filter((raw) => !codes.some((code) => customOf(raw)[code]))
  }
  const walk =
    name === 'files'
      ? filesUnder(api, kind, id)
      : name === 'notes'
        ? api.offsetList(pathOf.notes ?? '', { sort: 'id ASC', ...query })
        : api.list(pathOf.activities ?? '', query)
  const all = await readAll(walk, largestPage)
  return all.filter((raw) => ![raw.content, raw.note, raw.name, raw.file_name, raw.description].some(hasAnySigns))
}
