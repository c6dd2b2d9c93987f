import type { Account, Reader, Skipped } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import { isNumberId } from '../../kit/find-ids.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { once } from '../../kit/once.ts'
import { readLists } from '../../kit/read-lists.ts'
import { followTryton } from './follow-address.ts'
import { pageOfPeople } from './list-people.ts'
import { loadKinds } from './load-names.ts'
import type { Kind } from './party-kind.ts'
import { TrytonRefusal, unlessRefused } from './read-answer.ts'
import { domainOfChildren, factorOf, listEntities, models } from './read-entities.ts'
import { readFile } from './read-file.ts'
import { isState, pipelineId, states } from './states.ts'
import { openAccount, type Tryton } from './tryton.ts'

const largestPage = 100
const isId = (id: string) => isNumberId(id) || id === pipelineId || isState(id)

export function openTryton(account: Account, pageSize = largestPage): Reader {
  const tryton = openAccount(account)
  return {
    ...readLists('Tryton', listEntities(tryton), pageSize, isId),
    count: (only) => countRecords(tryton, only),
    countSkipped: () => countSkipped(tryton),
    users: async (cursor) => pageOfPeople(await tryton.people(), cursor, pageSize),
    after: (entity, cursor) => (models[entity] ? String(Number(cursor ?? 0) + pageSize) : null),
    follow: (address, from) => followTryton(address, tryton, from),
    findIds: (entity, ids) => findIds(tryton, entity, ids),
    findGone: (entity, ids) => findGone(tryton, entity, ids),
    openFile: (record) => readFile(tryton, record),
  }
}

/** Finds ids without reading whole records. It finds archived records, too. */
async function findIds(tryton: Tryton, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = models[entity]
  if (model === undefined) return [...ids]
  const factor = factorOf(entity)
  const asked = ids.filter(isNumberId).map((id) => Number(id) * factor)
  const rows = await tryton.rowsIn(model, 'id', asked, [])
  return rows.map(({ id }) => String(id / factor))
}

/**
 * Tryton gives the same answer for a missing record and for one that an access rule hides from the user. So a missing
 * record counts as deleted only if its model has no rules and the user may read the rules.
 */
async function findGone(tryton: Tryton, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = models[entity]
  if (model === undefined) return []
  const of = [['model.model', '=', model === 'party.relation.all' ? 'party.relation' : model]]
  const rules = await unlessRefused(() => tryton.call('model.ir.rule.group.search_count', [of]))
  if (rules instanceof TrytonRefusal || rules !== 0) return []
  const there = new Set(await findIds(tryton, entity, ids))
  return ids.filter((id) => isNumberId(id) && !there.has(id))
}

const atOnce = 1_000
/** Each party must be read to tell people from organisations. Above this number, counting would take too long. */
const mostParties = 20_000

function countRecords(tryton: Tryton, only?: string): Promise<Record<string, number | null>> {
  const parties = once(() => countParties(tryton))
  const counters = {
    tags: () => tryton.count('party.category', []),
    pipelines: async () => 1,
    stages: async () => states.length,
    accounts: async () => (await parties()).accounts,
    contacts: async () => (await parties()).contacts,
    relationships: async () => ((await tryton.has('party.relation.all')) ? countRelations(tryton) : 0),
    deals: async () => ((await tryton.has('sale.opportunity')) ? tryton.count('sale.opportunity', []) : 0),
    notes: () => countChildren(tryton, 'ir.note'),
    attachments: () => countChildren(tryton, 'ir.attachment'),
  }
  return countEach(counters, only)
}

const countChildren = async (tryton: Tryton, model: 'ir.note' | 'ir.attachment') =>
  tryton.count(model, await domainOfChildren(tryton, model))

async function countParties(tryton: Tryton): Promise<Record<Kind, number | null>> {
  if ((await tryton.count('party.party', [])) > mostParties) return { accounts: null, contacts: null }
  const ids = (await tryton.every('party.party', [])).map(({ id }) => id)
  const kinds = await inChunks(ids, atOnce, async (some) => [...(await loadKinds(tryton, some)).values()])
  const countOf = (wanted: string) => kinds.filter((kind) => kind === wanted).length
  return { accounts: countOf('accounts'), contacts: countOf('contacts') }
}

/** Tryton lists a relation twice if its type has a reverse. */
async function countRelations(tryton: Tryton): Promise<number> {
  const { byId } = await tryton.relationTypes()
  const oneWay = [...byId.values()].filter(({ reverse }) => !reverse).map(({ id }) => id)
  const shown = await tryton.count('party.relation.all', [])
  const shownOnce = oneWay.length === 0 ? 0 : await tryton.count('party.relation.all', [['type', 'in', oneWay]])
  return (shown + shownOnce) / 2
}

/** Counts records that the reader never reads: records of other modules, and their notes and files. */
function countSkipped(tryton: Tryton): Promise<Skipped> {
  const installed = async (model: string) =>
    (await tryton.count('ir.model', [['model', '=', model]])) > 0 ? tryton.count(model, []) : 0
  const elsewhere = async (model: 'ir.note' | 'ir.attachment') =>
    (await tryton.count(model, [])) - (await countChildren(tryton, model))
  return countSkippedEach({
    products: () => installed('product.template'),
    sales: () => installed('sale.sale'),
    invoices: () => installed('account.invoice'),
    notes_elsewhere: () => elsewhere('ir.note'),
    files_elsewhere: () => elsewhere('ir.attachment'),
  })
}
