import type { Entity } from '../../kit/entity.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { Kind, PipedriveApi } from './api.ts'
import * as all from './entities.ts'
import { toActivity, toNote } from './places.ts'

/** Pipedrive's kind of record for each entity that can have custom fields. */
export const kindOf: Readonly<Record<string, Kind>> = { accounts: 'organizations', contacts: 'persons', deals: 'deals' }
const shownAt: Record<Kind, string> = { organizations: 'organization', persons: 'person', deals: 'deal' }

export type Records = ReturnType<typeof openRecords>

/** The declarations of one account, and its records in the form that the declarations read. */
export function openRecords(api: PipedriveApi) {
  const declared = new Map<string, { fields: unknown; entity: Entity }>()
  const siteOf = async () => `https://${(await api.me()).company_domain ?? 'app'}.pipedrive.com`

  const isAdmin = async () => {
    const { is_admin, access = [] } = await api.me()
    return Boolean(is_admin) || access.some(({ admin }) => admin === true)
  }
  return {
    siteOf,
    /** Unchanged fields give the same declaration object, because caches are keyed by that object. */
    async declaration(entity: string): Promise<Entity> {
      const kind = kindOf[entity]
      const fields = kind ? await api.fields(kind) : []
      const known = declared.get(entity)
      if (known?.fields === fields || (known && !kind)) return known.entity
      const facts: all.Facts = { ...all.noFacts, fields }
      const made = {
        accounts: async () => all.accounts(facts),
        contacts: async () => all.contacts(facts),
        deals: async () => all.deals({ ...facts, currencies: (await api.currencies()).map(({ code }) => code) }),
        activities: async () =>
          all.activities({ ...facts, types: (await api.activityTypes()).map(({ key_string }) => key_string) }),
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
      return raws.map((raw) => (kind ? { ...raw, url: `${site}/${shownAt[kind]}/${raw.id}` } : raw))
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
