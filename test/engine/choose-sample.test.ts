import { expect, test } from 'vitest'
import { chooseForCoverage } from '../../service/src/engine/choose-sample.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'

const ticket = (sourceId: string, body: string, more: FamilyRecord['fields'] = {}): FamilyRecord => ({
  entity: 'tickets',
  sourceId,
  fields: { subject: `Ticket ${sourceId}`, description: { format: 'html', body }, assignee: { userId: '1' }, ...more },
})

test('6,000 tickets, one of them of 1 MB, are chosen in a few turns of the event loop each', async () => {
  const tickets = Array.from({ length: 6_000 }, (_, index) => ticket(String(index), '<p>Hello</p>'))
  tickets[3] = ticket('long', 'Привет <b>you</b> '.repeat(60_000))
  const start = process.cpuUsage()
  const chosen = await chooseForCoverage(tickets, 20)
  const { user, system } = process.cpuUsage(start)
  expect(chosen).toHaveLength(20)
  expect(chosen.map(({ sourceId }) => sourceId)).toContain('long')
  // An earlier version scored the long ticket again for each of the others, which took hours. CPU time is measured,
  // because the machine may be busy.
  expect((user + system) / 1_000).toBeLessThan(5_000)
})

test('a sample has the longest text, other scripts, the most markup, the most and the fewest fields, and a record without a person', async () => {
  const tickets = Array.from({ length: 200 }, (_, index) => ticket(String(index), '<p>Hello</p>'))
  tickets[31] = ticket('long', 'word '.repeat(1_000))
  tickets[47] = ticket('other script', 'こんにちは世界')
  tickets[53] = ticket('markup', '<p><b>a</b><i>b</i><u>c</u></p>')
  tickets[67] = ticket('full', 'x', { status: 'open', priority: 'high', tags: ['a'] })
  tickets[71] = { ...ticket('empty', 'x'), fields: { assignee: { userId: '1' } } }
  tickets[83] = {
    ...ticket('of nobody', 'x'),
    fields: { subject: 'Nobody', description: { format: 'html', body: 'x' } },
  }
  const chosen = (await chooseForCoverage(tickets, 20)).map(({ sourceId }) => sourceId)
  expect(chosen).toEqual(
    expect.arrayContaining(['long', 'other script', 'markup', 'full', 'empty', 'of nobody', '0', '199']),
  )
})
