import type { RecordPage } from '../../contract/contract.ts'
import type { Domain, TrytonApi } from './api.ts'
import { toAttachment, toDeal, toNote } from './deals-to-family.ts'
import { all, type Directory } from './directory.ts'
import { countChildren, loadDealNames, resourceKinds } from './load-names.ts'
import { loadKinds, loadParties, partyFields } from './load-parties.ts'
import { indexPeople, type MappedRecord } from './map-record.ts'
import { markerPattern } from './marker.ts'
import type { Kind } from './party-kind.ts'
import { fieldsOf, type Model, type RawRow, takeRow } from './schema.ts'
import { toParty, toRelationship, toTag } from './to-family.ts'
import type { WireMoment } from './wire-values.ts'

export interface ReadRequest {
  domain: Domain
  since: WireMoment | null
  /** Only what has a larger id. */
  after: number
  limit: number
}

export type ReadEntity = (api: TrytonApi, directory: Directory, request: ReadRequest) => Promise<RecordPage>

/** Notes and files of parties and opportunities that are still there, without those that are only our markers. */
export const childDomains = {
  'ir.note': (model: string): Domain => [
    ['resource.id', '>', 0, model],
    ['OR', ['message', '=', null], ['message', 'not like', markerPattern]],
  ],
  'ir.attachment': (model: string): Domain => [['resource.id', '>', 0, model]],
}

export function domainOfChildren(model: keyof typeof childDomains, models: ReadonlySet<string>): Domain {
  const parents = ['party.party', 'sale.opportunity'].filter((parent) => models.has(parent))
  return ['OR', ...parents.map((parent) => childDomains[model](parent))]
}

export const readers: Record<string, ReadEntity> = {
  accounts: readParties('accounts'),
  contacts: readParties('contacts'),

  async tags(api, directory, request) {
    const people = indexPeople(await directory.people())
    const rows = await nextRows(api, 'party.category', request)
    const mapped = rows.map((raw) => {
      const { row, odd } = takeRow('party.category', raw)
      return toTag(row, odd, people)
    })
    // What stands above comes before what stands below it, so that a destination makes each by itself.
    const depth = ({ record }: MappedRecord) => String(record.fields.name).split(' / ').length
    return toPage(
      mapped.sort((a, b) => depth(a) - depth(b) || Number(a.record.sourceId) - Number(b.record.sourceId)),
      rows,
      request.limit,
    )
  },

  async relationships(api, directory, request) {
    if (!(await directory.models()).has('party.relation.all')) return toPage([], [], request.limit)
    const rows = await nextRows(api, 'party.relation.all', request)
    const stored = rows.filter(({ id }) => id % 2 === 0).map((raw) => takeRow('party.relation.all', raw))
    const [kinds, types] = await Promise.all([
      loadKinds(
        api,
        directory,
        stored.flatMap(({ row }) => [row.from_ ?? [], row.to ?? []].flat()),
      ),
      directory.relationTypes(),
    ])
    return toPage(
      stored.map(({ row, odd }) => toRelationship(row, odd, kinds, types)),
      rows,
      request.limit,
    )
  },

  async deals(api, directory, request) {
    if (!(await directory.models()).has('sale.opportunity')) return toPage([], [], request.limit)
    const rows = await nextRows(api, 'sale.opportunity', request)
    const taken = rows.map((raw) => takeRow('sale.opportunity', raw))
    const names = await loadDealNames(
      api,
      directory,
      taken.map(({ row }) => row),
    )
    return toPage(
      taken.map(({ row, odd }) => toDeal(row, odd, names)),
      rows,
      request.limit,
    )
  },

  async notes(api, directory, request) {
    const domain = [domainOfChildren('ir.note', await directory.models()), request.domain]
    const rows = await nextRows(api, 'ir.note', { ...request, domain })
    const taken = rows.map((raw) => takeRow('ir.note', raw))
    const kinds = await resourceKinds(
      api,
      directory,
      taken.map(({ row }) => row.resource),
    )
    const people = indexPeople(await directory.people())
    return toPage(
      taken.map(({ row, odd }) => toNote(row, odd, { kinds, people })),
      rows,
      request.limit,
    )
  },

  async attachments(api, directory, request) {
    const domain = [domainOfChildren('ir.attachment', await directory.models()), request.domain]
    const rows = await nextRows(api, 'ir.attachment', { ...request, domain })
    const taken = rows.map((raw) => takeRow('ir.attachment', raw))
    const kinds = await resourceKinds(
      api,
      directory,
      taken.map(({ row }) => row.resource),
    )
    const people = indexPeople(await directory.people())
    const page = toPage(
      taken.map(({ row, odd }) => toAttachment(row, odd, { kinds, people })),
      rows,
      request.limit,
    )
    // Tryton keeps no file for nothing: one that is named but has no bytes was lost from its store.
    const lost = taken.filter(({ row }) => row.type !== 'link' && row.file_id && row.data_size === 0)
    for (const { row } of lost) {
      const message = 'Tryton has lost the bytes of this file; only its name is left.'
      page.warnings.push({ entity: 'attachments', sourceId: String(row.id), code: 'file_lost', message })
    }
    return page
  },
}

/** Every page of parties is sifted: only those of one kind are handed out. */
function readParties(kind: Kind): ReadEntity {
  return async (api, directory, request) => {
    const rows = await nextRows(api, 'party.party', request, partyFields)
    const kinds = await loadKinds(
      api,
      directory,
      rows.map(({ id }) => id),
    )
    const wanted = rows.filter(({ id }) => kinds.get(id) === kind)
    const parties = await loadParties(api, directory, wanted)
    const models = await directory.models()
    const relationTypes = models.has('party.relation.all') ? await directory.relationTypes() : null
    const isShown = (type: number | undefined) =>
      relationTypes?.worksFor.has(type ?? -1) || relationTypes?.partOf.has(type ?? -1)
    const others = parties.flatMap(({ relations }) =>
      relations.filter(({ type }) => isShown(type)).map(({ to }) => to ?? 0),
    )
    const subdivisionIds = parties.flatMap(({ addresses }) => addresses.flatMap(({ subdivision }) => subdivision ?? []))
    const [otherKinds, languages, countries, subdivisions, people, childCounts] = await Promise.all([
      loadKinds(api, directory, others),
      directory.languages(),
      directory.countries(),
      subdivisionIds.length === 0 ? [] : all(api, 'country.subdivision', [['id', 'in', [...new Set(subdivisionIds)]]]),
      directory.people(),
      countChildren(
        api,
        'party.party',
        wanted.map(({ id }) => id),
      ),
    ])
    const names = {
      kinds: otherKinds,
      languages,
      countries,
      subdivisions: new Map(subdivisions.map(({ id, name }) => [id, name ?? ''])),
      relationTypes,
      people: indexPeople(people),
      childCounts,
      urlOf: (id: number) => api.urlOf('party.party', id),
    }
    return toPage(
      parties.map((party) => toParty(party, kind, names)),
      rows,
      request.limit,
    )
  }
}

/** The children of a party have times of their own: adding an address does not touch the party. */
const children: Partial<Record<Model, string[]>> = {
  'party.party': ['addresses', 'contact_mechanisms', 'identifiers'],
}

async function nextRows(
  api: TrytonApi,
  model: Model,
  { domain, since, after, limit }: ReadRequest,
  fields = fieldsOf(model),
): Promise<RawRow[]> {
  const changed = since && ['OR', ['write_date', '>=', since], ['create_date', '>=', since]]
  const anyChanged = changed && ['OR', changed, ...(children[model] ?? []).map((field) => [field, 'where', changed])]
  const whole = [['id', '>', after], ...(domain.length > 0 ? [domain] : []), ...(anyChanged ? [anyChanged] : [])]
  return api.search(model, whole, { fields, limit })
}

function toPage(mapped: readonly MappedRecord[], rows: readonly RawRow[], limit: number): RecordPage {
  const last = rows.at(-1)
  return {
    items: mapped.map(({ record }) => record),
    warnings: mapped.flatMap(({ warnings }) => warnings),
    next: rows.length < limit || !last ? null : String(last.id),
  }
}
