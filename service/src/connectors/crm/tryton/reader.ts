import { entityOf } from '../../../families/index.ts'
import type { RecordRef } from '../../../families/record.ts'
import { askForLess } from '../../../outbound/ask-for-less.ts'
import type { Account, Reader, Skipped } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import { defineEntity, type Entity } from '../../kit/entity.ts'
import { isNumberId } from '../../kit/find-ids.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { integer, option, reference, text } from '../../kit/lenses.ts'
import { once } from '../../kit/once.ts'
import type { Walk } from '../../kit/pages.ts'
import { alone, type Listed, listed, readLists } from '../../kit/read-lists.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { fixed, onlyIds } from '../../kit/shape-walks.ts'
import { type Domain, TrytonRefusal, unlessRefused } from './api.ts'
import { followTryton } from './follow-address.ts'
import { countChildren, loadChildNames, loadDealNames, loadKinds, loadParties, loadPartyNames } from './load-names.ts'
import { readFile } from './notes.ts'
import type { Kind } from './party-kind.ts'
import { fieldsOf, type Model, type RawRow, type Row, type Taken, takeRow, toWireMoment } from './schema.ts'
import { isState, pipelineId, pipelineName, states } from './states.ts'
import { markerPattern } from './texts.ts'
import { customFieldsToRead, toAttachment, toDeal, toNote, toParty, toRelationship, toTag } from './to-family.ts'
import { indexPeople, openAccount, pageOfPeople, type Tryton } from './tryton.ts'

/** Tryton's model for each entity. Pipelines and stages are fixed and have none. */
export const models: Record<string, Model> = {
  tags: 'party.category',
  accounts: 'party.party',
  contacts: 'party.party',
  relationships: 'party.relation.all',
  deals: 'sale.opportunity',
  notes: 'ir.note',
  attachments: 'ir.attachment',
}

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
    notes: () => countAllChildren(tryton, 'ir.note'),
    attachments: () => countAllChildren(tryton, 'ir.attachment'),
  }
  return countEach(counters, only)
}

const countAllChildren = async (tryton: Tryton, model: 'ir.note' | 'ir.attachment') =>
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

function countSkipped(tryton: Tryton): Promise<Skipped> {
  const installed = async (model: string) =>
    (await tryton.count('ir.model', [['model', '=', model]])) > 0 ? tryton.count(model, []) : 0
  const elsewhere = async (model: 'ir.note' | 'ir.attachment') =>
    (await tryton.count(model, [])) - (await countAllChildren(tryton, model))
  return countSkippedEach({
    products: () => installed('product.template'),
    sales: () => installed('sale.sale'),
    invoices: () => installed('account.invoice'),
    notes_elsewhere: () => elsewhere('ir.note'),
    files_elsewhere: () => elsewhere('ir.attachment'),
  })
}

/** Tryton lists a relation from both sides. The stored side has twice the relation's id. */
export const factorOf = (entity: string) => (entity === 'relationships' ? 2 : 1)

/** Selects notes and files whose party or opportunity still exists, without our marker notes. */
export async function domainOfChildren(tryton: Tryton, model: 'ir.note' | 'ir.attachment'): Promise<Domain> {
  const there = await tryton.models()
  const parents = ['party.party', 'sale.opportunity'].filter((parent) => there.has(parent))
  const isText = ['OR', ['message', '=', null], ['message', 'not like', markerPattern]]
  const own = model === 'ir.note' ? [isText] : []
  return ['OR', ...parents.map((parent) => [['resource.id', '>', 0, parent], ...own])]
}

type ReadRows = (rows: RawRow[]) => Promise<MappedRecord[]>

const each =
  <M extends Model, A>(
    model: M,
    load: (rows: Row<M>[]) => Promise<A>,
    toRecord: (taken: Taken<M>, around: A) => MappedRecord,
  ): ReadRows =>
  async (rows) => {
    const taken = rows.map((raw) => takeRow(model, raw))
    const around = await load(taken.map(({ row }) => row))
    return taken.map((one) => toRecord(one, around))
  }

export function listEntities(tryton: Tryton): Listed[] {
  const tags = each('party.category', async () => indexPeople(await tryton.people()), toTag)
  const loadEnds = async (rows: Row<'party.relation.all'>[]) => {
    const ends = rows.flatMap(({ from_, to }) => [from_ ?? [], to ?? []].flat())
    return { kinds: await loadKinds(tryton, ends), types: await tryton.relationTypes() }
  }
  const relationships = each('party.relation.all', loadEnds, toRelationship)
  const loadParents = (rows: { resource?: string | null }[]) => loadChildNames(tryton, rows)
  const readers: Record<string, ReadRows> = {
    // Parents come before their children, so that a destination creates each category separately.
    tags: async (rows) => (await tags(rows)).sort((a, b) => depthOf(a) - depthOf(b)),
    accounts: readParties(tryton, 'accounts'),
    contacts: readParties(tryton, 'contacts'),
    relationships: (rows) => relationships(rows.filter(({ id }) => id % 2 === 0)),
    deals: each('sale.opportunity', (rows) => loadDealNames(tryton, rows), toDeal),
    notes: each('ir.note', loadParents, toNote),
    attachments: each('ir.attachment', loadParents, toAttachment),
  }
  return [...fixedLists, ...Object.entries(readers).map(([entity, toRecords]) => listOf(tryton, entity, toRecords))]
}

const depthOf = ({ record }: MappedRecord) => String(record.fields.name).split(' / ').length

const readParties =
  (tryton: Tryton, kind: Kind): ReadRows =>
  async (rows) => {
    const ids = rows.map(({ id }) => id)
    const kinds = await loadKinds(tryton, ids)
    const wanted = rows.filter(({ id }) => kinds.get(id) === kind)
    const parties = await loadParties(tryton, wanted)
    const [names, people, childCounts] = await Promise.all([
      loadPartyNames(tryton, parties, tryton.countries),
      tryton.people(),
      countChildren(tryton, 'party.party', wanted),
    ])
    const urlOf = (id: number) => tryton.urlOf('party.party', id)
    const around = { ...names, people: indexPeople(people), childCounts, urlOf }
    return parties.map((party) => toParty(party, kind, around))
  }

const parentFields: Record<string, string> = {
  notes: 'resource',
  attachments: 'resource',
  relationships: 'from_',
  deals: 'party',
}
/** A new address changes its own row and not the party's time of change, so child rows are checked, too. */
const partsOfParties = ['addresses', 'contact_mechanisms', 'identifiers']
const optional = ['party.relation.all', 'sale.opportunity']

/** Lists the rows of a model by id. If an answer is too long, the page is requested with fewer rows. */
function listOf(tryton: Tryton, entity: string, toRecords: ReadRows): Listed {
  const model = models[entity] as Model
  const walk =
    (wanted: Domain, since?: string): Walk<RawRecord> =>
    async (cursor, size) => {
      if (optional.includes(model) && !(await tryton.has(model))) return { items: [], next: null }
      const isChild = model === 'ir.note' || model === 'ir.attachment'
      const domain = isChild ? [await domainOfChildren(tryton, model), wanted] : wanted
      const moment = since === undefined ? null : toWireMoment(since)
      const changed = moment && ['OR', ['write_date', '>=', moment], ['create_date', '>=', moment]]
      const parts = model === 'party.party' ? partsOfParties.map((part) => [part, 'where', changed]) : []
      const all = [
        ['id', '>', Number(cursor ?? 0)],
        ...(domain.length > 0 ? [domain] : []),
        ...(changed ? [['OR', changed, ...parts]] : []),
      ]
      return askForLess(size, async (limit) => {
        const rows = await tryton.search(model, all, fieldsOf(model), limit)
        const items = (await toRecords(rows)).map((mapped) => ({ id: mapped.record.sourceId, mapped }))
        return { items, next: rows.length < limit ? null : String(rows.at(-1)?.id) }
      })
    }
  const parentField = parentFields[entity]
  const toParent = ({ entity: parent, sourceId }: RecordRef) =>
    parentField === 'resource' ? `${models[parent]},${Number(sourceId)}` : Number(sourceId)
  return {
    entity: { name: entity, definition: entityOf('crm', entity) },
    holders: null,
    list: ({ since, ids }) =>
      walk(ids ? [['id', 'in', ids.filter(isNumberId).map((id) => Number(id) * factorOf(entity))]] : [], since),
    under: parentField === undefined ? {} : (_ids, parents) => walk([[parentField, 'in', parents.map(toParent)]]),
    toRecords: async () => (raw) => [raw.mapped as MappedRecord],
    customFields: async () => customFieldsToRead[entity] ?? [],
  }
}

const named = { name: text('name'), position: integer('position') }
/** Tryton's pipeline and stages are fixed. They never change. */
const fixedList = (entity: Entity, records: RawRecord[]): Listed => {
  const changed = (since?: string) => fixed(() => (since === undefined ? records : []))
  return listed(entity, ({ since, ids }) => onlyIds(changed(since), ids), alone)
}
const fixedLists = [
  fixedList(defineEntity('crm', 'pipelines', { fields: named }), [{ id: pipelineId, name: pipelineName, position: 0 }]),
  fixedList(
    defineEntity('crm', 'stages', {
      fields: { pipeline: reference('pipeline', 'pipelines'), ...named, outcome: option('outcome', []) },
    }),
    states.map(({ id, label, outcome }, position) => ({ id, pipeline: pipelineId, name: label, position, outcome })),
  ),
]
