import { afterEach, beforeEach, expect, test } from 'vitest'
import { saveCustomer } from '../../twins/helpscout/save-customer.ts'
import { idOf, openTwin, part, record, to } from './open-helpscout.ts'

// Help Scout refuses a whole conversation for the author of one thread, and names its place.

let open: Awaited<ReturnType<typeof openTwin>>
beforeEach(async () => {
  open = await openTwin({ searchLagMs: 0 })
})
afterEach(() => open.close())

const start = () => {
  const { account, staff } = open.twin
  const nora = saveCustomer(account, { firstName: 'Nora', emails: [{ value: 'nora@example.com', type: 'work' }] })
  account.users.change(staff.ben.id, { isGone: true })
  const said = (agent: string, name: string) =>
    part(
      { body: '<p>Words</p>', is_public: true, author_agent: agent },
      { createdBy: { name, email: null, userId: agent } },
    )
  const threadsOf = (id: string) =>
    (account.conversations.get(id)?.threads ?? []).filter(({ type }) => type !== 'lineitem')
  return { staff, said, threadsOf, requester: to('contacts', nora.id) }
}

test('only the comments of agents who are gone lose their authors, and a line names them', async () => {
  const { staff, said, threadsOf, requester } = start()
  const parts = [
    said(staff.anna.id, 'Anna'),
    said(staff.ben.id, 'Ben'),
    said('999', 'Zoe'),
    said(staff.anna.id, 'Anna'),
  ]
  const outcomes = await open.writer().write('tickets', [record({ subject: 'Broken', requester }, { parts })])
  expect(outcomes.map((one) => one.result === 'written' && (one.losses ?? []))).toEqual([
    ...[[], [], ['author_not_kept'], ['author_not_kept'], []],
  ])
  const [, , ...comments] = threadsOf(idOf(outcomes[0]))
  expect(comments.map(({ createdBy }) => String(createdBy.id) === staff.anna.id)).toEqual([true, false, false, true])
  expect(comments.map(({ body }) => /<p>— ([^,]*),/.exec(String(body))?.[1])).toEqual([
    ...[undefined, 'Ben', 'Zoe', undefined],
  ])
})

test('a first message whose agent is gone is the only one that loses its author', async () => {
  const { staff, said, threadsOf, requester } = start()
  const createdBy = { name: 'Ben', email: null, userId: staff.ben.id }
  const parts = [said(staff.anna.id, 'Anna')]
  const ticket = record({ subject: 'Broken', description: '<p>We write</p>', requester }, { createdBy, parts })
  const outcomes = await open.writer().write('tickets', [ticket])
  expect(outcomes).toMatchObject([{ losses: ['author_not_kept'] }, { result: 'written' }])
  expect(outcomes[1]).not.toHaveProperty('losses')
  const [first, , comment] = threadsOf(idOf(outcomes[0]))
  expect(first?.body).toContain('— Ben,')
  expect(String(comment?.createdBy.id)).toBe(staff.anna.id)
})

test('a comment that comes later arrives without an agent who is gone', async () => {
  const { staff, said, threadsOf, requester } = start()
  const id = idOf((await open.writer().write('tickets', [record({ subject: 'Broken', requester })]))[0])
  const { entity: _entity, ...comment } = said(staff.ben.id, 'Ben')
  const fields = { ...comment.fields, ticket: to('tickets', id) }
  const [outcome] = await open.writer().write('comments', [{ ...comment, fields }])
  expect(outcome).toMatchObject({ result: 'written', losses: ['author_not_kept'] })
  expect(threadsOf(id).at(-1)?.body).toContain('— Ben,')
})

test('the comments of customers who are deleted arrive as those of the requester, and a line names them', async () => {
  const { threadsOf, requester } = start()
  const { account } = open.twin
  const gone = saveCustomer(account, { firstName: 'Zoe', emails: [{ value: 'zoe@example.com', type: 'work' }] })
  account.customers.remove(gone.id)
  const said = (name: string | null) =>
    part(
      { body: '<p>Words</p>', is_public: true, author_contact: to('contacts', gone.id) },
      { createdBy: name === null ? null : { name, email: null, userId: null } },
    )
  const [first, second] = await open
    .writer()
    .write('tickets', [record({ subject: 'Broken', requester }, { parts: [said('Zoe')] })])
  expect([first, second]).toMatchObject([{ result: 'written' }, { losses: ['author_not_kept'] }])
  const id = idOf(first)
  expect(threadsOf(id).at(-1)).toMatchObject({ type: 'customer', body: expect.stringContaining('— Zoe,') })

  // One that comes later, and one whose name nobody knows.
  const { entity: _entity, ...comment } = said('Zoe')
  const ticket = to('tickets', id)
  const { entity: _other, ...nameless } = said(null)
  const sent = [comment, { ...nameless, key: 'imp/nameless' }].map((one) => ({
    ...one,
    fields: { ...one.fields, ticket },
  }))
  expect(await open.writer().write('comments', sent)).toMatchObject([
    { result: 'written', losses: ['author_not_kept'] },
    { result: 'written', losses: ['author_replaced'] },
  ])
  expect(threadsOf(id).at(-2)?.body).toContain('— Zoe,')
})
