import { ObstacleError } from '../../errors.ts'
import type { RtApi } from './api.ts'
import { lookupTypes, type RtField, readFields } from './custom-fields.ts'
import { markerField } from './marker.ts'
import { takeFields } from './schema.ts'

/** What a writer knows of the account beforehand. */
export interface AccountFacts {
  /** Where tickets go that have no group. */
  defaultQueueId: string | null
  /** Ids of the custom fields that hold our key. */
  markerIds: Partial<Record<keyof typeof lookupTypes, string>>
  fields: Record<'tickets' | 'contacts' | 'groups', ReadonlyMap<string, RtField>>
  /** Ids of roles that the site added to Requestor, Cc and AdminCc. */
  customRoleIds: string[]
}

export async function readAccountFacts(api: RtApi): Promise<AccountFacts> {
  const queues = await api.listAll('/queues/all', { fields: ['id', 'Name'] })
  const named = queues.map((queue) => takeFields('queue', queue).raw).filter(({ Name }) => !Name?.startsWith('___'))
  const usual = named.find(({ Name }) => Name === 'General') ?? named[0]
  const roles = await api.listAll('/customroles', { query: [], fields: ['id'] })
  return {
    defaultQueueId: usual?.id ?? null,
    markerIds: await readMarkerIds(api),
    fields: {
      tickets: await readFields(api, 'tickets'),
      contacts: await readFields(api, 'contacts'),
      groups: await readFields(api, 'groups'),
    },
    customRoleIds: roles.map(({ id }) => String(id)),
  }
}

async function readMarkerIds(api: RtApi): Promise<AccountFacts['markerIds']> {
  const query = [{ field: 'Name', value: markerField }]
  const listed = await api.listAll('/customfields', { query, fields: ['id', 'Name', 'LookupType'] })
  const ids: AccountFacts['markerIds'] = {}
  for (const record of listed) {
    const { raw } = takeFields('customField', record)
    for (const entity of Object.keys(lookupTypes) as (keyof typeof lookupTypes)[]) {
      if (raw.Name === markerField && raw.LookupType === lookupTypes[entity]) ids[entity] ??= raw.id
    }
  }
  return ids
}

/** Nothing is written that could not be found again. */
export function requireMarker(facts: AccountFacts, entity: keyof typeof lookupTypes): string {
  const id = facts.markerIds[entity]
  if (id === undefined) throw markerMissing(entity)
  return id
}

const appliesTo = { tickets: 'Tickets', comments: 'Ticket Transactions', groups: 'Queues', contacts: 'Users' }

export const markerFix = (entity: keyof typeof appliesTo): string =>
  `In Request Tracker, choose Admin > Custom Fields > Create. Name: "${markerField}", type: "Enter one value", ` +
  `applies to: "${appliesTo[entity]}". Save it, then choose "Applies to" and tick it for all of them ("globally").`

export const markerMissing = (entity: keyof typeof appliesTo): ObstacleError =>
  new ObstacleError(
    'marker_missing',
    'customer',
    `The custom field "${markerField}" for ${appliesTo[entity]} is missing. ${markerFix(entity)}`,
  )
