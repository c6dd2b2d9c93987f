import { expect, test } from 'vitest'
import type { FoundRecord } from '../connectors/contract/contract.ts'
import { judgeRemoval } from './judge-removal.ts'
import type { PlacedRow } from './ledger.ts'
import { recordKey } from './record-key.ts'
import type { RunContext } from './run-context.ts'

test('a record that a sending of ours left unfinished is removable, and one that differs otherwise is an edit', async () => {
  const written = {
    entity: 'tickets',
    source_id: '1',
    state: 'written',
    destination_id: 'd1',
    written_hash: '\\x00',
    sent_hash: null,
    stored_hash: null,
    changing: null,
  }
  const key = recordKey('imp', 'tickets', '1')
  const judge = async (more: Partial<FoundRecord>, rowMore: Partial<PlacedRow> = {}) => {
    const row = { ...written, ...rowMore }
    const found = { key, destinationId: 'd1', fields: { subject: 'Other' }, customFields: {}, version: '2', ...more }
    const context = {
      ...{ importId: 'imp', writer: { find: async () => [found] } },
      mapping: { destination: { capabilities: { deliveryClass: 'C' }, entities: { tickets: {} } } },
    } as unknown as RunContext
    const [judged] = await judgeRemoval(context, 'tickets', [row as unknown as PlacedRow])
    return judged?.finding
  }
  expect(await judge({})).toBe('edited')
  expect(await judge({ isUnfinished: true }, { sent_hash: '\\x01' })).toBe('removable')
  expect(await judge({ isUnfinished: true }, { state: 'intended', destination_id: null })).toBe('removable')
  // A second record of the same key.
  expect(await judge({ isUnfinished: true, destinationId: 'd2' })).toBe('removable')
  // An earlier request took effect late and marked the finished record again.
  expect(await judge({ isUnfinished: true })).toBe('edited')
})
