import { ObstacleError } from '../../../errors.ts'
import type { RtApi } from './api.ts'
import { lookupTypes, type Marked, type RtFields, readFields } from './custom-fields.ts'
import { markerField } from './marker.ts'
import { contacts, groups } from './people.ts'
import { tickets } from './tickets.ts'

/** Facts about the account that a writer needs. */
export interface AccountFacts {
  /** The queue for tickets without a group. */
  defaultQueueId: string | null
  /** Ids of the custom fields that hold our key. */
  markerIds: Partial<Record<Marked, string>>
  fields: Record<'tickets' | 'contacts' | 'groups', RtFields>
  /** Ids of roles that the site added to Requestor, Cc and AdminCc. */
  customRoleIds: string[]
}

export async function readAccountFacts(api: RtApi): Promise<AccountFacts> {
  const queues = await api.all('queue', '/queues/all', { fields: 'id,Name' })
  const named = queues.filter(({ Name }) => !Name?.startsWith('___'))
  const usual = named.find(({ Name }) => Name === 'General') ?? named[0]
  const roles = await api.all('record', '/customroles', { query: [], fields: 'id' })
  const query = [{ field: 'Name', value: markerField }]
  const markers = await api.all('customField', '/customfields', { query, fields: 'id,Name,LookupType' })
  const idFor = (type: string) =>
    markers.find(({ Name, LookupType }) => Name === markerField && LookupType === type)?.id
  return {
    defaultQueueId: usual?.id ?? null,
    markerIds: Object.fromEntries(Object.entries(lookupTypes).map(([entity, type]) => [entity, idFor(type)])),
    fields: {
      tickets: await readFields(api, tickets),
      contacts: await readFields(api, contacts),
      groups: await readFields(api, groups),
    },
    customRoleIds: roles.map(({ id }) => id),
  }
}

/** The id of the custom field for our key. */
export function requireMarker({ markerIds }: AccountFacts, entity: Marked): string {
  const id = markerIds[entity]
  if (id === undefined) throw markerMissing(entity)
  return id
}

const appliesTo = { tickets: 'Tickets', comments: 'Ticket Transactions', groups: 'Queues', contacts: 'Users' }

export const markerFix = (entity: Marked): string =>
  `In Request Tracker, choose Admin > Custom Fields > Create. Name: "${markerField}", type: "Enter one value", ` +
  `applies to: "${appliesTo[entity]}". Save it, then choose "Applies to" and tick it for all of them ("globally").`

/** A record without our key could not be found again. */
export const markerMissing = (entity: Marked): ObstacleError =>
  new ObstacleError(
    'marker_missing',
    'customer',
    `The custom field "${markerField}" for ${appliesTo[entity]} is missing. ${markerFix(entity)}`,
  )
