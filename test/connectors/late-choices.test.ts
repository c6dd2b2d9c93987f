import { afterEach, expect, test, vi } from 'vitest'
import type { Account, OutgoingRecord, Writer } from '../../service/src/connectors/contract/contract.ts'
import { openHubspotWriter } from '../../service/src/connectors/crm/hubspot/writer.ts'
import { openFreshdeskWriter } from '../../service/src/connectors/helpdesk/freshdesk/writer.ts'
import { openIntercomWriter } from '../../service/src/connectors/helpdesk/intercom/writer.ts'
import { openZendeskWriter } from '../../service/src/connectors/helpdesk/zendesk/writer.ts'
import { RetryableError } from '../../service/src/errors.ts'
import { createClock } from '../twins/clock.ts'
import type { Faults } from '../twins/faults.ts'
import { startFreshdeskTwin } from '../twins/freshdesk/twin.ts'
import { startHubspotTwin } from '../twins/hubspot/twin.ts'
import { startIntercomTwin } from '../twins/intercom/twin.ts'
import { startZendeskTwin } from '../twins/zendesk/twin.ts'
import { createLoopbackOutbound } from './desk-account.ts'
import { keepSides } from './keep-sides.ts'

// These tools replace all choices of a field at once: a request that they carry out late would take away newer choices.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

interface Tool {
  entity: string
  /** The request that changes the choices. */
  changing: readonly [method: string, path: string]
  access: Account['access']
  faults: Faults
  close(): Promise<void>
  open(account: Account): Writer
  choices(): (string | undefined)[]
}

const title = 'Colour'
const tools: Readonly<Record<string, () => Promise<Tool>>> = {
  async zendesk() {
    const twin = await startZendeskTwin({}, createClock())
    return {
      ...{ entity: 'organizations', changing: ['PUT', '/api/v2/organization_fields/'], faults: twin.faults },
      ...{ access: twin.access, close: () => twin.close(), open: openZendeskWriter },
      choices: () =>
        twin.account.fields
          .list((one) => one.title === title)
          .flatMap(({ options }) => options.map(({ name }) => name)),
    }
  },
  async freshdesk() {
    const twin = await startFreshdeskTwin({}, createClock())
    return {
      ...{ entity: 'contacts', changing: ['PUT', '/api/v2/contact_fields/'], faults: twin.faults },
      ...{ access: { username: null, ...twin.access }, close: () => twin.close(), open: openFreshdeskWriter },
      choices: () =>
        twin.account.fields
          .list(({ label }) => label === title)
          .flatMap(({ choices }) => choices.map(({ value }) => String(value))),
    }
  },
  async hubspot() {
    const twin = await startHubspotTwin({}, createClock())
    return {
      ...{ entity: 'contacts', changing: ['PATCH', '/crm/v3/properties/contacts/'], faults: twin.faults },
      ...{ access: { username: null, ...twin.access }, close: () => twin.close() },
      open: (account) => openHubspotWriter(account, 'crm'),
      choices: () =>
        twin.account.properties.contacts.find(({ label }) => label === title)?.options.map(({ value }) => value) ?? [],
    }
  },
  async intercom() {
    const twin = await startIntercomTwin({}, createClock())
    return {
      ...{ entity: 'contacts', changing: ['PUT', '/data_attributes/'], faults: twin.faults },
      ...{ access: { username: null, ...twin.access }, close: () => twin.close(), open: openIntercomWriter },
      choices: () =>
        twin.account.dataAttributes.find(({ name }) => name === title)?.options?.map(({ label }) => label) ?? [],
    }
  },
}

test.each(Object.keys(tools))(
  'a change of choices that %s carries out late takes no newer choice away',
  async (name) => {
    const tool = await (tools[name] as () => Promise<Tool>)()
    cleanup.defer(() => tool.close())
    const outbound = createLoopbackOutbound()
    cleanup.defer(() => outbound.close())
    const sides = keepSides()
    const account: Account = { access: tool.access, outbound, sides, signal: AbortSignal.timeout(600_000) }
    let made = 0
    const write = async (value: string) => {
      const record: OutgoingRecord = {
        ...{ key: `imp/${++made}`, revision: made, destinationId: null, createdBy: null },
        ...{ fields: { name: value }, customFields: { colour: { label: title, type: 'option', value } } },
        ...{ createdAt: null, updatedAt: null },
      }
      try {
        // Another worker may go on, and knows only what the ledger knows.
        const [outcome] = await tool.open(account).write(tool.entity, [record])
        return outcome?.result === 'failed' ? outcome.error : outcome?.result
      } catch (error) {
        return error
      }
    }
    expect(await write('Red')).toBe('written')
    tool.faults.next(...tool.changing, { kind: 'late', ms: 3_000 })
    expect(await write('Green')).toBeInstanceOf(RetryableError)
    const blocked = await write('Blue')
    await vi.waitFor(() => expect(tool.choices()).toContain('Green'), { timeout: 60_000, interval: 20 })
    if (blocked !== 'written') {
      expect(blocked).toBeInstanceOf(RetryableError)
      expect((blocked as RetryableError).retryAfterMs).toBeGreaterThan(50_000)
      // The request cannot take effect any more.
      for (const one of await sides.list('changed_choices')) await sides.note({ ...one, version: '0' })
      expect(await write('Blue')).toBe('written')
    }
    expect(tool.choices()).toEqual(expect.arrayContaining(['Red', 'Green', 'Blue']))
    expect(await sides.list('changed_choices')).toEqual([])
  },
)
