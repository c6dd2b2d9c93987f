import { expect, test } from 'vitest'
import type { FoundRecord } from '../connectors/contract/contract.ts'
import { judgeRemoval } from './judge-removal.ts'
import type { PlacedRow } from './ledger.ts'
import { recordKey } from './record-key.ts'
import type { RunContext } from './run-context.ts'

test('a record that a change of ours left unfinished is removable, and one that differs otherwise is an edit', async () => {
  const row = {
    entity: 'tickets',
    source_id: '1',
    destination_id: 'd1',
    written_hash: '\\x00',
    stored_hash: null,
    changing: null,
  }
  const key = recordKey('imp', 'tickets', '1')
  const judge = async (more: Partial<FoundRecord>) => {
    const found = { key, destinationId: 'd1', fields: { subject: 'Other' }, customFields: {}, version: '2', ...more }
    const context = {
      ...{ importId: 'imp', writer: { find: async () => [found] } },
      mapping: { destination: { capabilities: { deliveryClass: 'C' }, entities: { tickets: {} } } },
    } as unknown as RunContext
    const [judged] = await judgeRemoval(context, 'tickets', [row as unknown as PlacedRow])
    return judged?.finding
  }
  expect(await judge({})).toBe('edited')
  expect(await judge({ isUnfinished: true })).toBe('removable')
})
