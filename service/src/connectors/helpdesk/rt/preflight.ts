import type { PreflightCheck } from '../../contract/contract.ts'
import { markerFix } from './account-facts.ts'
import type { Marked } from './custom-fields.ts'
import { markerField } from './marker.ts'
import type { WriteContext } from './post-messages.ts'
import type { Raw } from './schema.ts'

export async function checkBeforehand(context: WriteContext, token: string): Promise<PreflightCheck[]> {
  // A token consists of version, user id and secret, separated by dashes.
  const user = await context.api.one('user', `/user/${Number(token.split('-')[1] ?? 0)}`)
  return [
    ...(await checkMarkers(context, user)),
    await checkForm(context),
    ...checkZone(context, user),
    check('reopening_rule', true, false, reopeningRule, '', ''),
  ]
}

/** The API cannot tell whether the scrip is enabled. */
const reopeningRule =
  'Public messages on closed tickets leave two lines about their status in the history while the scrip "On Correspond Open Inactive Tickets" is enabled. Disable it during the import to do without them.'

/** `fine` and `amiss` are the customer's messages for success and failure. */
const check = (
  code: string,
  isFine: boolean,
  isBlocking: boolean,
  fine: string,
  amiss: string,
  fix: string,
): PreflightCheck => ({ code, isFine, isBlocking, message: isFine ? fine : amiss, ...(isFine ? {} : { fix }) })

/** Checks that the fields for our key exist, and that they apply to a queue, its tickets and a user. */
async function checkMarkers({ api, facts }: WriteContext, user: Raw<'user'> | null): Promise<PreflightCheck[]> {
  const { defaultQueueId } = facts
  const queue = defaultQueueId === null ? null : await api.one('queue', `/queue/${defaultQueueId}`)
  const lists: Record<Marked, readonly { name: string }[] | undefined> = {
    tickets: queue?.TicketCustomFields,
    comments: queue?.TicketTransactionCustomFields,
    groups: queue?.CustomFields,
    contacts: user?.CustomFields,
  }
  return (Object.keys(lists) as Marked[]).map((entity) => {
    const isFine = lists[entity]?.some(({ name }) => name === markerField) ?? false
    const amiss = `The custom field "${markerField}" is needed on ${entity}, so that nothing is written twice and everything can be undone.`
    const fine = `There is a custom field for our key on ${entity}.`
    return check(`marker_${entity}`, isFine, true, fine, amiss, markerFix(entity))
  })
}

/**
 * Sends a form for a ticket that does not exist. This changes nothing, but shows whether Request Tracker accepts our
 * forms.
 */
async function checkForm({ api }: WriteContext): Promise<PreflightCheck> {
  const form = Object.entries({ id: '2147483647', SubmitTicket: '1' })
  return check(
    'quiet_messages',
    (await api.submit(form)) === 404,
    true,
    'Messages can be written without a mail to anyone.',
    'Messages cannot be written without a mail to customers, because the page for them does not take ours.',
    'Connect Request Tracker by the address that its settings WebDomain and WebPort name, and no other.',
  )
}

/** Request Tracker reads times in custom fields in the user's time zone, and all other times in UTC. */
function checkZone({ facts }: WriteContext, user: Raw<'user'> | null): PreflightCheck[] {
  if (![...facts.fields.tickets.values()].some(({ type }) => type === 'datetime')) return []
  return [
    check(
      'timezone',
      ['UTC', 'Etc/UTC', 'GMT'].includes(user?.Timezone ?? ''),
      false,
      'Times in custom fields are kept exactly.',
      'Times in custom fields may be shifted, because the user of the token does not have UTC as its time zone.',
      'In Request Tracker, set the time zone of the user of the token to UTC.',
    ),
  ]
}
