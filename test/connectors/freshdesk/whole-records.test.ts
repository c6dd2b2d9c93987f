import { afterEach, expect, test } from 'vitest'
import { openFreshdesk } from '../../../service/src/connectors/helpdesk/freshdesk/reader.ts'
import { changeAnswers } from '../change-answers.ts'
import { start } from './start.ts'

// Values that only some accounts have.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

test('a ticket with two owners names the inner agent and group, also those who left', async () => {
  const { twin, account, make } = await start(cleanup)
  const [agent] = twin.account.agents.list()
  const ticket = make('Shared')
  const group = { id: 77, name: 'Workshop', agent_ids: [], created_at: null, updated_at: null }
  const read = async (internal_agent_id: unknown, internal_group_id: unknown) => {
    const changed = changeAnswers(account.outbound, `/api/v2/tickets/${ticket.id}`, (json) =>
      Object.assign(json, { internal_agent_id, internal_group_id }),
    )
    const outbound = changeAnswers(changed, '/api/v2/groups', (json) => json.push(group))
    const [only] = (await openFreshdesk({ ...account, outbound }).read('tickets', null, {})).items
    return [only?.customFields?.internal_agent?.value, only?.customFields?.internal_group?.value]
  }
  expect(await read(Number(agent?.id), 77)).toEqual([expect.stringMatching(/[a-z]/), 'Workshop'])
  expect(await read(987_654, 78)).toEqual(['987654', '78'])
  expect(await read(null, null)).toEqual([undefined, undefined])
})
