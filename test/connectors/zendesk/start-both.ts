import type { Account, OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { zendesk } from '../../../service/src/connectors/helpdesk/zendesk/index.ts'
import { type Clock, createClock } from '../../twins/clock.ts'
import type { ZendeskRules } from '../../twins/zendesk/rules.ts'
import { startZendeskTwin } from '../../twins/zendesk/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

/** A twin with a reader and a writer. */
export async function startBoth(
  cleanup: AsyncDisposableStack,
  options: Omit<ZendeskRules, 'tokens'> = {},
  clock: Clock = createClock(),
) {
  const twin = await startZendeskTwin(options, clock)
  cleanup.defer(() => twin.close())
  const outbound = createLoopbackOutbound()
  cleanup.defer(() => outbound.close())
  const signal = AbortSignal.timeout(3_600_000)
  const account: Account = { access: twin.access, outbound, signal }
  const agent: Account = { access: twin.agentAccess, outbound, signal }
  const { source, destination } = zendesk
  if (!source || !destination) throw new Error('Zendesk is both')
  return {
    twin,
    clock,
    account,
    agent,
    source,
    destination,
    reader: await source.open(account),
    writer: await destination.open(account),
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
