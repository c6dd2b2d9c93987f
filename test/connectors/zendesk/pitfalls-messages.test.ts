import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { hourMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/zendesk/account.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { saveUser } from '../../twins/zendesk/users.ts'
import { changeAnswers } from '../change-answers.ts'
import { outgoing, startBoth } from './start-both.ts'

// Peculiarities of Zendesk as a destination of comments and files.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const relation = (entity: string, id: string) => ({ entity, key: `seed/${id}`, destinationId: id })

test('the first message of an agent without an account names the agent, and is not by the requester', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const person = saveUser(twin.account, { name: 'Rita', email: 'rita@example.test' })
  const createdBy = { name: 'Zoe', email: 'zoe@example.test', userId: null }
  const fields = { subject: 'One', description: '<p>Secret</p>', requester: relation('contacts', person.id) }
  const record = outgoing({ ...fields, is_private: true }, { createdBy })
  expect(await writer.write('tickets', [record])).toMatchObject([{ result: 'written' }])
  const [ticket] = twin.account.tickets.list()
  const [first] = commentsOf(twin.account, Number(ticket?.id))
  expect(first).toMatchObject({ author_id: idOf(twin.staff.admin), public: false })
  expect(first?.html).toContain('Zoe')
  // The added line does not count as a difference.
  const [found] = await writer.find('tickets', [{ key: record.key, destinationId: null, parent: null }])
  expect(found?.fields.description).toEqual((await writer.asStored('tickets', record)).fields.description)
})

test('times before 1970 and in the future are changed, and the loss is reported for each message', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const author_agent = String(idOf(twin.staff.anna))
  const message = (body: string, createdAt: string) => ({
    ...outgoing({ author_agent, body: `<p>${body}</p>`, is_public: true }, { createdAt }),
    entity: 'comments',
  })
  const soon = new Date(Date.now() + hourMs).toISOString()
  const parts = [
    message('Old', '1969-12-31T00:00:00.000Z'),
    message('Fine', '2020-02-05T00:00:00.500Z'),
    message('Soon', soon),
  ]
  const record = outgoing(
    { subject: 'One', description: '<p>Words</p>' },
    { parts, createdAt: '1965-01-01T00:00:00.000Z' },
  )
  const outcomes = await writer.write('tickets', [record])
  const lost = { result: 'written', losses: ['moment_not_kept'] }
  expect(outcomes).toMatchObject([lost, lost, { result: 'written' }, lost])
  expect(outcomes[2]).not.toHaveProperty('losses')
  const years = commentsOf(twin.account, 1).map(({ created_at }) => created_at.slice(0, 4))
  expect(years.sort()).toEqual(['1970', '1970', '1970', '2020'])
})

test('all comments of a ticket go inside it, and 1,000 if Zendesk refuses it for its size', async () => {
  const { twin, writer } = await startBoth(cleanup)
  expect((await writer.describe()).entities.tickets?.carries?.comments).toMatchObject({ most: 4_999 })
  const author_agent = String(idOf(twin.staff.anna))
  const parts = Array.from({ length: 1_100 }, (_, at) => ({
    ...outgoing({ author_agent, body: `<p>${at}</p>` }),
    entity: 'comments',
  }))
  const count = (outcomes: { result: string }[], result: string) =>
    outcomes.filter((one) => one.result === result).length
  const whole = await writer.write('tickets', [outgoing({ subject: 'One' }, { parts })])
  expect([count(whole, 'written'), count(whole, 'untried')]).toEqual([1_101, 0])
  twin.faults.next('POST', '/api/v2/imports/tickets', { kind: 'answered', status: 413, json: {} })
  const cut = await writer.write('tickets', [outgoing({ subject: 'Two' }, { parts })])
  expect([count(cut, 'written'), count(cut, 'untried')]).toEqual([1_001, 100])
  expect(twin.account.mails).toEqual([])
})

test('texts that Zendesk cuts are reported, and tags that it refuses are left out', async () => {
  const { twin, account, destination, writer } = await startBoth(cleanup)
  const { entities } = await writer.describe()
  expect(entities.tickets?.fields).toMatchObject({ subject: { maxLength: 255 }, description: { maxLength: 65_535 } })
  const long = `<p>${'слово '.repeat(10_000)}</p>`
  const cutting = changeAnswers(account.outbound, '/api/v2/tickets/1/comments', ({ comments }) => {
    for (const one of comments) one.html_body = one.html_body.slice(0, 32_000)
  })
  const part = { ...outgoing({ author_agent: String(idOf(twin.staff.anna)), body: long }), entity: 'comments' }
  const record = outgoing(
    { subject: 'One', description: long },
    { parts: [part, { ...part, fields: { body: '<p>x</p>' } }] },
  )
  const other = await destination.open({ ...account, outbound: cutting })
  const [ticket, first, second] = await other.write('tickets', [record])
  expect([ticket, first]).toMatchObject([{ losses: ['text_shortened'] }, { losses: ['text_shortened'] }])
  expect(second).not.toHaveProperty('losses')
  const late = (body: string) => outgoing({ ticket: relation('tickets', '1'), body }, { createdAt: null })
  const [cut, whole] = await other.write('comments', [late(long), late('<p>x</p>')])
  expect(cut).toMatchObject({ result: 'written', losses: ['text_shortened'] })
  expect(whole).not.toHaveProperty('losses')
  const details = { tags: [{ description: 'Tags: is too long', error: 'InvalidValue' }] }
  const json = { error: 'RecordInvalid', description: 'Record validation errors', details }
  twin.faults.next('POST', '/api/v2/imports/tickets', { kind: 'answered', status: 422, json })
  expect(await writer.write('tickets', [outgoing({ subject: 'Two', tags: ['a'] })])).toMatchObject([
    { result: 'written', losses: ['tags_left_out'] },
  ])
})

test.each([
  ['its ticket', '2020-02-04T10:00:00.000Z'],
  ['a ticket without a time', null],
])('a comment older than %s does not become the description', async (_of, createdAt) => {
  const { twin, writer } = await startBoth(cleanup)
  const said = (word: string, day: number) => ({
    ...outgoing({ body: `<p>${word}</p>`, is_public: word === 'Mail' }, { createdAt: `2020-02-0${day}T10:00:00.000Z` }),
    entity: 'comments',
  })
  // A mail that the ticket was made from, and a note that somebody linked to it.
  const parts = [said('Mail', 3), said('Note', 2)]
  const [ticket] = await writer.write('tickets', [
    outgoing({ subject: 'A', description: '<p>Words</p>', is_private: false }, { parts, createdAt }),
  ])
  const listed = commentsOf(twin.account, 1).toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
  expect(listed.map(({ html }) => html?.replace(/<[^>]*>/g, ''))).toEqual(['Words', 'Note', 'Mail'])
  expect(listed.map(({ created_at }) => created_at.slice(0, 19))).toEqual([
    '2020-02-02T09:59:59',
    '2020-02-02T10:00:00',
    '2020-02-03T10:00:00',
  ])
  const [found] = await writer.find('tickets', [{ key: String(ticket?.key), destinationId: '1', parent: null }])
  expect(found?.fields).toMatchObject({ description: 'Words' })
})

test('comments are known by their times and words, although Zendesk gives their ids in any order', async () => {
  const { account, destination } = await startBoth(cleanup)
  const reversed = (id: number) => 800_000_000_000 - id
  const outbound = changeAnswers(account.outbound, '/api/v2/tickets/1/comments', ({ comments }) => {
    for (const one of comments) one.id = reversed(one.id)
  })
  const said = (word: string, day: number) => ({
    ...outgoing({ body: `<p>${word}</p>`, is_public: true }, { createdAt: `2020-02-0${day}T10:00:00.000Z` }),
    entity: 'comments',
  })
  // The second comment has an earlier time than the first.
  const parts = [said('One', 4), said('Two', 3), said('Three', 5)]
  const writer = await destination.open({ ...account, outbound })
  const [ticket, ...outcomes] = await writer.write('tickets', [
    outgoing({ subject: 'A', description: '<p>Zero</p>' }, { parts }),
  ])
  const parent = { entity: 'tickets', destinationId: '1' }
  const sought = outcomes.map((one) => ({
    key: one.key,
    destinationId: 'destinationId' in one ? one.destinationId : '',
    parent,
  }))
  const found = await writer.find('comments', sought)
  expect(found.map(({ key, fields }) => [key, fields.body])).toEqual(
    parts.map(({ key }, at) => [key, ['One', 'Two', 'Three'][at]]),
  )
  const [own] = await writer.find('tickets', [{ key: String(ticket?.key), destinationId: '1', parent: null }])
  expect(own?.fields.description).toBe('Zero')
  // Without an id, a comment is found by its place among the times.
  const lost = { key: 'k', destinationId: null, parent, position: 2 }
  expect(await writer.find('comments', [lost])).toMatchObject([{ fields: { body: 'Three' } }])
})

test('a picture for agents alone is taken out of a public message and stays in an internal one', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const picture = async (holder: { key: string }) => {
    const parent = { entity: 'tickets', key: holder.key, destinationId: '' }
    const file = outgoing({ parent, file_name: 'a.png', is_private: true })
    const body = Readable.from([Buffer.from('a')])
    const upload = await writer.uploadFile?.('attachments', { ...file, size: 1, contentType: 'image/png', body })
    return { ...file, entity: 'attachments', upload: upload ?? { token: '', url: null } }
  }
  for (const is_private of [false, true]) {
    const record = outgoing({ subject: 'One', is_private })
    const file = await picture(record)
    const shown = `<img src="${file.upload.url}" alt="a"> and <a href="${file.upload.url}">this</a>`
    const fields = { ...record.fields, description: `<p>See ${shown}</p>` }
    const [ticket, part] = await writer.write('tickets', [{ ...record, fields, parts: [file] }])
    expect([ticket, part]).toMatchObject([{ result: 'written' }, { result: is_private ? 'written' : 'untried' }])
    const id = ticket && 'destinationId' in ticket ? Number(ticket.destinationId) : 0
    const html = commentsOf(twin.account, id)[0]?.html
    if (is_private) expect(html).toContain(shown)
    else {
      expect(ticket).toMatchObject({ losses: ['picture_hidden'] })
      expect(html).toContain('See  and <a>this</a>')
    }
  }
})

test('a file sends a mail to the agent and the followers of its ticket, as the plan says', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const { entities } = await writer.describe()
  expect(entities.attachments?.capabilities?.silentCreate).not.toBe(true)
  const [anna, ben] = [twin.staff.anna, twin.staff.ben].map((one) => String(idOf(one)))
  const record = outgoing({ subject: 'One', status: 'open', assignee: anna, followers: [ben] })
  const [ticket] = await writer.write('tickets', [record])
  expect(twin.account.staffMails).toEqual([])
  const parent = relation('tickets', ticket && 'destinationId' in ticket ? String(ticket.destinationId) : '')
  const file = { ...outgoing({ parent, file_name: 'a.txt' }), size: 1, contentType: 'text/plain' }
  await writer.writeFile('attachments', { ...file, body: Readable.from([Buffer.from('a')]) })
  expect(twin.account.staffMails).toHaveLength(2)
  expect(twin.account.mails).toEqual([])
  expect((await writer.preflight?.())?.find(({ code }) => code === 'mail_about_files')).toMatchObject({
    ...{ isFine: false, isBlocking: false, message: expect.stringContaining('the followers') },
  })
})

test('a public comment that a later run adds is mailed to the requester, and the plan says so', async () => {
  const { twin, writer } = await startBoth(cleanup)
  await writer.describe()
  const [ticket] = await writer.write('tickets', [outgoing({ subject: 'One', status: 'open' })])
  expect(twin.account.mails).toEqual([])
  const parent = relation('tickets', ticket && 'destinationId' in ticket ? String(ticket.destinationId) : '')
  await writer.write('comments', [outgoing({ ticket: parent, body: '<p>Note</p>', is_public: false })])
  expect(twin.account.mails).toEqual([])
  await writer.write('comments', [outgoing({ ticket: parent, body: '<p>Reply</p>', is_public: true })])
  expect(twin.account.mails).toHaveLength(1)
  expect((await writer.preflight?.())?.find(({ code }) => code === 'mail_about_comments')).toMatchObject({
    ...{ isFine: false, isBlocking: false, isAboutLaterRuns: true },
    ...{ message: expect.stringContaining('a later run'), fix: expect.stringContaining('trigger') },
  })
})

test.each([
  [false, ['kept_for_agents']],
  [true, []],
])(
  'a file that comes after its ticket is a note; the report says so if customers saw it (private: %j)',
  async (is_private, losses) => {
    const { writer } = await startBoth(cleanup)
    await writer.describe()
    const [ticket] = await writer.write('tickets', [outgoing({ subject: 'One', status: 'open' })])
    const parent = relation('tickets', ticket && 'destinationId' in ticket ? String(ticket.destinationId) : '')
    const file = { ...outgoing({ parent, file_name: 'a.txt', is_private }), size: 1, contentType: 'text/plain' }
    const outcome = await writer.writeFile('attachments', { ...file, body: Readable.from([Buffer.from('a')]) })
    expect(outcome.result === 'written' && (outcome.losses ?? [])).toEqual(losses)
  },
)

test('a comment that follows its ticket stands behind newer ones, and a line says when it was written', async () => {
  const { twin, writer } = await startBoth(cleanup)
  await writer.describe()
  const author_agent = String(idOf(twin.staff.anna))
  const [ticket] = await writer.write('tickets', [outgoing({ subject: 'One', status: 'open' })])
  const parent = relation('tickets', ticket && 'destinationId' in ticket ? String(ticket.destinationId) : '')
  const write = async (createdAt: string, more = {}) => {
    const record = outgoing({ ticket: parent, body: '<p>Words</p>', is_public: false, ...more }, { createdAt })
    const [outcome] = await writer.write('comments', [record])
    const destinationId = outcome && 'destinationId' in outcome ? outcome.destinationId : ''
    const [found] = await writer.find('comments', [{ key: record.key, destinationId, parent: null }])
    expect(found?.fields).toEqual((await writer.asStored('comments', record)).fields)
    return { outcome, html: commentsOf(twin.account, Number(parent.destinationId)).at(-1)?.html }
  }
  const old = await write('2020-02-02T10:00:00.000Z', { author_agent })
  expect(old.outcome).toMatchObject({ losses: ['moment_not_kept'] })
  expect(old.html).toMatch(/— 2020-02-02 —.*Words/s)
  expect((await write(new Date().toISOString(), { author_agent })).html).not.toContain('—')
})

test('after a lost answer the run waits before it looks for a comment or a file, because a double cannot be removed', async () => {
  const { writer } = await startBoth(cleanup)
  const { entities } = await writer.describe()
  for (const name of ['comments', 'attachments'])
    expect([name, entities[name]?.capabilities?.settleMs]).toEqual([name, 60_000])
})
