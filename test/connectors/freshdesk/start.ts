import type { Account, OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { freshdesk } from '../../../service/src/connectors/helpdesk/freshdesk/index.ts'
import { openFreshdesk } from '../../../service/src/connectors/helpdesk/freshdesk/reader.ts'
import { type Clock, createClock } from '../../twins/clock.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { saveContact } from '../../twins/freshdesk/contacts.ts'
import type { FreshdeskRules } from '../../twins/freshdesk/rules.ts'
import { makeTicket } from '../../twins/freshdesk/save-ticket.ts'
import { startFreshdeskTwin } from '../../twins/freshdesk/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

/** Starts an account with its staff and one contact, and opens both sides of the connector. */
export async function start(
  cleanup: AsyncDisposableStack,
  options: Omit<FreshdeskRules, 'keys'> = {},
  clock: Clock = createClock(),
) {
  const twin = await startFreshdeskTwin(options, clock)
  cleanup.defer(() => twin.close())
  const outbound = createLoopbackOutbound()
  cleanup.defer(() => outbound.close())
  const accountOf = (access: typeof twin.access): Account => ({
    access: { username: null, ...access },
    outbound,
    signal: AbortSignal.timeout(3_600_000),
  })
  const { source, destination } = freshdesk
  if (!source || !destination) throw new Error('Freshdesk is both')
  const contact = saveContact(twin.account, { name: 'Cara', email: 'cara@mail.example.com' })
  const asked = { requester_id: idOf(contact) }
  return {
    ...{ twin, clock, contact, source, destination },
    account: accountOf(twin.access),
    agent: accountOf(twin.agentAccess),
    reader: await source.open(accountOf(twin.access)),
    readerOf: (pageSize: number) => openFreshdesk(accountOf(twin.access), pageSize, options.wallPages),
    writer: await destination.open(accountOf(twin.access)),
    make: (subject: string, more: object = {}) =>
      makeTicket(twin.account, { subject, description: `<p>About ${subject}</p>`, ...asked, ...more }, []),
  }
}

let made = 0
export const outgoing = (fields: Record<string, unknown>, more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
  key: `imp_1/record/${++made}`,
  revision: made,
  destinationId: null,
  createdBy: null,
  fields,
  customFields: {},
  createdAt: '2020-02-02T10:00:00.000Z',
  updatedAt: '2020-03-03T10:00:00.000Z',
  ...more,
})

export const related = (entity: string, destinationId: string | number) => ({
  entity,
  key: `seed/${destinationId}`,
  destinationId: String(destinationId),
})

export const soughtOf = ({ key }: OutgoingRecord, parent: { entity: string; destinationId: string } | null = null) => ({
  key,
  destinationId: null,
  parent,
})
