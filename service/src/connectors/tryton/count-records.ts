import type { TrytonApi } from './api.ts'
import type { Directory } from './directory.ts'
import { loadKinds } from './load-parties.ts'
import { domainOfChildren } from './read-entities.ts'
import { states } from './states.ts'

const pageSize = 1_000
/** People and organisations are told apart one by one; beyond this it would take too long to count them. */
const mostParties = 20_000

export async function countRecords(api: TrytonApi, directory: Directory): Promise<Record<string, number | null>> {
  const models = await directory.models()
  const parties = await countParties(api, directory)
  return {
    tags: await api.count('party.category', []),
    pipelines: 1,
    stages: states.length,
    ...parties,
    relationships: models.has('party.relation.all') ? await countRelations(api, directory) : 0,
    deals: models.has('sale.opportunity') ? await api.count('sale.opportunity', []) : 0,
    notes: await api.count('ir.note', domainOfChildren('ir.note', models)),
    attachments: await api.count('ir.attachment', domainOfChildren('ir.attachment', models)),
  }
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
