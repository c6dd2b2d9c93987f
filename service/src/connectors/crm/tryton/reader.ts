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
import { loadKinds } from './load-names.ts'
import { type Child, readFile } from './notes.ts'
import type { Kind } from './party-kind.ts'
import { fieldsOf, type Model, modelOf, models, type Row, toWireMoment } from './schema.ts'
import { isState, pipelineId, pipelineName, states } from './states.ts'
import { markerPattern } from './texts.ts'
import {
  customFieldsToRead,
  readAttachments,
  readDeals,
  readNotes,
  readParties,
  readRelationships,
  readTags,
} from './to-family.ts'
import { openAccount, pageOfPeople, type Tryton } from './tryton.ts'

const largestPage = 100
const isId = (id: string) => isNumberId(id) || id === pipelineId || isState(id)

export function openTryton(account: Account, pageSize = largestPage): Reader {
  const tryton = openAccount(account)
  return {
    ...readLists('Tryton', listEntities(tryton), pageSize, isId),
    count: (only) => countRecords(tryton, only),
    countSkipped: () => countSkipped(tryton),
    users: async (cursor) => pageOfPeople(await tryton.people(), cursor, pageSize),
    after: (entity, cursor) => (modelOf(entity) ? String(Number(cursor ?? 0) + pageSize) : null),
    follow: (address, from) => followTryton(address, tryton, from),
    findIds: (entity, ids) => findIds(tryton, entity, ids),
    findGone: (entity, ids) => findGone(tryton, entity, ids),
    openFile: (record) => readFile(tryton, record),
  }
}

/** Finds ids without reading whole records. It finds archived records, too. */
async function findIds(tryton: Tryton, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = modelOf(entity)
  if (model === undefined) return [...ids]
  const rows = await tryton.rowsIn(model, 'id', rowIds(entity, ids), [])
  return rows.map(({ id }) => String(id / factorOf(entity)))
}

/**
 * Tryton gives the same answer for a missing record and for one that an access rule hides from the user. So a missing
 * record counts as deleted only if its model has no rules and the user may read the rules.
 */
async function findGone(tryton: Tryton, entity: string, ids: readonly string[]): Promise<string[]> {
  const model = modelOf(entity)
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
    relationships: () => countRelations(tryton),
    deals: () => tryton.count('sale.opportunity', []),
    notes: () => countAllChildren(tryton, 'ir.note'),
    attachments: () => countAllChildren(tryton, 'ir.attachment'),
  }
  return countEach(counters, only)
}

const countAllChildren = async (tryton: Tryton, model: Child) =>
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
  const elsewhere = async (model: Child) => (await tryton.count(model, [])) - (await countAllChildren(tryton, model))
  return countSkippedEach({
    products: () => installed('product.template'),
    sales: () => installed('sale.sale'),
    invoices: () => installed('account.invoice'),
    notes_elsewhere: () => elsewhere('ir.note'),
    files_elsewhere: () => elsewhere('ir.attachment'),
  })
}

/** Tryton lists a relation from both sides. The stored side has twice the relation's id. */
const factorOf = (entity: string) => (entity === 'relationships' ? 2 : 1)
const rowIds = (entity: string, ids: readonly string[]) =>
  ids.filter(isNumberId).map((id) => Number(id) * factorOf(entity))

/** Selects notes and files whose party or opportunity still exists, without our marker notes. */
export async function domainOfChildren(tryton: Tryton, model: Child): Promise<Domain> {
  const parents = (await tryton.has('sale.opportunity')) ? ['party.party', 'sale.opportunity'] : ['party.party']
  const isText = ['OR', ['message', '=', null], ['message', 'not like', markerPattern]]
  const own = model === 'ir.note' ? [isText] : []
  return ['OR', ...parents.map((parent) => [['resource.id', '>', 0, parent], ...own])]
}

export function listEntities(tryton: Tryton): Listed[] {
  const parties = (kind: Kind) => listOf(tryton, kind, models[kind], (_, rows) => readParties(tryton, rows, kind))
  return [
    ...fixedLists,
    listOf(tryton, 'tags', models.tags, readTags),
    parties('accounts'),
    parties('contacts'),
    listOf(tryton, 'relationships', models.relationships, readRelationships, 'from_'),
    listOf(tryton, 'deals', models.deals, readDeals, 'party'),
    listOf(tryton, 'notes', models.notes, readNotes, 'resource'),
    listOf(tryton, 'attachments', models.attachments, readAttachments, 'resource'),
  ]
}

/** A new address changes its own row and not the party's time of change, so child rows are checked, too. */
const partsOfParties = ['addresses', 'contact_mechanisms', 'identifiers']

/** Lists the rows of a model by id. If an answer is too long, the page is requested with fewer rows. */
function listOf<M extends Model>(
  tryton: Tryton,
  entity: string,
  model: M,
  toRecords: (tryton: Tryton, rows: Row<M>[]) => Promise<MappedRecord[]>,
  parentField?: string,
): Listed {
  const walk =
    (wanted: Domain, since?: string): Walk<RawRecord> =>
    async (cursor, size) => {
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
        const rows = await tryton.rows(model, all, fieldsOf(model), limit)
        const mapped = rows.length === 0 ? [] : await toRecords(tryton, rows)
        const items = mapped.map((one) => ({ id: one.record.sourceId, mapped: one }))
        return { items, next: rows.length < limit ? null : String(rows.at(-1)?.id) }
      })
    }
  const toParent = ({ entity: parent, sourceId }: RecordRef) =>
    parentField === 'resource' ? `${modelOf(parent)},${Number(sourceId)}` : Number(sourceId)
  return {
    entity: { name: entity, definition: entityOf('crm', entity) },
    holders: null,
    list: ({ since, ids }) => walk(ids ? [['id', 'in', rowIds(entity, ids)]] : [], since),
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
