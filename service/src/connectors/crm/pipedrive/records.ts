import type { OutgoingContent, SentRelation } from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import { objectsIn, type RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import type { Kind, PipedriveApi } from './api.ts'
import * as all from './entities.ts'
import { toActivity, toNote } from './places.ts'
import type { Field } from './schema.ts'
import { openToAll, type Visibility } from './visibility.ts'

/** Pipedrive's kind of record for each entity that can have custom fields. */
export const kindOf: Readonly<Record<string, Kind>> = { accounts: 'organizations', contacts: 'persons', deals: 'deals' }
const shownAt: Record<Kind, string> = { organizations: 'organization', persons: 'person', deals: 'deal' }

export type Records = ReturnType<typeof openRecords>

/**
 * The declarations of one account, and its records in the form that the declarations read. Only a source asks who sees
 * the records, and what activities can hold.
 */
export function openRecords(
  api: PipedriveApi,
  visibility: (kind: Kind) => Promise<Visibility> = async () => openToAll,
  activityFields: () => Promise<readonly Field[]> = async () => [],
) {
  const declared = new Map<string, { fields: unknown; entity: Entity }>()
  const people = once(() => api.users())
  const siteOf = async () => {
    const { company_domain: domain } = await api.me()
    return `https://${typeof domain === 'string' && domain !== '' ? domain : 'app'}.pipedrive.com`
  }

  const isAdmin = async () => {
    const { is_admin, access } = await api.me()
    return is_admin === true || is_admin === 1 || objectsIn(access).some(({ admin }) => admin === true)
  }
  /** The address of the record's page. Only some kinds of records have one. */
  const addressOf = (site: string, entity: string, id: unknown) => {
    const kind = kindOf[entity]
    return kind ? `${site}/${shownAt[kind]}/${id}` : null
  }
  return {
    isAdmin,
    /**
     * Pipedrive has no field for several people or records, or for a deal. They become a text with names and addresses.
     */
    async inWords<C extends Pick<OutgoingContent, 'customFields'>>(content: C): Promise<C> {
      const isWorded = ({ type, value }: OutgoingContent['customFields'][string]) =>
        Array.isArray(value)
          ? type === 'user' || type === 'relation'
          : type === 'relation' &&
            !['accounts', 'contacts'].includes((value as Partial<SentRelation> | null)?.entity ?? '')
      if (!Object.values(content.customFields).some(isWorded)) return content
      const [site, users] = [await siteOf(), await people()]
      const wordOf = (one: unknown) => {
        const { entity = '', destinationId } = (one ?? {}) as Partial<SentRelation>
        return addressOf(site, entity, destinationId) ?? users.find(({ id }) => String(id) === one)?.name ?? one
      }
      const changed = Object.entries(content.customFields).map(([key, field]) =>
        isWorded(field) ? [key, { ...field, type: 'text', value: [field.value].flat().map(wordOf) }] : [key, field],
      )
      return { ...content, customFields: Object.fromEntries(changed) }
    },
    /** Unchanged fields give the same declaration object, because caches are keyed by that object. */
    async declaration(entity: string): Promise<Entity> {
      const kind = kindOf[entity]
      const fields = kind ? await api.fields(kind) : []
      const known = declared.get(entity)
      if (known?.fields === fields || (known && !kind)) return known.entity
      const facts: all.Facts = { ...all.noFacts, fields, ...(kind && { visibility: await visibility(kind) }) }
      const made = {
        accounts: async () => all.accounts(facts),
        contacts: async () => all.contacts(facts),
        deals: async () => all.deals({ ...facts, currencies: (await api.currencies()).map(({ code }) => code) }),
        activities: async () =>
          all.activities({
            ...facts,
            fields: await activityFields(),
            types: (await api.activityTypes()).map(({ key_string }) => key_string),
          }),
        notes: async () => all.notes({ ...facts, isAdmin: await isAdmin() }),
      }[entity]
      if (!made) throw new Error(`Pipedrive has no ${entity}`)
      declared.set(entity, { fields, entity: await made() })
      return declared.get(entity)?.entity as Entity
    },
    /** Adds values that the declarations read beyond Pipedrive's fields. */
    async shape(entity: string, raws: readonly RawRecord[]): Promise<RawRecord[]> {
      if (entity === 'activities') return raws.map(toActivity)
      if (entity === 'notes') return raws.map(toNote)
      const kind = kindOf[entity]
      const site = kind && raws.length > 0 ? await siteOf() : ''
      return raws.map((raw) => (kind ? { ...raw, url: addressOf(site, entity, raw.id) } : raw))
    },
  }
}

const places: Readonly<Record<string, string>> = { organization: 'accounts', person: 'contacts', deal: 'deals' }

/**
 * Resolves an address to a record. Each company has its own host, so the host must be that of the page with the link.
 */
export function followPipedrive(address: string, from: string | null) {
  const url = URL.parse(address, from ?? undefined)
  const hostOf = (one: string | null) => /^[\w-]+\.pipedrive\.com$/.exec(URL.parse(one ?? '')?.host ?? '')?.[0]
  const host = url && /^https?:$/.test(url.protocol) ? hostOf(url.href) : undefined
  if (!url || !host || (hostOf(from) ?? host) !== host) return null
  const [, name = '', sourceId = ''] = /^\/(organization|person|deal)\/(\d{1,15})(?:\/|$)/.exec(url.pathname) ?? []
  const entity = places[name]
  return { url: url.href, to: entity ? [{ entity, sourceId }] : [] }
}
