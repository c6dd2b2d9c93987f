import { afterEach, expect, test } from 'vitest'
import { idOf } from '../../twins/freshdesk/account.ts'
import { addConversation } from '../../twins/freshdesk/conversations.ts'
import { readAll } from '../reader-contract.ts'
import { start } from './start.ts'

// Tickets with more conversations than one page of Freshdesk has.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

test('conversations that are deleted, or whose ticket is archived, while they are read hide none', async () => {
  for (const change of ['deleted', 'archived'] as const) {
    const { twin, make, reader } = await start(cleanup)
    const ticket = make('Long', { status: 5 })
    const said = Array.from({ length: 130 }, (_, at) =>
      addConversation(twin.account, ticket, { user_id: idOf(twin.staff.ben), body: `<p>Note ${at}</p>` }),
    )
    const first = await reader.read('comments', null, {})
    if (change === 'archived') twin.account.tickets.change(ticket.id, { isArchived: true })
    else
      for (const { id } of said.slice(0, 9)) {
        twin.account.conversations.remove(id)
        twin.account.conversationsOf.get(idOf(ticket))?.delete(id)
      }
    const rest = await readAll((cursor) => reader.read('comments', cursor ?? first.next, {}))
    const ids = new Set([...first.items, ...rest].map(({ sourceId }) => sourceId))
    expect(said.filter(({ id }) => !ids.has(`${ticket.id}-${id}`))).toEqual([])
  }
})
