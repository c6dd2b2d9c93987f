import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { idOf } from '../../twins/zendesk/account.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { saveUser } from '../../twins/zendesk/users.ts'
import { outgoing, startBoth } from './start-both.ts'

// Zendesk refuses a whole ticket for the author of one comment, and does not say of which one.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const contact = (id: unknown) => ({ entity: 'contacts', key: `seed/${id}`, destinationId: String(id) })

async function start() {
  const { twin, writer } = await startBoth(cleanup)
  const { account } = twin
  const rita = saveUser(account, { name: 'Rita', email: 'rita@example.test' })
  const paul = saveUser(account, { name: 'Paul', email: 'paul@example.test' })
  const part = (fields: object, more = {}) => ({
    ...outgoing({ body: '<p>Words</p>', is_public: true, ...fields }, more),
    entity: 'comments',
  })
  const anna = String(idOf(twin.staff.anna))
  const imports = () => twin.seen.filter((one) => one.startsWith('POST /api/v2/imports/tickets')).length
  return { twin, writer, account, rita, paul, part, anna, me: idOf(twin.staff.admin), imports }
}

const refused = {
  kind: 'answered' as const,
  status: 422,
  json: {
    error: 'RecordInvalid',
    description: 'Record validation errors',
    details: { author: [{ description: 'Author: is invalid', error: 'InvalidValue' }] },
  },
}

test('only the comments of people who are gone lose their authors, and a line names them', async () => {
  const { account, writer, rita, paul, part, anna, me, imports } = await start()
  account.users.remove(paul.id, { isKept: true })
  const zoe = { name: 'Zoe', email: null, userId: '999999' }
  const parts = [
    part({ author_agent: anna }),
    part({ author_contact: contact(paul.id) }),
    part({ author_agent: '999999' }, { createdBy: zoe }),
    part({ author_contact: contact(999998) }),
    part({ author_contact: contact(rita.id) }),
  ]
  const record = outgoing({ subject: 'One', description: '<p>Help</p>', requester: contact(rita.id) }, { parts })
  const outcomes = await writer.write('tickets', [record])
  expect(outcomes.map((one) => one.result === 'written' && (one.losses ?? []))).toEqual([
    ...[[], [], ['author_not_kept'], ['author_not_kept'], ['author_replaced'], []],
  ])
  const said = commentsOf(account, 1)
  expect(said.map(({ author_id }) => author_id)).toEqual([idOf(rita), Number(anna), me, me, me, idOf(rita)])
  expect(said.map(({ html }) => /<p[^>]*>— ([^,]*),/.exec(html)?.[1])).toEqual([
    ...[undefined, undefined, 'Paul', 'Zoe', undefined, undefined],
  ])
  expect(imports()).toBe(2)
})

test('a first message whose author is gone is the only one that loses the author', async () => {
  const { account, writer, rita, part, anna, me } = await start()
  const createdBy = { name: 'Zoe', email: null, userId: '999999' }
  const fields = { subject: 'One', description: '<p>Help</p>', requester: contact(rita.id) }
  const record = outgoing(fields, { createdBy, parts: [part({ author_agent: anna })] })
  const outcomes = await writer.write('tickets', [record])
  expect(outcomes).toMatchObject([{ result: 'written', losses: ['author_not_kept'] }, { result: 'written' }])
  expect(outcomes[1]).not.toHaveProperty('losses')
  expect(commentsOf(account, 1).map(({ author_id }) => author_id)).toEqual([me, Number(anna)])
})

test('a suspended author is left out, and all of them only if nobody is gone or suspended', async () => {
  const { twin, account, writer, rita, paul, part, anna, me } = await start()
  saveUser(account, { suspended: true }, paul)
  const write = (subject: string) => {
    const parts = [part({ author_agent: anna }), part({ author_contact: contact(paul.id) })]
    return writer.write('tickets', [outgoing({ subject, requester: contact(rita.id) }, { parts })])
  }
  const authorsOf = (ticket: number) => commentsOf(account, ticket).map(({ author_id }) => author_id)
  twin.faults.next('POST', '/api/v2/imports/tickets', refused)
  await write('One')
  expect(authorsOf(1)).toEqual([idOf(rita), Number(anna), me])
  twin.faults.next('POST', '/api/v2/imports/tickets', refused, 2)
  const losses = (await write('Two')).map((one) => one.result === 'written' && one.losses)
  expect(losses).toEqual([['author_not_kept'], ['author_not_kept'], ['author_not_kept']])
  expect(authorsOf(2)).toEqual([me, me, me])
})

test('a comment and a file that come later arrive without an author who is gone', async () => {
  const { account, writer, rita, paul, me } = await start()
  await writer.describe()
  account.users.remove(paul.id, { isKept: true })
  await writer.write('tickets', [outgoing({ subject: 'One', status: 'open', requester: contact(rita.id) })])
  const ticket = { entity: 'tickets', key: 'seed/1', destinationId: '1' }
  const comment = { ticket, body: '<p>Later</p>', is_public: false, author_contact: contact(paul.id) }
  const [later] = await writer.write('comments', [outgoing(comment, { createdAt: null })])
  expect(later).toMatchObject({ result: 'written', losses: ['author_not_kept'] })
  const file = outgoing({ parent: ticket, file_name: 'a.txt', uploaded_by: '999999' })
  const body = Readable.from([Buffer.from('a')])
  const outcome = await writer.writeFile('attachments', { ...file, size: 1, contentType: 'text/plain', body })
  expect(outcome).toMatchObject({ result: 'written', losses: ['author_replaced'] })
  const [, second, third] = commentsOf(account, 1)
  expect([second, third]).toMatchObject([{ author_id: me, html: expect.stringContaining('Paul') }, { author_id: me }])
})
