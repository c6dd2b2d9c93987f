import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { minuteMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { addConversation } from '../../twins/freshdesk/conversations.ts'
import { keepFiles } from '../../twins/freshdesk/files.ts'
import { readAll } from '../reader-contract.ts'
import { start } from './start.ts'

// Files of tickets whose texts and messages were read a moment ago.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const part = (fileName: string) => ({
  ...{ name: 'attachments[]', fileName, contentType: 'text/plain', bytes: Buffer.from(fileName) },
})

async function open() {
  const { twin, make, reader } = await start(cleanup)
  const { account, staff } = twin
  const ticket = make('One')
  account.tickets.change(ticket.id, { attachments: keepFiles(account, [part('a.txt')]) })
  for (const name of ['b.txt', 'c.txt'])
    addConversation(account, ticket, {
      ...{ user_id: idOf(staff.anna), body: 'So', private: false, attachments: keepFiles(account, [part(name)]) },
    })
  const paths: string[] = []
  twin.faults.when(({ url }) => {
    if (url.pathname.startsWith('/api/')) paths.push(url.pathname)
    return null
  })
  const tickets = [{ entity: 'tickets', sourceId: ticket.id }]
  const readSome = (entity: string, parents: readonly { entity: string; sourceId: string }[]) =>
    readAll(async (cursor) => {
      const page = await reader.readSome?.(entity, { parents: [...parents] }, cursor)
      return page ?? { items: [], warnings: [], next: null }
    })
  return { twin, reader, paths, ticket, tickets, readSome }
}

test('files of a ticket cost no request of their own after its text and messages were read', async () => {
  const { twin, reader, paths, tickets, readSome } = await open()
  await reader.read('tickets', null, {})
  const comments = await readSome('comments', tickets)
  paths.length = 0
  const files = await readSome('attachments', [...tickets, ...comments])
  expect(files.map(({ fields }) => fields.file_name)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(await readSome('attachments', tickets)).toHaveLength(1)
  expect(await readSome('attachments', comments.slice(1))).toHaveLength(1)
  const words = async () =>
    Promise.all(files.map(async (file) => (await buffer((await reader.openFile(file)).body)).toString()))
  expect(await words()).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(paths).toEqual([])
  // Addresses that have expired are asked for anew.
  twin.clock.advance(10 * minuteMs)
  expect(await words()).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(paths).not.toEqual([])
  twin.expectNoViolations()
})

test('files of tickets whose messages were not all read are asked for', async () => {
  const { reader, tickets, ticket, readSome } = await open()
  await reader.read('tickets', null, {})
  const comments = [{ entity: 'comments', sourceId: `${ticket.id}-1` }]
  expect(await readSome('attachments', [...tickets, ...comments])).toHaveLength(1)
  const all = await reader.read('comments', null, {})
  expect(await readSome('attachments', [...tickets, ...all.items])).toHaveLength(3)
})
