import { afterAll, beforeEach, expect, test } from 'vitest'
import { createLoopbackOutbound } from '../../../../../test/connectors/desk-account.ts'
import { callAs } from '../../../../../test/live/wordpress-seed.ts'
import { startWordpressTwin, type WordpressTwin } from '../../../../../test/twins/wordpress/twin.ts'
import type { Account, OutgoingRecord } from '../../contract/contract.ts'
import { sidesInMemory } from '../../kit/sides-in-memory.ts'
import { openWordpress } from './reader.ts'
import { openWordpressWriter } from './writer.ts'

const outbound = createLoopbackOutbound()
let twin: WordpressTwin
let account: Account

beforeEach(async () => {
  twin = await startWordpressTwin()
  // Every note stays, as it does when the process ends before the tool's answer.
  const sides = { ...sidesInMemory(), forget: async () => {} }
  account = { access: twin.access, outbound, signal: AbortSignal.timeout(3_600_000), sides }
  return () => twin.close()
})
afterAll(() => outbound.close())

const record = (name: string): OutgoingRecord => ({
  ...{ key: `k/${name}`, revision: 1, destinationId: null, createdBy: null },
  ...{ fields: { name }, customFields: {}, createdAt: null, updatedAt: null },
})

test.each([
  ['tags', 'made_tags'],
  ['categories', 'made_categories'],
])('an undo removes %s whose answer was lost, unless posts use them', async (entity, kind) => {
  const call = callAs(twin.access)
  for (let term = 0; term < 101; term += 1) await call('POST', `/${entity}`, { name: `Other ${term}` })
  const writer = openWordpressWriter(account)
  const [unused, used] = await writer.write(entity, [record('Tiles & more'), record('Roofs')])
  expect([unused, used]).toMatchObject([{ result: 'written' }, { result: 'written' }])
  const usedId = used?.result === 'written' ? used.destinationId : ''
  await call('POST', '/posts', { title: 'Of people', status: 'publish', [entity]: [Number(usedId)] })
  const notes = (await account.sides?.list(kind)) ?? []
  expect(await writer.removeSides?.(notes, { isForced: false })).toMatchObject([
    { kind, result: 'removed' },
    { kind, result: 'kept', destinationId: usedId, message: 'Posts of this site use it.' },
  ])
  const left = await writer.find(
    entity,
    [unused, used].map((one, index) => ({
      key: String(index),
      parent: null,
      destinationId: one?.result === 'written' ? one.destinationId : '',
    })),
  )
  expect(left.map(({ key }) => key)).toEqual(['1'])
  // Without the term, there is nothing left to remove.
  expect(await writer.removeSides?.(notes.slice(0, 1), { isForced: false })).toMatchObject([{ result: 'removed' }])
})

test('categories, which have whole pages only, are read once each', async () => {
  const call = callAs(twin.access)
  for (let term = 0; term < 6; term += 1) await call('POST', '/categories', { name: `Category ${term}` })
  const reader = openWordpress(account, 3)
  const names: unknown[] = []
  for (let cursor: string | null | undefined = null; cursor !== undefined; ) {
    const page = await reader.read('categories', cursor, {})
    names.push(...page.items.map(({ fields }) => fields.name))
    cursor = page.next ?? undefined
  }
  expect(names).toEqual(['Uncategorized', ...[0, 1, 2, 3, 4, 5].map((term) => `Category ${term}`)])
})
