import { entityOf } from '../../../families/index.ts'
import type { RecordRef } from '../../../families/record.ts'
import { askForLess } from '../../../outbound/ask-for-less.ts'
import { defineEntity, type Entity } from '../../kit/entity.ts'
import { isNumberId } from '../../kit/find-ids.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { integer, option, reference, text } from '../../kit/lenses.ts'
import type { Walk } from '../../kit/pages.ts'
import { alone, type Listed, listed } from '../../kit/read-lists.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { fixed, onlyIds } from '../../kit/shape-walks.ts'
import type { Domain } from './api.ts'
import { customFieldsToRead } from './custom-fields.ts'
import { indexPeople } from './list-people.ts'
import { countChildren, loadChildNames, loadDealNames, loadKinds, loadParties, loadPartyNames } from './load-names.ts'
import { markerPattern } from './marker.ts'
import type { Kind } from './party-kind.ts'
import { fieldsOf, type Model, type RawRow, type Row, type Taken, takeRow } from './schema.ts'
import { pipelineId, pipelineName, states } from './states.ts'
import { toAttachment, toDeal, toNote, toParty, toRelationship, toTag } from './to-family.ts'
import type { Tryton } from './tryton.ts'
import { toWireMoment } from './wire-values.ts'

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

/** Converts a page of rows to records. */
type ReadRows = (rows: RawRow[]) => Promise<MappedRecord[]>

/** Checks the rows, loads the names that they refer to, and maps each row. */
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

/** Lists Tryton's entities with their readers. */
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

/** Keeps only the people or only the organisations of each page of parties. */
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

/** The field of each model that holds the parent. */
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
const fixedList = (entity: Entity, records: RawRecord[]): Listed =>
  listed(
    entity,
    ({ since, ids }) =>
      onlyIds(
        fixed(() => (since === undefined ? records : [])),
        ids,
      ),
    alone,
  )
const fixedLists = [
  fixedList(defineEntity('crm', 'pipelines', { fields: named }), [{ id: pipelineId, name: pipelineName, position: 0 }]),
  fixedList(
    defineEntity('crm', 'stages', {
      fields: { pipeline: reference('pipeline', 'pipelines'), ...named, outcome: option('outcome', []) },
    }),
    states.map(({ id, label, outcome }, position) => ({ id, pipeline: pipelineId, name: label, position, outcome })),
  ),
]
