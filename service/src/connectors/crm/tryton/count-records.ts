import { countEach } from '../../kit/count-each.ts'
import type { TrytonApi } from './api.ts'
import { type Directory, once } from './directory.ts'
import { loadKinds } from './load-parties.ts'
import { domainOfChildren } from './read-entities.ts'
import { states } from './states.ts'

const pageSize = 1_000
/** People and organisations are told apart one by one; beyond this it would take too long to count them. */
const mostParties = 20_000

export function countRecords(
  api: TrytonApi,
  directory: Directory,
  only?: string,
): Promise<Record<string, number | null>> {
  const parties = once(() => countParties(api, directory))
  const models = directory.models
  const counters = {
    tags: () => api.count('party.category', []),
    pipelines: async () => 1,
    stages: async () => states.length,
    accounts: async () => (await parties.get()).accounts,
    contacts: async () => (await parties.get()).contacts,
    relationships: async () => ((await models()).has('party.relation.all') ? countRelations(api, directory) : 0),
    deals: async () => ((await models()).has('sale.opportunity') ? api.count('sale.opportunity', []) : 0),
    notes: async () => api.count('ir.note', domainOfChildren('ir.note', await models())),
    attachments: async () => api.count('ir.attachment', domainOfChildren('ir.attachment', await models())),
  }
  return countEach(counters, only)
}

async function countParties(
  api: TrytonApi,
  directory: Directory,
): Promise<{ accounts: number | null; contacts: number | null }> {
  if ((await api.count('party.party', [])) > mostParties) return { accounts: null, contacts: null }
  const counts = { accounts: 0, contacts: 0 }
  let after = 0
  for (;;) {
    const rows = await api.search('party.party', [['id', '>', after]], { fields: [], limit: pageSize })
    const ids = rows.map(({ id }) => id)
    for (const kind of (await loadKinds(api, directory, ids)).values()) counts[kind] += 1
    const last = ids.at(-1)
    if (last === undefined || rows.length < pageSize) return counts
    after = last
  }
}

/** Those whose type has a reverse are shown twice. */
async function countRelations(api: TrytonApi, directory: Directory): Promise<number> {
  const { byId } = await directory.relationTypes()
  const oneWay = [...byId.values()].filter(({ reverse }) => !reverse).map(({ id }) => id)
  const shown = await api.count('party.relation.all', [])
  const once = oneWay.length === 0 ? 0 : await api.count('party.relation.all', [['type', 'in', oneWay]])
  return (shown + once) / 2
}
