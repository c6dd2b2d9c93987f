import type { PreflightCheck } from '../../contract/contract.ts'
import { markerFix } from './account-facts.ts'
import type { Marked } from './custom-fields.ts'
import { markerField } from './marker.ts'
import type { WriteContext } from './post-messages.ts'

/** `fine` and `amiss` are the customer's messages for success and failure. */
const check = (
  code: string,
  isFine: boolean,
  isBlocking: boolean,
  [fine, amiss, fix]: readonly [string, string, string],
): PreflightCheck => ({ code, isFine, isBlocking, message: isFine ? fine : amiss, ...(isFine ? {} : { fix }) })

export async function checkBeforehand({ api, facts }: WriteContext, token: string): Promise<PreflightCheck[]> {
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
    check(`marker_${entity}`, list?.some(({ name }) => name === markerField) ?? false, true, [
      `There is a custom field for our key on ${entity}.`,
      `The custom field "${markerField}" is needed on ${entity}, so that nothing is written twice and everything can be undone.`,
      markerFix(entity),
    ]),
  )
  // A form for a ticket that does not exist changes nothing, but shows whether Request Tracker accepts our forms.
  const status = await api.submit(Object.entries({ id: '2147483647', SubmitTicket: '1' }))
  // Request Tracker reads times in custom fields in the user's time zone, and all other times in UTC.
  const hasTimes = [...fields.tickets.values()].some(({ type }) => type === 'datetime')
  const zone = check('timezone', ['UTC', 'Etc/UTC', 'GMT'].includes(user?.Timezone ?? ''), false, timezone)
  return [
    ...markers,
    check('quiet_messages', status === 404, true, quietMessages),
    ...(hasTimes ? [zone] : []),
    // The API cannot tell whether the scrip is enabled.
    check('reopening_rule', true, false, [reopeningRule, '', '']),
  ]
}

const quietMessages = [
  'Messages can be written without a mail to anyone.',
  'Messages cannot be written without a mail to customers, because the page for them does not take ours.',
  'Connect Request Tracker by the address that its settings WebDomain and WebPort name, and no other.',
] as const
const timezone = [
  'Times in custom fields are kept exactly.',
  'Times in custom fields may be shifted, because the user of the token does not have UTC as its time zone.',
  'In Request Tracker, set the time zone of the user of the token to UTC.',
] as const
const reopeningRule =
  'Public messages on closed tickets leave two lines about their status in the history while the scrip "On Correspond Open Inactive Tickets" is enabled. Disable it during the import to do without them.'
