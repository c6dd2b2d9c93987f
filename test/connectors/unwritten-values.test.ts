import { afterEach, expect, test } from 'vitest'
import type { OutgoingRecord, Writer } from '../../service/src/connectors/contract/contract.ts'
import { start as startFreshdesk } from './freshdesk/start.ts'
import { openTwin } from './helpscout/open-helpscout.ts'
import { startBoth } from './zendesk/start-both.ts'

// Values that people add to a copy in a field that the import never writes: the copy counts as changed, so an undo keeps it.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

interface Opened {
  writer: Writer
  change(id: string, values: object): unknown
}

const tools = {
  async freshdesk(entity: string): Promise<Opened> {
    const { twin, writer } = await startFreshdesk(cleanup)
    const store = entity === 'contacts' ? twin.account.contacts : twin.account.companies
    return { writer, change: (id, values) => store.change(id, values) }
  },
  async zendesk(): Promise<Opened> {
    const { twin, writer } = await startBoth(cleanup)
    return { writer, change: (id, values) => twin.account.users.change(id, values) }
  },
  async helpscout(): Promise<Opened> {
    const open = await openTwin({ searchLagMs: 0 })
    cleanup.defer(() => open.close())
    return { writer: open.writer(), change: (id, values) => open.twin.account.customers.change(id, values) }
  },
}

test.each([
  ['freshdesk', 'contacts', { job_title: 'Head of sales' }],
  ['freshdesk', 'contacts', { tags: ['vip'] }],
  ['freshdesk', 'organizations', { health_score: 'At risk' }],
  ['zendesk', 'contacts', { alias: 'Dr. Nord' }],
  ['helpscout', 'contacts', { jobTitle: 'Head of sales' }],
] as const)('%s: %s with %j of people are changed copies', async (tool, entity, values) => {
  const { writer, change } = await tools[tool](entity)
  const named = { name: 'Nora Nord' }
  const record: OutgoingRecord = {
    ...{ key: 'imp_1/record/1', revision: 1, destinationId: null, createdBy: null, customFields: {} },
    ...{ createdAt: '2020-02-02T10:00:00.000Z', updatedAt: null },
    fields: entity === 'contacts' ? { ...named, emails: ['nora@mail.example.com'] } : named,
  }
  const [outcome] = await writer.write(entity, [record])
  if (outcome?.result !== 'written') throw new Error(JSON.stringify(outcome))
  const look = async () => {
    const [found] = await writer.find(entity, [{ key: record.key, destinationId: outcome.destinationId, parent: null }])
    return found?.version
  }
  expect(await look()).toBe(outcome.version)
  await change(outcome.destinationId, values)
  expect(await look()).not.toBe(outcome.version)
})
