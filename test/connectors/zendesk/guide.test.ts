import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { Account, OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { openZendeskWriter } from '../../../service/src/connectors/helpdesk/zendesk/writer.ts'
import { createClock } from '../../twins/clock.ts'
import { idOf } from '../../twins/zendesk/account.ts'
import { startZendeskTwin } from '../../twins/zendesk/twin.ts'
import { changeAnswers } from '../change-answers.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { keepSides } from '../keep-sides.ts'

// The Help Center as a destination, and the failures that can happen between two requests.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function start(options: Parameters<typeof startZendeskTwin>[0] = {}) {
  const twin = await startZendeskTwin(options, createClock())
  cleanup.defer(() => twin.close())
  const outbound = createLoopbackOutbound()
  cleanup.defer(() => outbound.close())
  const sides = keepSides()
  const account: Account = { access: twin.access, outbound, signal: AbortSignal.timeout(3_600_000), sides }
  const open = () => openZendeskWriter(account)
  const titles = () => twin.guide.pieces.list().map((piece) => Object.values(piece.translations)[0]?.title)
  return { twin, sides, account, open, writer: open(), titles }
}

let made = 0
const outgoing = (fields: Record<string, unknown>, more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
  key: `imp_1/record/${++made}`,
  revision: made,
  destinationId: null,
  createdBy: null,
  fields,
  customFields: {},
  createdAt: '2020-02-02T10:00:00.000Z',
  updatedAt: '2020-03-03T10:00:00.000Z',
  ...more,
})
const article = (title: string, category?: string, more: object = {}) =>
  outgoing({
    title,
    body: `<p>${title}</p>`,
    status: 'published',
    visibility: 'public',
    ...(category !== undefined && {
      category: { entity: 'categories', key: `k/${category}`, destinationId: category },
    }),
    ...more,
  })
function idIn(outcomes: readonly WriteOutcome[]): string {
  const [outcome] = outcomes
  if (outcome?.result !== 'written') throw new Error(JSON.stringify(outcome))
  return outcome.destinationId
}
const removable = (outcomes: readonly WriteOutcome[]) => ({
  key: 'k',
  destinationId: idIn(outcomes),
  version: outcomes[0]?.result === 'written' ? outcomes[0].version : null,
  parent: null,
})

test.each(['categories', 'groups'])(
  '%s that we created are ours, even if their outcome was not stored',
  async (entity) => {
    const { open, writer, twin } = await start()
    const record = outgoing({ name: 'Printers' })
    const id = idIn(await writer.write(entity, [record]))
    // The process is killed before it stores the outcome. Another process searches, and sends the record again.
    const [found] = await open().find(entity, [{ key: record.key, destinationId: null, parent: null }])
    expect(found?.destinationId).toBe(id)
    expect(await open().write(entity, [record])).toMatchObject([{ result: 'written', destinationId: id }])
    expect(twin.guide.pieces.size()).toBe(entity === 'categories' ? 1 : 0)
  },
)

test('on a plan without sections inside sections, a category two levels down goes to the category above all', async () => {
  const { writer, twin } = await start({ nestsSections: false })
  const inside = (name: string, parent: string) =>
    outgoing({ name, parent_category: { entity: 'categories', key: `k/${parent}`, destinationId: parent } })
  const top = idIn(await writer.write('categories', [outgoing({ name: 'Products' })]))
  const middle = idIn(await writer.write('categories', [inside('Printers', top)]))
  const outcomes = await writer.write('categories', [inside('Laser', middle)])
  expect(outcomes).toMatchObject([{ result: 'written', losses: ['parent_refused'] }])
  expect(twin.guide.pieces.get(idIn(outcomes))).toMatchObject({ parent: Number(top.slice(1)), parent_section_id: null })
})

test('a category whose answer is lost is found, and the note identifies it', async () => {
  const { open, writer, twin } = await start()
  const record = outgoing({ name: 'Printers' })
  twin.faults.next('POST', '/api/v2/help_center/categories', { kind: 'lost' })
  await expect(writer.write('categories', [record])).rejects.toThrow()
  const [found] = await open().find('categories', [{ key: record.key, destinationId: null, parent: null }])
  expect(found?.destinationId).toBe(`c${twin.guide.pieces.list()[0]?.id}`)
})

test('a category that Zendesk refuses leaves no note, so a category that people create later is theirs', async () => {
  const { sides, writer, twin } = await start()
  const record = outgoing({ name: 'Printers' })
  const json = { errors: { name: ['is too odd'] } }
  twin.faults.next('POST', '/api/v2/help_center/categories', { kind: 'answered', status: 422, json })
  expect(await writer.write('categories', [record])).toMatchObject([
    { result: 'refused', message: expect.stringContaining('is too odd') },
  ])
  expect(sides.all()).toEqual([])
  const listed = { errors: [{ code: 'NameOdd', title: 'Invalid', detail: 'The name is odd' }] }
  twin.faults.next('POST', '/api/v2/help_center/categories', { kind: 'answered', status: 422, json: listed })
  expect(await writer.write('categories', [record])).toMatchObject([
    { result: 'refused', message: expect.stringContaining('The name is odd') },
  ])
  const theirs = twin.guide.make('categories', null, { title: 'PRINTERS', body: '' }, {})
  expect(await writer.write('categories', [record])).toMatchObject([
    { result: 'matched', destinationId: `c${theirs.id}` },
  ])
})

test('a change of links or pictures alone is noticed, in the source and in Zendesk', async () => {
  const { open, writer, twin } = await start()
  const text = (address: string) => `<p>See <a href="${address}">this</a> <img src="${address}.png"></p>`
  const record = article('One', undefined, { body: text('https://a.test/?x=1&amp;y=2') })
  const destinationId = idIn(await writer.write('articles', [record]))
  const sought = { key: record.key, destinationId, parent: null }
  const find = async () => (await open().find('articles', [sought]))[0]
  const storedAs = async (one: OutgoingRecord) => (await writer.asStored('articles', one)).fields.body
  expect((await find())?.fields.body).toBe(await storedAs(record))
  const later = { ...article('One', undefined, { body: text('https://b.test') }), key: record.key, destinationId }
  expect(await storedAs(later)).not.toBe(await storedAs(record))
  const [second] = await writer.write('articles', [later])
  if (second?.result !== 'written') throw new Error('not written')
  expect(await find()).toMatchObject({ version: second.version, fields: { body: await storedAs(later) } })
  const [piece] = twin.guide.list('articles')
  if (piece) twin.guide.translate(piece, piece.source_locale, { body: text('https://c.test') })
  expect((await find())?.version).not.toBe(second.version)
})

test('an address that Zendesk changes by itself is no change by people', async () => {
  const { account, open, writer } = await start()
  const destinationId = idIn(await writer.write('articles', [article('One')]))
  const path = `/api/v2/help_center/articles/${destinationId}.json`
  const outbound = changeAnswers(account.outbound, path, (json) => {
    json.article.body = json.article.body.replace('http:', 'https:')
  })
  const body = '<p><a href="http://a.test">this</a></p>'
  const later = { ...article('One', undefined, { body }), destinationId }
  const changing = () => openZendeskWriter({ ...account, outbound })
  const [second] = await changing().write('articles', [later])
  const [found] = await changing().find('articles', [{ key: later.key, destinationId, parent: null }])
  expect(found?.fields.body).toBe((await open().asStored('articles', later)).fields.body)
  expect(found).toMatchObject({ version: second?.result === 'written' ? second.version : '' })
})

test('an article for the staff is refused where Zendesk does not list its user segments, and others arrive', async () => {
  const { writer, twin } = await start()
  twin.faults.next('GET', '/api/v2/help_center/user_segments', { kind: 'answered', status: 403, json: {} })
  const outcomes = await writer.write('articles', [
    article('Open'),
    article('Secret', undefined, { visibility: 'internal' }),
  ])
  expect(outcomes).toMatchObject([{ result: 'written' }, { result: 'refused', code: 'no_user_segment' }])
})

test('a file of an article is sent once, even if its outcome was not stored', async () => {
  const { open, writer, twin } = await start()
  const id = idIn(await writer.write('articles', [article('One')]))
  const parent = { entity: 'articles', key: 'k', destinationId: id }
  const file = { size: 5, contentType: 'text/plain' }
  const send = (record: OutgoingRecord) =>
    writer.writeFile('attachments', { ...record, ...file, body: Readable.from(['water']) })
  // Two files with one name stay two files.
  const records = [outgoing({ parent, file_name: 'plan.txt' }), outgoing({ parent, file_name: 'plan.txt' })]
  const ids = []
  for (const record of records) ids.push(idIn([await send(record)]))
  for (const [at, { key }] of records.entries()) {
    const sought = { key, destinationId: null, parent }
    expect(await open().find('attachments', [sought])).toMatchObject([{ destinationId: ids[at] }])
  }
  expect(twin.account.attachments.size()).toBe(2)
})

test.each([5, null])(
  'files of articles go through the media library once Zendesk asks for it, of size %s',
  async (size) => {
    const { writer, twin } = await start({ asksForMedia: true })
    const id = idIn(await writer.write('articles', [article('One')]))
    const parent = { entity: 'articles', key: 'k', destinationId: id }
    const record = outgoing({ parent, file_name: 'plan.txt' })
    const send = () =>
      writer.writeFile('attachments', {
        ...record,
        ...{ size, contentType: 'text/plain', body: Readable.from([Buffer.from('water')]) },
      })
    await expect(send()).rejects.toThrow(/media library/)
    expect(await send()).toMatchObject({ result: 'written', url: expect.stringContaining('plan.txt') })
    const [kept] = twin.account.attachments.list()
    expect(kept).toMatchObject({ file_name: 'plan.txt', content_type: 'text/plain', article_id: Number(id) })
    expect(String(kept?.bytes)).toBe('water')
  },
)

test('a file above 20 MB is refused before it is sent', async () => {
  const { writer, twin } = await start()
  const id = idIn(await writer.write('articles', [article('One')]))
  const record = outgoing({ parent: { entity: 'articles', key: 'k', destinationId: id }, file_name: 'film.mp4' })
  const file = { size: 20 * 1024 * 1024 + 1, contentType: 'video/mp4', body: Readable.from([Buffer.from('x')]) }
  expect(await writer.writeFile('attachments', { ...record, ...file })).toMatchObject({
    ...{ result: 'refused', code: 'file_too_large' },
  })
  expect(twin.account.attachments.size()).toBe(0)
})

test('an author who left is left out and reported, and a line in the article names the author', async () => {
  const { writer, twin } = await start()
  await writer.describe()
  twin.account.users.remove(twin.staff.ben.id, { isKept: true })
  const createdBy = { name: 'Ben <B>', email: null, userId: null }
  const bodies = () =>
    twin.guide.list('articles').map(({ translations }) => Object.values(translations).map(({ body }) => body))
  for (const author of ['399999999999', twin.staff.ben.id]) {
    const record = { ...article('Lamps', undefined, { author }), createdBy }
    const outcomes = await writer.write('articles', [record])
    expect(outcomes).toMatchObject([{ result: 'written', losses: ['author_not_kept'] }])
    const destinationId = idIn(outcomes)
    // The line is not part of the text: the stored text equals the sent one, and a later change keeps the line.
    const [found] = await writer.find('articles', [{ key: record.key, destinationId, parent: null }])
    expect(found?.fields.body).toBe((await writer.asStored('articles', record)).fields.body)
    await writer.write('articles', [{ ...record, destinationId }])
    expect(bodies().at(-1)).toEqual(['<p>— Ben &lt;B&gt;, 2020-02-02 —</p><p>Lamps</p>'])
  }
  // Without a name there is no line, and the warning promises none.
  const outcomes = await writer.write('articles', [article('Oil', undefined, { author: '399999999999' })])
  expect(outcomes).toMatchObject([{ result: 'written', losses: ['author_replaced'] }])
  expect(bodies().at(-1)).toEqual(['<p>Oil</p>'])
})

test('a section that people created is used for articles of its category, and an undo leaves it', async () => {
  const { open, writer, twin, sides, titles } = await start()
  const category = twin.guide.make('categories', null, { title: 'FAQ', body: '' }, {})
  const theirs = twin.guide.make('sections', idOf(category), { title: 'faq', body: '' }, {})
  const outcomes = await writer.write('articles', [article('One', `c${category.id}`)])
  expect(twin.guide.list('articles')[0]?.parent).toBe(idOf(theirs))
  const record = removable(outcomes)
  expect(await open().remove('articles', [record])).toMatchObject([{ result: 'removed' }])
  expect(await open().removeSides?.(sides.all(), { isForced: false })).toMatchObject([{ result: 'removed' }])
  expect(titles()).toEqual(['FAQ', 'faq'])
})

test('a category that people created for imported articles stays, too', async () => {
  const { open, writer, twin, sides, titles } = await start()
  twin.guide.make('categories', null, { title: 'Imported articles', body: '' }, {})
  const outcomes = await writer.write('articles', [article('One')])
  const record = removable(outcomes)
  await open().remove('articles', [record])
  await open().removeSides?.(sides.all(), { isForced: false })
  expect(titles()).toEqual(['Imported articles'])
})

test.each(['Category', 'Section'])('an undo removes records whose answers were lost: %s', async (what) => {
  const { open, writer, twin, sides, titles } = await start()
  const path = what === 'Category' ? '/api/v2/help_center/categories' : '/api/v2/help_center/categories/'
  twin.faults.next('POST', path, { kind: 'lost' })
  await expect(writer.write('articles', [article('One')])).rejects.toThrow()
  expect(titles().length).toBeGreaterThan(0)
  for (const side of sides.all()) await open().removeSides?.([side], { isForced: false })
  expect(titles()).toEqual([])
})

test('a section that Zendesk does not delete, or that people filled, is listed', async () => {
  const { open, writer, twin, sides, titles } = await start()
  const outcomes = await writer.write('articles', [article('One')])
  const section = twin.guide.list('sections')[0]
  const theirs = twin.guide.make('articles', Number(section?.id), { title: 'Theirs', body: '' }, {})
  await open().remove('articles', [removable(outcomes)])
  const tidy = async () => (await open().removeSides?.(sides.all(), { isForced: false })) ?? []
  expect((await tidy()).map(({ result }) => result)).toEqual(['kept', 'kept'])
  expect(titles()).toContain('Theirs')
  twin.guide.remove(theirs)
  const refusal = { kind: 'answered' as const, status: 422, json: { errors: { base: ['is locked'] } } }
  twin.faults.next('DELETE', '/api/v2/help_center/', refusal, 2)
  expect(await tidy()).toMatchObject([
    { result: 'kept', destinationId: section?.id, message: expect.stringContaining('is locked') },
    { result: 'kept' },
  ])
  expect((await tidy()).map(({ result }) => result)).toEqual(['removed', 'removed'])
  expect(titles()).toEqual([])
})

test('after people delete our section between two runs, the next article gets a new section', async () => {
  const { writer, twin } = await start()
  idIn(await writer.write('articles', [article('One')]))
  for (const piece of twin.guide.list('categories')) twin.guide.remove(piece)
  idIn(await writer.write('articles', [article('Two')]))
  expect(twin.guide.list('articles')).toHaveLength(1)
})

test("a category keeps its language when the account's default changes, and is updated in that language", async () => {
  const { open, writer, twin } = await start()
  const record = outgoing({ name: 'Printers', description: 'All' })
  const destinationId = idIn(await writer.write('categories', [record]))
  twin.guide.locales.reverse()
  const changed = { ...record, destinationId, fields: { name: 'Scanners', description: 'Some' } }
  expect(await open().write('categories', [changed])).toMatchObject([{ result: 'written', destinationId }])
  expect(twin.guide.pieces.list()[0]?.translations).toMatchObject({ 'en-us': { title: 'Scanners', body: 'Some' } })
  twin.expectNoViolations()
})

test('two articles with one title in one section stay two, and each is found separately', async () => {
  const { open, writer, twin } = await start()
  const records = [article('Same'), article('Same')]
  const ids = (await writer.write('articles', records)).map((outcome) => idIn([outcome]))
  for (const [at, { key }] of records.entries()) {
    const found = await open().find('articles', [{ key, destinationId: null, parent: null }])
    expect(found.map(({ destinationId }) => destinationId)).toEqual([ids[at]])
  }
  expect(twin.guide.list('sections')).toHaveLength(1)
})

test('an account without a Help Center still accepts tickets', async () => {
  const { writer, twin } = await start()
  const json = { error: { title: 'Forbidden', message: 'You do not have access to this page.' } }
  twin.faults.next('GET', '/api/v2/help_center/locales', { kind: 'answered', status: 403, json })
  const { entities } = await writer.describe()
  expect(Object.keys(entities)).not.toContain('articles')
  expect(await writer.write('tickets', [outgoing({ subject: 'One' })])).toMatchObject([{ result: 'written' }])
})

test('an undo removes nested categories, whatever their order', async () => {
  const { open, writer, titles } = await start()
  const inside = (name: string, parent: string) =>
    outgoing({ name, parent_category: { entity: 'categories', key: `k/${parent}`, destinationId: parent } })
  const outer = await writer.write('categories', [outgoing({ name: 'Outer' })])
  const middle = await writer.write('categories', [inside('Middle', idIn(outer))])
  const inner = await writer.write('categories', [inside('Inner', idIn(middle))])
  expect(titles()).toEqual(['Outer', 'Middle', 'Inner'])
  const records = [middle, inner, outer].map((outcomes, at) => ({ ...removable(outcomes), key: `k${at}` }))
  const removed = await open().remove('categories', records)
  expect(removed.map(({ result }) => result)).toEqual(['removed', 'removed', 'removed'])
  expect(titles()).toEqual([])
})
