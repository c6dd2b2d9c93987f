import { ObstacleError } from '../../../errors.ts'
import type { RtApi } from './api.ts'
import { lookupTypes, type Marked, type RtFields, readFields } from './custom-fields.ts'
import { markerField } from './marker.ts'
import { contacts, groups } from './people.ts'
import { take } from './schema.ts'
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
  const queues = await api.listAll('/queues/all', { fields: 'id,Name' })
  const named = queues.map((queue) => take('queue', queue)).filter(({ Name }) => !Name?.startsWith('___'))
  const usual = named.find(({ Name }) => Name === 'General') ?? named[0]
  const roles = await api.listAll('/customroles', { query: [], fields: 'id' })
  return {
    defaultQueueId: usual?.id ?? null,
    markerIds: await readMarkerIds(api),
    fields: {
      tickets: await readFields(api, tickets),
      contacts: await readFields(api, contacts),
      groups: await readFields(api, groups),
    },
    customRoleIds: roles.map(({ id }) => String(id)),
  }
}

async function readMarkerIds(api: RtApi): Promise<AccountFacts['markerIds']> {
  const query = [{ field: 'Name', value: markerField }]
  const listed = await api.listAll('/customfields', { query, fields: 'id,Name,LookupType' })
  const ours = listed.map((record) => take('customField', record)).filter(({ Name }) => Name === markerField)
  const idFor = (type: string) => ours.find(({ LookupType }) => LookupType === type)?.id
  return Object.fromEntries(Object.entries(lookupTypes).map(([entity, type]) => [entity, idFor(type)]))
}

/** Throws if the custom field for our key is missing: a record without our key could not be found again. */
export function requireMarker(facts: AccountFacts, entity: Marked): string {
  const id = facts.markerIds[entity]
  if (id === undefined) throw markerMissing(entity)
  return id
}

const appliesTo = { tickets: 'Tickets', comments: 'Ticket Transactions', groups: 'Queues', contacts: 'Users' }

export const markerFix = (entity: Marked): string =>
  `In Request Tracker, choose Admin > Custom Fields > Create. Name: "${markerField}", type: "Enter one value", ` +
  `applies to: "${appliesTo[entity]}". Save it, then choose "Applies to" and tick it for all of them ("globally").`

export const markerMissing = (entity: Marked): ObstacleError =>
  new ObstacleError(
    'marker_missing',
    'customer',
    `The custom field "${markerField}" for ${appliesTo[entity]} is missing. ${markerFix(entity)}`,
  )
