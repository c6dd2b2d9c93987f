import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CustomField } from '../../../service/src/connectors/contract/contract.ts'
import { openHelpscoutWriter } from '../../../service/src/connectors/helpdesk/helpscout/writer.ts'
import { FileMissingError, ObstacleError } from '../../../service/src/errors.ts'
import type { Outbound } from '../../../service/src/outbound/outbound.ts'
import { minuteMs } from '../../twins/clock.ts'
import type { Property } from '../../twins/helpscout/account.ts'
import { saveOrganization } from '../../twins/helpscout/organizations.ts'
import { saveConversation } from '../../twins/helpscout/save-conversation.ts'
import { saveCustomer } from '../../twins/helpscout/save-customer.ts'
import { dot, seedDesk } from '../../twins/helpscout/seed.ts'
import { readAll } from '../reader-contract.ts'
import { file, idOf, openTwin, part, record, to } from './open-helpscout.ts'

// Changes after the first copy, and parts of records that need requests of their own. Nobody ever gets a mail.

type Opened = Awaited<ReturnType<typeof openTwin>>
let open: Opened
beforeEach(async () => {
  open = await openTwin({ searchLagMs: 0 })
})
afterEach(async () => {
  expect(open.twin.mails).toEqual([])
  await open.close()
})

const readEvery = (entity: string, since?: string) => {
  const reader = open.reader()
  return readAll((cursor) => reader.read(entity, cursor, since === undefined ? {} : { since }))
}
const isFilled = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0)
const filled = (fields: object = {}) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value)))
const types = ['text', 'number', 'url', 'date', 'dropdown'] as const
const values: Readonly<Record<Property['type'], string | number>> = {
  ...{ text: 'Gold', number: 5_000_000, url: 'https://example.org/x', date: '2020-01-15', dropdown: 'Software' },
}
const define = (list: 'properties' | 'organizationProperties') => {
  for (const type of types) {
    const options = type === 'dropdown' ? ['Software', 'Health'].map((label) => ({ id: `id of ${label}`, label })) : []
    open.twin.account[list].put({ id: `a-${type}`, slug: `a-${type}`, name: `A ${type}`, type, options })
  }
}
const customValues = (fields: readonly CustomField[]) =>
  Object.fromEntries(
    fields.map(({ key, label, type }) => [key, { label, type, value: values[label.slice(2) as Property['type']] }]),
  )
const offeredBy = async (writer: ReturnType<Opened['writer']>, entity: string) => {
  const { customFields = [] } = (await writer.describe()).entities[entity] ?? {}
  return customFields === 'any' ? [] : customFields
}
const person = () => saveCustomer(open.twin.account, { firstName: 'Nora', emails: [{ value: 'n@example.com' }] })

test.each(['organizations', 'contacts'] as const)('%s keep properties of every type', async (entity) => {
  define(entity === 'contacts' ? 'properties' : 'organizationProperties')
  const writer = open.writer()
  const offered = await offeredBy(writer, entity)
  expect(offered).toMatchObject(types.map((type) => ({ label: `A ${type}` })))
  const sent = record({ name: 'Acme' }, { customFields: customValues(offered) })
  const [outcome] = await writer.write(entity, [sent])
  expect(outcome).toMatchObject({ result: 'written' })
  expect(outcome).not.toHaveProperty('losses')
  const [found] = await open.writer().find(entity, [{ key: sent.key, destinationId: idOf(outcome), parent: null }])
  expect(found?.customFields).toEqual((await writer.asStored(entity, sent)).customFields)
  const [read] = await readEvery(entity)
  const told = Object.values(read?.customFields ?? {}).map(({ label, value }) => [label, value])
  expect(told).toEqual(types.map((type) => [`A ${type}`, values[type]]))
})

test('a property that Help Scout refuses does not cost the other properties', async () => {
  define('properties')
  const writer = open.writer()
  const offered = await offeredBy(writer, 'contacts')
  const customFields = customValues(offered)
  const [key = ''] = offered.filter(({ type }) => type === 'date').map((one) => one.key)
  customFields[key] = { label: 'A date', type: 'date', value: 'one day' as never }
  const [outcome] = await writer.write('contacts', [record({ name: 'Nora' }, { customFields })])
  expect(outcome).toMatchObject({ losses: ['custom_value_refused'] })
  const { properties } = open.twin.account.customers.get(idOf(outcome)) ?? {}
  expect(Object.keys(properties ?? {})).toEqual(['a-text', 'a-number', 'a-url', 'a-dropdown'])
})

test('values that the source has lost are cleared in copies of people, organizations and tickets', async () => {
  define('properties')
  define('organizationProperties')
  const writer = open.writer()
  const number = (await offeredBy(writer, 'tickets')).find(({ type }) => type === 'integer')
  const firm = saveOrganization(open.twin.account, { name: 'Firm' })
  const requester = to('contacts', person().id)
  const small = { [String(number?.key)]: { label: 'N', type: 'integer' as const, value: 4 } }
  const full: [string, Record<string, unknown>, Record<string, unknown>, object][] = [
    [
      'organizations',
      { name: 'Acme' },
      { domains: ['acme.example'], description: 'Street 1', notes: 'Late' },
      customValues(await offeredBy(writer, 'organizations')),
    ],
    [
      'contacts',
      { name: 'Rita Rot', emails: ['r@example.com'] },
      {
        emails: ['r@example.com', 'second@example.com'],
        phones: ['+491'],
        notes: 'Nice',
        organization: to('organizations', firm.id),
      },
      customValues(await offeredBy(writer, 'contacts')),
    ],
    ['tickets', { subject: 'One', requester }, { tags: ['a'], description: '<p>Long</p>' }, small],
  ]
  for (const [entity, base, more, customFields] of full) {
    const sent = record({ ...base, ...more }, { customFields: customFields as never })
    const destinationId = idOf((await writer.write(entity, [sent]))[0])
    const empty = { ...record(base), key: sent.key, destinationId }
    expect(await writer.write(entity, [empty]), entity).toMatchObject([{ result: 'written' }])
    const [found] = await open.writer().find(entity, [{ key: sent.key, destinationId, parent: null }])
    const wanted = await writer.asStored(entity, empty)
    expect(filled(found?.fields), entity).toEqual(filled(wanted.fields))
    expect(filled(found?.customFields), entity).toEqual(filled(wanted.customFields))
  }
})

test('an assignee whom the source has lost is reported, because Help Scout might tell people', async () => {
  const sent = record({ subject: 'One', requester: to('contacts', person().id), assignee: open.twin.staff.anna.id })
  const destinationId = idOf((await open.writer().write('tickets', [sent]))[0])
  const { assignee: _gone, ...fields } = sent.fields
  const [outcome] = await open.writer().write('tickets', [{ ...sent, fields, destinationId }])
  expect(outcome).toMatchObject({ result: 'written', losses: ['assignee_refused'] })
})

test('a closed ticket keeps the time of closing, and one that was closed since reports the loss', async () => {
  const requester = to('contacts', person().id)
  const closed_at = '2020-02-03T04:05:06.700Z'
  const tickets = ['closed', 'open'].map((status) => record({ subject: status, requester, status, closed_at }))
  const outcomes = await open.writer().write('tickets', tickets)
  const talks = () => outcomes.map((one) => open.twin.account.conversations.get(idOf(one)))
  expect(talks()).toMatchObject([{ closedAt: '2020-02-03T04:05:06Z' }, { closedAt: null }])
  expect(outcomes.flatMap((one) => ('losses' in one ? one.losses : []))).toEqual([])
  const [, opened] = tickets
  if (!opened) throw new Error('no ticket was sent')
  const change = { ...opened, destinationId: idOf(outcomes[1]), fields: { ...opened.fields, status: 'closed' } }
  expect(await open.writer().write('tickets', [change])).toMatchObject([{ losses: ['moment_not_kept'] }])
  expect(talks()[1]?.status).toBe('closed')
})

test('a text whose links or pictures alone have changed is written again, with the line that names its author', async () => {
  const { entities } = await open.writer().describe()
  for (const name of ['tickets', 'comments']) expect(entities[name]?.hidesLinks).toBe(true)
  const createdBy = { name: 'Gone Agent', email: null, userId: null }
  const text = (address: string) => `<p>See <a href="${address}">this</a> <img src="${address}/p.png"></p>`
  const [one, other] = ['https://old.example/1', 'https://new.example/2']
  const requester = to('contacts', person().id)
  const comment = part({ body: text(one), is_public: true }, { createdBy })
  const sent = record({ subject: 'One', requester, description: text(one) }, { createdBy })
  const [ticket, message] = await open.writer().write('tickets', [{ ...sent, parts: [comment] }])
  const ticketId = idOf(ticket)
  const changed = { ...sent, fields: { ...sent.fields, description: text(other) }, destinationId: ticketId }
  await open.writer().write('tickets', [changed])
  const fields = { ...comment.fields, body: text(other), ticket: to('tickets', ticketId) }
  await open.writer().write('comments', [{ ...comment, fields, destinationId: idOf(message) }])
  const bodies = () =>
    open.twin.account.conversations
      .get(ticketId)
      ?.threads.flatMap(({ body, type }) => (type === 'message' ? [body] : []))
  expect(bodies()?.map((body) => body?.replace(/^<p>— (.*?), .* —<\/p>/, '$1: '))).toEqual([
    `Gone Agent: ${text(other)}`,
    `Gone Agent: ${text(other)}`,
  ])
  const patches = open.seenAt('PATCH')
  await open.writer().write('tickets', [changed])
  expect(open.seenAt('PATCH')).toBe(patches)
})

test('pictures and files of an article are read, and links to them lead to their records', async () => {
  const { docs, docsTwin } = open.twin
  const site = docs.sites.put({ id: docs.nextId(), title: 'Help', subDomain: 'help' })
  const guide = docs.addCollection(site.id, 'Guide')
  const put = (fileName: string) => {
    const asset = docs.assets.put({ id: docs.nextId(), articleId: '', fileName, bytes: dot })
    return `${docsTwin.url}/assets/${asset.id}/${encodeURIComponent(fileName)}`
  }
  const [shown, linked] = [put('a b.png'), put('manual.pdf')]
  const other = 'https://elsewhere.example/assets/tracker.png'
  const away = '//d33v4339jhl8k0.cloudfront.net/docs/assets/1/images/2/file-x.png'
  const text = `<p><img src="${shown}"><img src="${other}"><img src="${away}"><a href="${linked}">Manual</a></p>`
  const { id } = docs.addArticle(guide.id, 'One', text, { status: 'published' })
  const found = await readEvery('attachments')
  expect(found.map(({ fields }) => [fields.file_name, fields.is_inline, fields.is_private, fields.parent])).toEqual([
    ['a b.png', true, false, { entity: 'articles', sourceId: id }],
    ['file-x.png', true, false, { entity: 'articles', sourceId: id }],
    ['manual.pdf', false, false, { entity: 'articles', sourceId: id }],
  ])
  const [article] = await readEvery('articles')
  const [picture, cloud, manual] = found
  expect(article?.fields.body).toMatchObject({
    inlineFiles: [
      { url: shown, attachment: picture?.sourceId },
      { url: away, attachment: cloud?.sourceId },
    ],
  })
  const reader = open.reader()
  expect(reader.follow?.(linked, null)?.to).toEqual([{ sourceUrl: manual?.sourceUrl }])
  const some = await reader.readSome?.('attachments', { ids: found.map(({ sourceId }) => sourceId) }, null)
  expect(some?.items).toEqual(found)
  const under = await reader.readSome?.('attachments', { parents: [{ entity: 'articles', sourceId: id }] }, null)
  expect(under?.items).toEqual(found)
  if (!manual) throw new Error('the file was not read')
  const pieces: Buffer[] = []
  for await (const piece of (await reader.openFile(manual)).body) pieces.push(piece as Buffer)
  expect(Buffer.concat(pieces).equals(dot)).toBe(true)
})

test('an article is read again when its collection or category is closed to readers', async () => {
  const { docs, clock } = open.twin
  const site = docs.sites.put({ id: docs.nextId(), title: 'Help', subDomain: 'help' })
  const [first, second, third] = ['A', 'B', 'C'].map((name) => docs.addCollection(site.id, name))
  if (!first || !second || !third) throw new Error('no collections')
  const shelf = docs.addCategory(second.id, 'Shelf')
  docs.addArticle(first.id, 'One', 'x', { status: 'published' })
  docs.addArticle(second.id, 'Two', 'x', { status: 'published', categories: [shelf.id] })
  docs.addArticle(third.id, 'Three', 'x', { status: 'published' })
  for (const { id } of docs.articles.list()) docs.articles.change(id, { updatedAt: docs.now() })
  clock.advance(10 * minuteMs)
  const since = new Date(clock.now()).toISOString()
  docs.changeCollection(first, { visibility: 'private' })
  docs.changeCategory(shelf, { visibility: 'private' })
  const read = await readEvery('articles', since)
  expect(read.map(({ fields }) => [fields.title, fields.visibility])).toEqual([
    ['One', 'internal'],
    ['Two', 'internal'],
  ])
})

test('no organization is missed when its people write while we read', async () => {
  const { account, staff, clock } = open.twin
  const firms = Array.from({ length: 120 }, (_, at) => saveOrganization(account, { name: `Firm ${100 + at}` }))
  const member = saveCustomer(account, { firstName: 'Late', organizationId: Number(firms.at(-1)?.id) })
  const reader = open.reader()
  const first = await reader.read('organizations', null, {})
  clock.advance(minuteMs)
  const customer = { id: Number(member.id) }
  const threads = [{ type: 'customer', customer, text: 'x', imported: true }]
  const inbox = { type: 'email', status: 'active', mailboxId: Number(staff.support.id), imported: true }
  saveConversation(account, { subject: 'New', ...inbox, customer, threads })
  const rest = await readAll((cursor) => reader.read('organizations', cursor ?? first.next, {}))
  const names = new Set([...first.items, ...rest].map(({ fields }) => fields.name))
  expect(names.size).toBe(120)
})

test('a file that Help Scout withholds counts as missing only while the account itself still answers', async () => {
  const { twin } = open
  seedDesk(twin.account, twin.staff, twin.files)
  twin.clock.advance(minuteMs)
  const [given] = await readEvery('attachments')
  if (!given) throw new Error('no file was read')
  const refused = { kind: 'answered' as const, status: 403, json: { message: 'The user may not use the API' } }
  const isRefused = (paths: RegExp) => twin.faults.when(({ url }) => (paths.test(url.pathname) ? refused : null))
  const stop = isRefused(/\/data$/)
  await expect(open.reader().openFile(given)).rejects.toThrow(FileMissingError)
  stop()
  isRefused(/\/(data|me)$/)
  await expect(open.reader().openFile(given)).rejects.toThrow(ObstacleError)
})

test('a further address of somebody else does not cost the remaining addresses', async () => {
  saveCustomer(open.twin.account, { firstName: 'Other', emails: [{ value: 'taken@example.com' }] })
  const emails = ['first@example.com', 'taken@example.com', 'third@example.com']
  const [outcome] = await open.writer().write('contacts', [record({ name: 'Rita Rot', emails })])
  expect(outcome).toMatchObject({ result: 'written', losses: ['address_refused'] })
  const { emails: kept } = open.twin.account.customers.get(idOf(outcome)) ?? {}
  expect(kept?.map(({ value }) => value)).toEqual(['first@example.com', 'third@example.com'])
})

test('a message that is to be sent later is private', async () => {
  const { account, staff } = open.twin
  const customer = { id: Number(person().id) }
  const threads = ['Sent', 'Not sent yet'].map((text) => ({ type: 'reply', customer, text, imported: true }))
  const inbox = { type: 'email', status: 'active', mailboxId: Number(staff.support.id), imported: true }
  const { id } = saveConversation(account, { subject: 'Soon', ...inbox, customer, threads })
  const scheduled = { scheduledFor: '2199-06-10T10:20:30Z' }
  const talk = account.conversations.get(id)
  account.conversations.change(id, {
    threads: talk?.threads.map((one, at) => (at === 1 ? { ...one, scheduled } : one)) ?? [],
  })
  const [comment] = await readEvery('comments')
  expect(comment?.fields).toMatchObject({ body: { body: 'Not sent yet' }, is_public: false })
})

test('a message of the customer that follows does not reopen a closed conversation', async () => {
  await open.close()
  open = await openTwin({ searchLagMs: 0, customersReopen: true })
  const requester = to('contacts', person().id)
  const [made] = await open.writer().write('tickets', [record({ subject: 'Done', requester, status: 'closed' })])
  const ticket = to('tickets', idOf(made))
  const comment = record({ ticket, author_contact: requester, is_public: true, body: 'Late' })
  expect(await open.writer().write('comments', [comment])).toMatchObject([{ losses: ['moment_not_kept'] }])
  expect(open.twin.account.conversations.get(idOf(made))?.status).toBe('closed')
})

test('a file arrives once in a thread whose text shows a picture of Help Scout, also without Resource-ID', async () => {
  const description = '<p>Look <img src="https://d33v4339jhl8k0.cloudfront.net/inline/1/a.png"></p>'
  const sent = record({ subject: 'One', requester: to('contacts', person().id), description })
  const parent = to('tickets', idOf((await open.writer().write('tickets', [sent]))[0]))
  const outbound = open.account().outbound
  const bare: Outbound = {
    ...outbound,
    async request(url, options) {
      const { headers, ...answer } = await outbound.request(url, options)
      const { 'resource-id': _id, ...others } = headers
      return { ...answer, headers: /attachments$/.test(url) ? others : headers }
    },
  }
  const writer = openHelpscoutWriter({ ...open.account(), outbound: bare })
  for (const name of ['a.txt', 'b.txt']) {
    const outcome = await writer.writeFile('attachments', file(parent, Buffer.from(name), name))
    expect(outcome).toMatchObject({ result: 'written' })
  }
  expect(open.twin.account.attachments.list().map(({ fileName }) => fileName)).toEqual(['a.txt', 'b.txt'])
})

test('comments and files are gone with their conversation, and Docs is not asked for them', async () => {
  const { twin } = open
  const { rich } = seedDesk(twin.account, twin.staff, twin.files)
  twin.clock.advance(minuteMs)
  const isOfRich = ({ sourceId }: { sourceId: string }) => sourceId.startsWith(`${rich.id}-`)
  for (const isThere of [true, false]) {
    if (!isThere) twin.account.conversations.remove(rich.id)
    for (const [entity, id] of [
      ['comments', `${rich.id}-1`],
      ['attachments', `${rich.id}-1-2`],
    ] as const)
      expect(await open.reader().findGone?.(entity, [id])).toEqual(isThere ? [] : [id])
  }
  expect((await readEvery('comments')).filter(isOfRich)).toEqual([])
  expect(twin.docsTwin.seen).toEqual([])
})
