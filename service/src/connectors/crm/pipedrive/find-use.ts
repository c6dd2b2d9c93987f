import Type from 'typebox'
import { uncounted } from '../../kit/count-skipped.ts'
import { checkShape } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { readAll } from '../../kit/pages.ts'
import { dataIn, isMoreIn, type Kind, label, largestPage, type PipedriveApi } from './api.ts'
import { keyName } from './custom-values.ts'
import { filesUnder, pathOf } from './reader.ts'
import { hasAnySigns } from './signs.ts'

const kinds: Record<
  Kind,
  { path: string; parent: string; inLeads?: string; counts: readonly string[]; others?: readonly string[] }
> = {
  deals: { path: '/api/v2/deals', parent: 'deal_id', counts: ['notes', 'activities', 'files'] },
  persons: {
    path: '/api/v2/persons',
    parent: 'person_id',
    inLeads: 'person_id',
    counts: ['notes', 'activities', 'files', 'open_deals', 'closed_deals'],
    // An import makes nobody a participant of a deal.
    others: ['participant_open_deals', 'participant_closed_deals'],
  },
  organizations: {
    path: '/api/v2/organizations',
    parent: 'org_id',
    inLeads: 'organization_id',
    counts: ['notes', 'activities', 'files', 'open_deals', 'closed_deals', 'people'],
  },
}

/**
 * Why a record has to stay: people linked records of their own to it, which lose it when it is deleted. Pipedrive counts
 * most of these records in one cheap request, and only then they are listed. All records of ours have our key.
 */
export async function findUse(
  api: PipedriveApi,
  kind: Kind,
  id: string,
  countLeads: CountLeads,
): Promise<string | null> {
  const { path, parent, inLeads, counts, others = [] } = kinds[kind]
  const include_fields = [...counts, ...others].map((name) => `${name}_count`)
  const { json } = await api.http.ask(`${path}/${id}`, { include_fields })
  const told = dataIn(json) as RawRecord | null
  const toldOf = (name: string) => Number(told?.[`${name}_count`] ?? 0)
  const named = counts.filter((name) => toldOf(name) > 0)
  let count = others.reduce((sum, name) => sum + toldOf(name), 0)
  if (inLeads) count += await countLeads(inLeads, id)
  for (const name of new Set(named.map((one) => one.replace(/^.*_/, '')))) {
    count += (await list(api, kind, name, { [parent]: id }, id)).length
  }
  return count > 0 ? `Records of their own that people linked to it: ${count}.` : null
}

export type CountLeads = (field: string, id: string) => Promise<number>
const leadPage = Type.Object({
  data: Type.Union([Type.Null(), Type.Array(Type.Record(Type.String(), Type.Unknown()))]),
})

/**
 * Counts the leads of a person or organization. An import writes no leads. Pipedrive does not count them with the
 * record, and a list costs many tokens: where all leads fit on one page, that page serves for all records of a call.
 */
export function openLeads(api: PipedriveApi): CountLeads {
  const page = async (path: string, query: Record<string, string> = {}) => {
    // An account or a token without leads.
    const { status, json } = await api.http.look(path, uncounted, { limit: largestPage, ...query })
    if (status !== 200) return { leads: [], isWhole: true }
    return { leads: checkShape(label, leadPage, json, path).data ?? [], isWhole: !isMoreIn(json) }
  }
  const lists = ['/api/v1/leads', '/api/v1/leads/archived'].map((path) => ({ path, first: once(() => page(path)) }))
  return async (field, id) => {
    let count = 0
    for (const { path, first } of lists) {
      const all = await first()
      const { leads } = all.isWhole ? all : await page(path, { [field]: id })
      count += leads.filter((lead) => String(lead[field]) === id).length
    }
    return count
  }
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
