import Type from 'typebox'
import { FileMissingError } from '../../../errors.ts'
import { entityOf as definitionOf, type Family } from '../../../families/index.ts'
import type { FamilyRecord } from '../../../families/record.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach, uncounted } from '../../kit/count-skipped.ts'
import { findListed, findMissing, isMissing } from '../../kit/find-ids.ts'
import { hasShape } from '../../kit/has-shape.ts'
import { checkShape } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { inTurn } from '../../kit/nested-pages.ts'
import { oddIn } from '../../kit/odd-places.ts'
import { byCursor, byKey, type Walk } from '../../kit/pages.ts'
import { alone, type List, type Listed, listed, readLists, type Which } from '../../kit/read-lists.ts'
import { customFieldsOf, readRecord } from '../../kit/read-record.ts'
import { idsIn } from '../../kit/records-in.ts'
import { fixed, onlyIds } from '../../kit/shape-walks.ts'
import {
  createHubspotApi,
  type Filter,
  type HubObject,
  type HubspotApi,
  label,
  largestPage,
  messageTypes,
  type ObjectType,
} from './api.ts'
import { changedIn, pipelines, stages } from './entities.ts'
import { followHubspot } from './follow-address.ts'
import { listOwners } from './list-owners.ts'
import { openObjects, toObjectId, typesOf } from './objects.ts'
import { recordsOf } from './pipelines.ts'
import { fileIdsOf, isActivity, listFiles, partsOfFile } from './read-files.ts'
import { searchShape } from './schema.ts'

export function openHubspot(account: Account, family: Family = 'crm', pageSize = largestPage): Reader {
  const api = createHubspotApi(account)
  const objects = openObjects(api, family)
  const entitiesOfFamily = typesOf[family]
  const isHeld = family === 'helpdesk'

  const namesOf = async (type: ObjectType) => [...(await objects.declaration(type)).names, 'hs_email_direction']
  /** Adds the number of links to records of the same kind. A link counts once, at the first of its two records. */
  const withPeers = async (type: ObjectType, raws: readonly HubObject[]): Promise<HubObject[]> => {
    if (!['contacts', 'deals', 'tickets'].includes(type) || raws.length === 0) return [...raws]
    const peers = await api.linked(type, type, idsIn(raws))
    return raws.map((raw) => ({
      ...raw,
      peerLinks: (peers.get(raw.id) ?? []).filter((id) => Number(id) > Number(raw.id)).length,
    }))
  }
  /** A comment belongs to a ticket. Only an incoming e-mail was written by its sender. */
  const toRaws = async (type: ObjectType, some: readonly HubObject[]): Promise<RawRecord[]> => {
    const raws = await withPeers(type, await objects.withLinks(type, some))
    if (!isHeld || !entitiesOfFamily.comments?.includes(type)) return raws
    return raws.flatMap((raw) => {
      const { tickets = [], contacts = [] } = raw.links as Record<string, string[]>
      const authors = raw.properties.hs_email_direction === 'INCOMING_EMAIL' ? contacts : []
      // Its ticket may be one whose link cannot be read, which is reported.
      const isNone = tickets.length === 0 && !oddIn(raw).includes('associations')
      return isNone ? [] : [{ ...raw, links: { tickets, contacts: authors } }]
    })
  }
  const changedSince = (type: ObjectType, since: string): Filter => ({
    propertyName: changedIn(type),
    operator: 'GTE',
    value: String(Date.parse(since)),
  })
  const searched = (type: ObjectType, names: readonly string[], filters: readonly Filter[]): Walk<HubObject> =>
    byKey(
      (after, size) => api.search(type, names, filters, after, size),
      ({ id }) => id,
    )

  const walkOf =
    (type: ObjectType, { since, ids }: Which): Walk<RawRecord> =>
    async (cursor, size) => {
      const names = await namesOf(type)
      if (ids) return { items: await toRaws(type, await api.byIds(type, names, ids)), next: null }
      const walk =
        since === undefined
          ? byCursor<HubObject>(({ limit, after }) => api.page(type, names, after as string | null, Number(limit)), {
              size: 'limit',
              after: 'after',
            })
          : searched(type, names, [changedSince(type, since)])
      const { items, next } = await walk(cursor, size)
      return { items: await toRaws(type, items), next }
    }
  /** Lists the object types of an entity one after the other. */
  const listOf =
    (entity: string): List =>
    ({ since, ids }) =>
    (cursor, size) => {
      const types = entitiesOfFamily[entity] ?? []
      const asked = ids?.flatMap((id) => toObjectId(family, entity, id) ?? [])
      const wanted = asked ? types.filter((type) => asked.some((one) => one.type === type)) : types
      return inTurn(wanted, cursor, size, (type) =>
        walkOf(type, asked ? { ids: asked.filter((one) => one.type === type).map(({ id }) => id) } : { since }),
      )
    }
  /** Lists the records linked to one record. */
  const under =
    (entity: string, parentEntity: string) =>
    (parentId: string): Walk<RawRecord> =>
    async (cursor, size) => {
      const parent = toObjectId(family, parentEntity, parentId)
      if (!parent) return { items: [], next: null }
      return inTurn(entitiesOfFamily[entity] ?? [], cursor, size, (type) => async () => {
        const ids = (await api.linked(parent.type, type, [parent.id])).get(parent.id) ?? []
        const { items } = await walkOf(type, { ids })(null, size)
        const isShownAt = ({ related, links }: RawRecord) => {
          const { entity: at, sourceId } = (related ?? {}) as { entity?: string; sourceId?: string }
          const [ticket] = (links as Record<string, string[]>).tickets ?? []
          return isHeld ? ticket === parentId : at === parentEntity && sourceId === parentId
        }
        return { items: items.filter(isShownAt), next: null }
      })
    }
  const parentsOf = isHeld ? ['tickets'] : ['accounts', 'contacts', 'deals']
  const objectList = (entity: string): Listed => {
    return {
      entity: { name: entity, definition: definitionOf(family, entity) },
      list: listOf(entity),
      holders: null,
      under: Object.fromEntries(parentsOf.map((parent) => [parent, under(entity, parent)])),
      async toRecords(page) {
        const declared = new Map<unknown, Awaited<ReturnType<typeof objects.declaration>>>()
        for (const type of new Set(page.map((raw) => raw.type as ObjectType)))
          declared.set(type, await objects.declaration(type))
        return (raw) => {
          const found = declared.get(raw.type)
          return found ? [readRecord(found, raw, undefined)] : []
        }
      },
      async customFields() {
        const all = new Map<string, ReturnType<typeof customFieldsOf>[number]>()
        for (const type of entitiesOfFamily[entity] ?? []) {
          for (const field of customFieldsOf(await objects.declaration(type), undefined)) {
            if (!all.has(field.key)) all.set(field.key, field)
          }
        }
        return [...all.values()]
      },
    }
  }

  const files = listFiles({ api, family, toRaws, declaration: objects.declaration, searched, changedSince })
  /** Those of the files that a record still names, also at a comment that has no ticket any more. */
  const namedFiles = async (ids: readonly string[]) => {
    const parts = ids.flatMap((id) => partsOfFile(id) ?? [])
    const named: string[] = []
    for (const [type, some] of Map.groupBy(parts, (part) => part.type)) {
      if (!isActivity(type)) continue
      const holders = await api.byIds(type, ['hs_attachment_ids'], idsIn(some))
      named.push(...holders.flatMap((holder) => fileIdsOf(holder).map((fileId) => `${type}-${holder.id}-${fileId}`)))
    }
    const others = ids.filter((id) => partsOfFile(id) && !named.includes(id))
    const listed = await findListed(others, async (wanted, cursor) => {
      const { items, next } = await files.list({ ids: wanted })(cursor, largestPage)
      return { items: items.map(({ id }) => ({ id: String(id) })), next }
    })
    return [...named, ...listed]
  }
  const pipelineList = (entity: 'pipelines' | 'stages'): List => {
    return ({ ids }) =>
      onlyIds(
        fixed(() => recordsOf(api, entity)),
        ids,
      )
  }
  const pipelineLists = isHeld
    ? []
    : [listed(pipelines, pipelineList('pipelines'), alone), listed(stages, pipelineList('stages'), alone)]
  const counters = Object.entries(entitiesOfFamily).map(([entity, types]) => {
    const count = async () => {
      let sum = 0
      for (const type of types) sum += (await api.search(type, [], [], null, 1)).total
      return sum
    }
    return [entity, entity === 'comments' ? async () => null : count] as const
  })
  const pipelineCounters = {
    pipelines: async () => (await recordsOf(api, 'pipelines')).length,
    stages: async () => (await recordsOf(api, 'stages')).length,
  }

  return {
    ...readLists(label, [...pipelineLists, ...Object.keys(entitiesOfFamily).map(objectList), files], pageSize),
    count: (only) =>
      countEach(
        { ...Object.fromEntries(counters), ...(!isHeld && pipelineCounters), attachments: async () => null },
        only,
      ),
    countSkipped: () => countOthers(api, isHeld),
    users: (cursor) => listOwners(api, cursor),
    follow: (address, from) => followHubspot(address, from, family),
    async findGone(entity, ids) {
      const isFile = entity === 'attachments'
      const named = new Set(isFile ? await namedFiles(ids) : [])
      const known = ids.flatMap((id) => pathOf(family, entity, id) ?? [])
      const pathAt = (id: string) => known.find((one) => encodeURIComponent(one.id) === id)?.path ?? ''
      return findMissing(
        api.http,
        idsIn(known),
        pathAt,
        (answer, id) =>
          isMissing(answer) ||
          // HubSpot may keep a file that its record names no more.
          (isFile
            ? answer.status === 200 && !named.has(id)
            : isMerged(answer.json, toObjectId(family, entity, id)?.id)),
      )
    },
    async openFile({ sourceId }: FamilyRecord) {
      const path = `/files/v3/files/${partsOfFile(sourceId)?.fileId ?? '0'}/signed-url`
      const { status, json } = await api.http.look(path, [404])
      if (status === 404) throw new FileMissingError('HubSpot has no such file any more')
      return api.http.openFile(checkShape(label, Type.Object({ url: Type.String() }), json, path).url)
    },
  }
}

const schemasShape = Type.Object({ results: Type.Array(Type.Object({ objectTypeId: Type.String() })) })

/** Counts objects that no field of the family has a place for. Objects that the token may not see are not counted. */
const countOthers = (api: HubspotApi, isHeld: boolean) => {
  const total = (type: string) => async () => {
    const sent = await api.http.send('POST', `/crm/v3/objects/${type}/search`, {
      json: { filterGroups: [], properties: [], limit: 1 },
    })
    return sent.result === 'done' && hasShape(searchShape, sent.json) ? sent.json.total : null
  }
  const totalOf = async (...types: string[]) => {
    const totals: (number | null)[] = []
    for (const type of types) totals.push(await total(type)())
    return totals.reduce((sum, one) => (one === null ? sum : (sum ?? 0) + one), null)
  }
  return countSkippedEach({
    ...(isHeld
      ? { activities_elsewhere: () => totalOf('calls', 'meetings', 'tasks') }
      : {
          ...{ products: total('products'), line_items: total('line_items'), quotes: total('quotes') },
          ...{ invoices: total('invoices'), leads: total('leads'), tickets_elsewhere: total('tickets') },
        }),
    custom_records: async () => {
      const { status, json } = await api.http.look('/crm-object-schemas/v3/schemas', uncounted)
      if (status !== 200 || !hasShape(schemasShape, json)) return null
      let sum = 0
      for (const { objectTypeId } of json.results) sum += (await total(encodeURIComponent(objectTypeId))()) ?? 0
      return sum
    },
    messages: () => totalOf(...messageTypes),
    satisfaction_ratings: total('feedback_submissions'),
    sensitive_fields: () => countSensitive(api, ['companies', 'contacts', isHeld ? 'tickets' : 'deals']),
  })
}

/**
 * Counts the properties that HubSpot leaves out of its lists. Their values need scopes of their own, and no other tool
 * would protect them.
 */
async function countSensitive(api: HubspotApi, types: readonly ObjectType[]): Promise<number | null> {
  const shape = Type.Object({ results: Type.Array(Type.Unknown()) })
  let sum: number | null = null
  for (const type of types) {
    for (const dataSensitivity of ['sensitive', 'highly_sensitive']) {
      const { status, json } = await api.http.look(`/crm/v3/properties/${type}`, uncounted, { dataSensitivity })
      if (status === 200 && hasShape(shape, json)) sum = (sum ?? 0) + json.results.length
    }
  }
  return sum
}

/** HubSpot makes a new record of two merged ones, and answers it under their ids, too. */
const isMerged = (json: unknown, id: string | undefined): boolean => {
  const { id: found } = (json ?? {}) as { id?: unknown }
  return id !== undefined && typeof found === 'string' && found !== id
}

function pathOf(family: Family, entity: string, id: string): { id: string; path: string } | null {
  const [pipeline = '', stage] = id.split('/').map(encodeURIComponent)
  if (entity === 'pipelines') return { id, path: `/crm/v3/pipelines/deals/${pipeline}` }
  if (entity === 'stages') return stage ? { id, path: `/crm/v3/pipelines/deals/${pipeline}/stages/${stage}` } : null
  const file = entity === 'attachments' ? partsOfFile(id) : null
  if (file) return { id, path: `/crm/v3/objects/${file.type}/${file.id}` }
  const object = toObjectId(family, entity, id)
  return object && { id, path: `/crm/v3/objects/${object.type}/${object.id}` }
}
