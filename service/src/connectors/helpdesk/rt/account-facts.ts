import { ObstacleError } from '../../../errors.ts'
import { preflightCheck, tell } from '../../kit/preflight-check.ts'
import type { RtApi } from './api.ts'
import { lookupTypes, type Marked, readFields } from './custom-fields.ts'
import { markerField } from './marker.ts'
import { contacts, groups } from './people.ts'
import { tickets } from './tickets.ts'
import type { WriteContext } from './write-messages.ts'

export type AccountFacts = Awaited<ReturnType<typeof readAccountFacts>>

export async function readAccountFacts(api: RtApi) {
  const queues = await api.all('queue', '/queues/all', { fields: 'id,Name' })
  const named = queues.filter(({ Name }) => !Name?.startsWith('___'))
  const usual = named.find(({ Name }) => Name === 'General') ?? named[0]
  const roles = await api.all('record', '/customroles', { query: [], fields: 'id' })
  const query = [{ field: 'Name', value: markerField }]
  const markers = await api.all('customField', '/customfields', { query, fields: 'id,Name,LookupType' })
  const idFor = (type: string) =>
    markers.find(({ Name, LookupType }) => Name === markerField && LookupType === type)?.id
  return {
    // For tickets without a group.
    defaultQueueId: usual?.id ?? null,
    markerIds: Object.fromEntries(Object.entries(lookupTypes).map(([entity, type]) => [entity, idFor(type)])),
    fields: {
      tickets: await readFields(api, tickets),
      contacts: await readFields(api, contacts),
      groups: await readFields(api, groups),
    },
    // The site added these roles to Requestor, Cc and AdminCc.
    customRoleIds: roles.map(({ id }) => id),
  }
}

export function requireMarker({ markerIds }: AccountFacts, entity: Marked): string {
  const id = markerIds[entity]
  if (id === undefined) throw markerMissing(entity)
  return id
}

const appliesTo = { tickets: 'Tickets', comments: 'Ticket Transactions', groups: 'Queues', contacts: 'Users' }

const markerFix = (entity: Marked): string =>
  `In Request Tracker, choose Admin > Custom Fields > Create. Name: "${markerField}", type: "Enter one value", ` +
  `applies to: "${appliesTo[entity]}". Save it, then choose "Applies to" and tick it for all of them ("globally").`

/** A record without our key could not be found again. */
export const markerMissing = (entity: Marked): ObstacleError =>
  new ObstacleError(
    'marker_missing',
    'customer',
    `The custom field "${markerField}" for ${appliesTo[entity]} is missing. ${markerFix(entity)}`,
  )

export async function checkBeforehand({ api, facts }: WriteContext, token: string) {
  // A token consists of version, user id and secret, separated by dashes.
  const user = await api.one('user', `/user/${Number(token.split('-')[1] ?? 0)}`)
  const { defaultQueueId, fields } = facts
  const queue = defaultQueueId === null ? null : await api.one('queue', `/queue/${defaultQueueId}`)
  // The fields for our key must apply to a queue, its tickets and a user.
  const lists: [Marked, readonly { name: string }[] | undefined][] = [
    ['tickets', queue?.TicketCustomFields],
    ['comments', queue?.TicketTransactionCustomFields],
    ['groups', queue?.CustomFields],
    ['contacts', user?.CustomFields],
  ]
  const markers = lists.map(([entity, list]) =>
    preflightCheck(`marker_${entity}`, list?.some(({ name }) => name === markerField) ?? false, true, {
      fine: `There is a custom field for our key on ${entity}.`,
      amiss: `The custom field "${markerField}" is needed on ${entity}, so that nothing is written twice and everything can be undone.`,
      fix: markerFix(entity),
    }),
  )
  // A form for a ticket that does not exist changes nothing, but shows whether Request Tracker accepts our forms.
  const status = await api.submit(Object.entries({ id: '2147483647', SubmitTicket: '1' }))
  // Request Tracker reads times in custom fields in the user's time zone, and all other times in UTC.
  const hasTimes = [...fields.tickets.values()].some(({ type }) => type === 'datetime')
  const zone = preflightCheck('timezone', ['UTC', 'Etc/UTC', 'GMT'].includes(user?.Timezone ?? ''), false, timezone)
  return [
    ...markers,
    preflightCheck('quiet_messages', status === 404, true, quietMessages),
    ...(hasTimes ? [zone] : []),
    // The API cannot tell whether the scrip is enabled.
    tell('reopening_rule', reopeningRule),
  ]
}

const quietMessages = {
  fine: 'Messages can be written without a mail to anyone.',
  amiss: 'Messages cannot be written without a mail to customers, because the page for them does not take ours.',
  fix: 'Connect Request Tracker by the address that its settings WebDomain and WebPort name, and no other.',
}
const timezone = {
  fine: 'Times in custom fields are kept exactly.',
  amiss: 'Times in custom fields may be shifted, because the user of the token does not have UTC as its time zone.',
  fix: 'In Request Tracker, set the time zone of the user of the token to UTC.',
}
const reopeningRule =
  'Public messages on closed tickets leave two lines about their status in the history while the scrip "On Correspond Open Inactive Tickets" is enabled. Disable it during the import to do without them.'
