import type { PreflightCheck } from '../contract.ts'
import { markerFix } from './account-facts.ts'
import { markerField } from './marker.ts'
import type { WriteContext } from './post-messages.ts'
import { takeFields } from './schema.ts'

type Marked = 'tickets' | 'comments' | 'groups' | 'contacts'

export async function checkBeforehand(context: WriteContext, token: string): Promise<PreflightCheck[]> {
  return [
    ...(await checkMarkers(context, token)),
    await checkForm(context),
    ...(await checkZone(context, token)),
    reopeningRule,
  ]
}

/** Whether the rule is on cannot be asked. */
const reopeningRule: PreflightCheck = {
  code: 'reopening_rule',
  isFine: true,
  isBlocking: false,
  message:
    'Public messages on closed tickets leave two lines about their status in the history while the scrip "On Correspond Open Inactive Tickets" is enabled. Disable it during the import to do without them.',
}

/** Not only that the fields exist: they must also be there on a queue, its tickets and a user. */
async function checkMarkers(context: WriteContext, token: string): Promise<PreflightCheck[]> {
  const { api, facts } = context
  const queue = facts.defaultQueueId === null ? null : await api.get(`/queue/${facts.defaultQueueId}`)
  const user = await api.get(`/user/${userIdOf(token)}`)
  const { raw: onQueue } = queue ? takeFields('queue', queue) : { raw: {} as Record<string, undefined> }
  const lists: Record<Marked, readonly { name: string }[] | undefined> = {
    tickets: onQueue.TicketCustomFields,
    comments: onQueue.TicketTransactionCustomFields,
    groups: onQueue.CustomFields,
    contacts: user ? takeFields('user', user).raw.CustomFields : undefined,
  }
  return (Object.keys(lists) as Marked[]).map((entity) => {
    const isFine = lists[entity]?.some(({ name }) => name === markerField) ?? false
    return {
      code: `marker_${entity}`,
      isFine,
      isBlocking: true,
      message: isFine
        ? `There is a custom field for our key on ${entity}.`
        : `The custom field "${markerField}" is needed on ${entity}, so that nothing is written twice and everything can be undone.`,
      ...(isFine ? {} : { fix: markerFix(entity) }),
    }
  })
}

/** A form for a ticket that does not exist changes nothing, and yet shows whether forms are taken from us. */
async function checkForm({ pages }: WriteContext): Promise<PreflightCheck> {
  const form = [
    ['id', '2147483647'],
    ['SubmitTicket', '1'],
  ] as const
  const isFine = (await pages.submit('/Ticket/Update.html', form)) === 'not found'
  return {
    code: 'quiet_messages',
    isFine,
    isBlocking: true,
    message: isFine
      ? 'Messages can be written without a mail to anyone.'
      : 'Messages cannot be written without a mail to customers, because the page for them does not take ours.',
    ...(isFine
      ? {}
      : { fix: 'Connect Request Tracker by the address that its settings WebDomain and WebPort name, and no other.' }),
  }
}

/** Times in custom fields are taken in the zone of the user; everything else is in UTC. */
async function checkZone({ api, facts }: WriteContext, token: string): Promise<PreflightCheck[]> {
  if (![...facts.fields.tickets.values()].some(({ type }) => type === 'datetime')) return []
  const user = await api.get(`/user/${userIdOf(token)}`)
  const zone = user ? takeFields('user', user).raw.Timezone : ''
  const isFine = zone === 'UTC' || zone === 'Etc/UTC' || zone === 'GMT'
  return [
    {
      code: 'timezone',
      isFine,
      isBlocking: false,
      message: isFine
        ? 'Times in custom fields are kept exactly.'
        : 'Times in custom fields may be shifted, because the user of the token does not have UTC as its time zone.',
      ...(isFine ? {} : { fix: 'In Request Tracker, set the time zone of the user of the token to UTC.' }),
    },
  ]
}

/** A token names its user: version, id and secret, with dashes between. */
const userIdOf = (token: string): string => String(Number(token.split('-')[1] ?? 0))
