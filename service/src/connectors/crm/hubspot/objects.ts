import type { Family } from '../../../families/index.ts'
import { oddIn, withOdd } from '../../kit/odd-places.ts'
import { once } from '../../kit/once.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { type AccountFacts, type HubObject, type HubspotApi, type ObjectType, parentCompany } from './api.ts'
import type { Facts, HubEntity } from './entities.ts'
import * as all from './entities.ts'
import { isOurLink, linksUnderWay } from './send-batch.ts'

/** HubSpot's object types for each entity. If there are several, a record id begins with the type: `calls-12`. */
export const typesOf: Record<Family, Record<string, readonly ObjectType[]>> = {
  crm: {
    accounts: ['companies'],
    contacts: ['contacts'],
    deals: ['deals'],
    activities: all.activityTypes,
    notes: ['notes'],
  },
  helpdesk: {
    organizations: ['companies'],
    contacts: ['contacts'],
    tickets: ['tickets'],
    comments: ['notes', 'emails'],
  },
  project: {},
  blog: {},
}

/** The types that an object can be linked to, if the family has a field for the link. */
const linksOf: Record<string, Partial<Record<ObjectType, readonly ObjectType[]>>> = {
  crm: {
    companies: ['companies'],
    contacts: ['companies'],
    deals: ['companies', 'contacts'],
    ...Object.fromEntries(['notes', ...all.activityTypes].map((type) => [type, ['deals', 'contacts', 'companies']])),
  },
  helpdesk: {
    contacts: ['companies'],
    tickets: ['contacts', 'companies'],
    notes: ['tickets', 'contacts'],
    emails: ['tickets', 'contacts'],
  },
}

export const isMixed = (family: Family, entity: string) => (typesOf[family][entity]?.length ?? 0) > 1

/** Convert an object id to a record id and back. An id that cannot belong to a record gives null. */
export const toRecordId = (family: Family, entity: string, type: ObjectType, id: string) =>
  isMixed(family, entity) ? `${type}-${id}` : id
export function toObjectId(family: Family, entity: string, id: string): { type: ObjectType; id: string } | null {
  const types = typesOf[family][entity] ?? []
  const [, type = types[0], number = ''] =
    (isMixed(family, entity) ? /^([a-z]+)-(\d{1,18})$/ : /^()?(\d{1,18})$/).exec(id) ?? []
  const known = types.find((one) => one === type)
  return known && number !== '' ? { type: known, id: number } : null
}
/** The entity for objects of a type. */
export const entityOf = (family: Family, type: ObjectType): string =>
  Object.keys(typesOf[family]).find((entity) => typesOf[family][entity]?.includes(type)) ?? ''

const none: never[] = []

export type Objects = ReturnType<typeof openObjects>

/** Reads the objects of one account as records of a family: their declarations and their links. */
export function openObjects(api: HubspotApi, family: Family) {
  const pipelines = { deals: once(() => api.pipelines('deals')), tickets: once(() => api.pipelines('tickets')) }
  const factsOf = async (type: ObjectType): Promise<Facts> => ({
    account: await api.account(),
    properties: await api.properties(type),
    pipelines: type === 'deals' || type === 'tickets' ? await pipelines[type]() : none,
  })
  const declare = (type: ObjectType, facts: Facts): HubEntity => {
    if (type === 'companies') return family === 'crm' ? all.accounts(facts) : all.organizations(facts)
    if (type === 'contacts') return family === 'crm' ? all.contacts(facts) : all.customers(facts)
    if (type === 'deals') return all.deals(facts)
    if (type === 'tickets') return all.tickets(facts)
    if (family === 'helpdesk') return all.comments(type === 'notes' ? 'notes' : 'emails', facts)
    return type === 'notes' ? all.notes(facts) : all.activities(type, facts)
  }
  // Unchanged facts give the same declaration object, because caches are keyed by that object.
  const declared = new Map<ObjectType, { properties: unknown; pipelines: unknown; entity: HubEntity }>()

  /** Adds links, address and other values that the declarations read. */
  const withLinks = async (type: ObjectType, objects: readonly HubObject[]): Promise<HubObject[]> => {
    const entity = entityOf(family, type)
    const ids = objects.map(({ id }) => id)
    const found: [ObjectType, Map<string, string[]>][] = []
    const told: Record<'label' | 'odd', string[]> = { label: [], odd: [] }
    for (const to of ids.length === 0 ? [] : (linksOf[family]?.[type] ?? [])) {
      const only = type === 'companies' && to === 'companies' ? parentCompany : undefined
      found.push([to, await api.linked(type, to, ids, only, (id, what) => told[what].push(id))])
    }
    const account = await api.account()
    const stageIn = type === 'deals' ? 'dealstage' : type === 'tickets' ? 'hs_pipeline_stage' : ''
    const { pipelines: places } = await factsOf(type)
    const known = new Set<unknown>(places.flatMap(({ stages }) => stages.map((stage) => stage.id)))
    return objects.map((object) => {
      const { id, properties } = object
      // A field with one link holds the one that we made, whatever else people or HubSpot linked.
      const isOther = (to: string, one: string | undefined) => Number(!isOurLink(object, to, String(one)))
      // An unfinished record is compared as if it had its links: only then a change by people shows.
      const lists = found.map(([to, linked]): [string, string[]] => {
        const theirs = (linked.get(id) ?? []).toSorted((a, b) => isOther(to, a) - isOther(to, b))
        return [to, [...new Set([...linksUnderWay(object, to), ...theirs])]]
      })
      const links = Object.fromEntries(lists)
      const filled = lists.filter(([, some]) => some.length > 0)
      const [target, [sourceId] = []] = filled.toSorted(([a, [x]], [b, [y]]) => isOther(a, x) - isOther(b, y))[0] ?? []
      const raw = {
        id: toRecordId(family, entity, type, id),
        type,
        properties,
        links,
        url: addressOf(account, type, id),
        otherLinks: Math.max(0, Object.values(links).flat().length - 1),
        labelledLinks: told.label.filter((one) => one === id).length,
        related: target && sourceId ? { entity: entityOf(family, target as ObjectType), sourceId } : null,
        ...(type !== 'notes' && { kind: all.activityTypes.includes(type as never) ? all.kindOf(type as never) : null }),
        isPublic: type === 'emails',
      }
      const stage = properties[stageIn]
      const isLost = (stage ?? '') !== '' && !known.has(stage)
      return withOdd(raw, [...oddIn(object), ...thatHold([told.odd.includes(id), 'associations'], [isLost, stageIn])])
    })
  }
  return {
    withLinks,
    urlOf: async (type: ObjectType, id: string) => addressOf(await api.account(), type, id),
    dealPipelines: () => pipelines.deals(),
    /** Called after pipelines were changed. */
    forgetPipelines() {
      pipelines.deals = once(() => api.pipelines('deals'))
    },
    async declaration(type: ObjectType): Promise<HubEntity> {
      const facts = await factsOf(type)
      const known = declared.get(type)
      if (known?.properties === facts.properties && known.pipelines === facts.pipelines) return known.entity
      const entity = declare(type, facts)
      declared.set(type, { properties: facts.properties, pipelines: facts.pipelines, entity })
      return entity
    },
  }
}

/** The address of the object's page. Activities have no page. */
export const addressOf = ({ portalId, uiDomain = 'app.hubspot.com' }: AccountFacts, type: ObjectType, id: string) =>
  objectNumbers[type] ? `https://${uiDomain}/contacts/${portalId}/record/${objectNumbers[type]}/${id}` : null

/** HubSpot's numbers for object types in page addresses. */
export const objectNumbers: Partial<Record<ObjectType, string>> = {
  contacts: '0-1',
  companies: '0-2',
  deals: '0-3',
  tickets: '0-5',
}
