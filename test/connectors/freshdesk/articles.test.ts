import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { saveArticle } from '../../twins/freshdesk/solutions.ts'
import { article, idIn, openSolutions, removable, solutions } from './open-solutions.ts'
import { outgoing, related, soughtOf } from './start.ts'

// Articles and their files as a destination, and the failures that can happen between two requests.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const open = (options: Parameters<typeof openSolutions>[1] = {}) => openSolutions(cleanup, options)

test('an article whose answer is lost is found by its tag among articles with the same title, and is not duplicated', async () => {
  const { openWriter, writer, twin, makeCategory, makeFolder, articles } = await open()
  const folder = makeFolder(makeCategory('Manuals'), 'Printers')
  const by = { folder_id: idOf(folder), agent_id: idOf(twin.staff.anna) }
  saveArticle(twin.account, { title: 'Same', description: 'Theirs', status: 2 }, by)
  const records = [article('Same', folder.id), article('Same', folder.id)]
  const first = idIn(await writer.write('articles', records.slice(0, 1)))
  twin.faults.next('POST', `${solutions}/folders`, { kind: 'lost' })
  await expect(writer.write('articles', records.slice(1))).rejects.toThrow()
  for (const [at, record] of records.entries()) {
    const found = await openWriter().find('articles', [soughtOf(record)])
    expect(found.map(({ destinationId }) => destinationId)).toEqual([at === 0 ? first : articles.list()[2]?.id])
  }
  expect(articles.size()).toBe(3)
})

test('an article whose title Freshdesk has changed is still found', async () => {
  const { openWriter, writer, makeCategory, makeFolder, articles } = await open()
  const folder = makeFolder(makeCategory('Manuals'), 'Printers')
  const record = article('One & <two>', folder.id)
  const id = idIn(await writer.write('articles', [record]))
  articles.change(id, { title: 'Something else' })
  expect(await openWriter().find('articles', [soughtOf(record)])).toMatchObject([{ destinationId: id }])
})

test('the author is set once the article exists; an author who left is left out and reported', async () => {
  const { writer, twin, articles } = await open()
  const named = article('By Anna', undefined, { author: twin.staff.anna.id })
  expect(await writer.write('articles', [named])).toEqual([expect.not.objectContaining({ losses: expect.anything() })])
  const left = article('By nobody', undefined, { author: '82999999999' })
  expect(await writer.write('articles', [left])).toMatchObject([{ result: 'written', losses: ['author_replaced'] }])
  expect(articles.list().map(({ agent_id }) => agent_id)).toEqual([idOf(twin.staff.anna), idOf(twin.staff.admin)])
  twin.expectNoViolations()
})

test('an article whose worker is killed before its author is set is found, and exists once', async () => {
  const { openWriter, writer, twin, articles } = await open()
  const record = article('By Anna', undefined, { author: twin.staff.anna.id })
  twin.faults.next('PUT', `${solutions}/articles`, { kind: 'lost' })
  await expect(writer.write('articles', [record])).rejects.toThrow()
  const [found] = await openWriter().find('articles', [soughtOf(record)])
  expect(found?.destinationId).toBe(articles.list()[0]?.id)
  const again = { ...record, destinationId: String(found?.destinationId) }
  await openWriter().write('articles', [again])
  expect(articles.list().map(({ agent_id }) => agent_id)).toEqual([idOf(twin.staff.anna)])
})

test('an article without visibility and status is a draft for agents', async () => {
  const { writer, folderOf, articles } = await open()
  await writer.write('articles', [outgoing({ title: 'Bare' })])
  expect(articles.list()).toMatchObject([{ status: 1 }])
  expect(folderOf('Bare')?.visibility).toBe(3)
})

test('an article set back to draft is no longer public, and an article published again is public', async () => {
  const { openWriter, writer, articles } = await open()
  const record = article('One')
  const destinationId = idIn(await writer.write('articles', [record]))
  const change = (fields: object) =>
    openWriter().write('articles', [{ ...record, destinationId, fields: { ...record.fields, ...fields } }])
  expect(await change({ status: 'draft', title: 'Later' })).toMatchObject([{ result: 'written', destinationId }])
  expect(articles.list()).toMatchObject([{ status: 1, title: 'Later', draft: null }])
  await change({ title: 'Now' })
  expect(articles.list()).toMatchObject([{ status: 2, title: 'Now' }])
})

test('an article that only agents may read by now becomes a draft, because Freshdesk cannot move it', async () => {
  const { writer, articles } = await open()
  const record = article('One')
  const destinationId = idIn(await writer.write('articles', [record]))
  const changed = { ...record, destinationId, fields: { ...record.fields, visibility: 'internal' } }
  expect(await writer.write('articles', [changed])).toMatchObject([
    { result: 'written', losses: ['private_kept_as_draft'] },
  ])
  expect(articles.list()).toMatchObject([{ status: 1 }])
})

test('an article whose category changed stays where it is, and the loss is reported', async () => {
  const { writer, makeCategory, makeFolder, folderOf } = await open()
  const category = makeCategory('Manuals')
  const [one, other] = [makeFolder(category, 'One'), makeFolder(category, 'Other')]
  const record = article('A', one.id)
  const destinationId = idIn(await writer.write('articles', [record]))
  const fields = { ...record.fields, category: related('categories', other.id) }
  const outcomes = await writer.write('articles', [{ ...record, destinationId, fields }])
  expect(outcomes).toMatchObject([{ result: 'written', losses: ['relation_refused'] }])
  expect(folderOf('A')?.name).toBe('One')
})

test("an article that is too large is refused in Freshdesk's words, and the others arrive", async () => {
  const { writer, twin, articles, sides } = await open()
  let posts = 0
  twin.faults.when(({ method, url }) => {
    const isSecond = method === 'POST' && url.pathname.endsWith('/articles') && ++posts === 2
    return isSecond ? { kind: 'answered', status: 413, json: { message: 'Request Entity Too Large' } } : null
  })
  const records = [article('One'), article('Long'), article('Two')]
  const outcomes = await writer.write('articles', records)
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'refused', 'written'])
  expect(outcomes[1]).toMatchObject({ message: expect.stringContaining('Too Large') })
  expect(articles.size()).toBe(2)
  expect(sides.all().filter(({ kind }) => kind === 'folder_of_article')).toHaveLength(2)
})

test('an undo leaves an article that people changed, and its folder', async () => {
  const { openWriter, writer, articles, tidy, names } = await open()
  const records = [article('One'), article('Two')]
  const outcomes = await writer.write('articles', records)
  articles.change(String(articles.list()[0]?.id), { description: '<p>Mine now</p>' })
  const removed = await openWriter().remove(
    'articles',
    records.map((record, at) => removable(record, outcomes.slice(at, at + 1))),
  )
  expect(removed.map(({ result }) => result)).toEqual(['kept', 'removed'])
  const kept = (await tidy()).filter(({ result }) => result === 'kept')
  expect(kept.map(({ kind }) => kind)).toEqual(['folder_of_articles', 'category_of_articles'])
  expect(names()).toEqual(['Imported articles', 'Imported articles'])
  for (const { id } of articles.list()) articles.remove(id)
  await tidy()
  expect(names()).toEqual([])
})

test('files of an article are sent once, even if their outcome was not stored', async () => {
  const { openWriter, writer, twin } = await open()
  const parent = related('articles', idIn(await writer.write('articles', [article('One')])))
  const send = (record: OutgoingRecord) => {
    const body = Readable.from([Buffer.from('water')], { objectMode: false })
    return writer.writeFile('attachments', { ...record, size: 5, contentType: 'text/plain', body })
  }
  // Two files with one name stay two files.
  const records = [outgoing({ parent, file_name: 'plan.txt' }), outgoing({ parent, file_name: 'plan.txt' })]
  const ids: string[] = []
  for (const record of records) ids.push(idIn([await send(record)]))
  const lost = outgoing({ parent, file_name: 'lost.txt' })
  twin.faults.next('PUT', `${solutions}/articles`, { kind: 'lost' })
  await expect(send(lost)).rejects.toThrow()
  for (const [at, record] of [...records, lost].entries()) {
    const [found] = await openWriter().find('attachments', [soughtOf(record, parent)])
    expect(found?.destinationId).toBe(ids[at] ?? `a${parent.destinationId}-${twin.account.attachments.list()[2]?.id}`)
  }
  expect(twin.account.attachments.size()).toBe(3)
})

test('a private file never goes to an article that everyone can read', async () => {
  const { writer, twin } = await open()
  const send = async (title: string, more: object) => {
    const parent = related('articles', idIn(await writer.write('articles', [article(title, undefined, more)])))
    const body = Readable.from([Buffer.from('x')], { objectMode: false })
    const record = outgoing({ parent, file_name: 'x.txt', is_private: true })
    return writer.writeFile('attachments', { ...record, size: 1, contentType: null, body })
  }
  expect(await send('Open', {})).toMatchObject({ result: 'refused', code: 'not_protected' })
  expect(await send('Draft', { status: 'draft' })).toMatchObject({ result: 'written' })
  expect(await send('Ours', { visibility: 'internal' })).toMatchObject({ result: 'written' })
  expect(twin.account.attachments.size()).toBe(2)
})

test('an account without a knowledge base accepts tickets, and the plan names the entities that it lacks', async () => {
  const { writer } = await open({ hasSolutions: false })
  expect(Object.keys((await writer.describe()).entities)).not.toContain('articles')
  expect(await writer.preflight?.()).toContainEqual(expect.objectContaining({ code: 'knowledge_base', isFine: false }))
  expect(await writer.write('tickets', [outgoing({ subject: 'One' })])).toMatchObject([{ result: 'written' }])
})

test('an article whose type Freshdesk refuses is sent without it', async () => {
  const { twin, writer, makeCategory, articles } = await open()
  const category = makeCategory('Printers')
  const errors = [{ field: 'type', message: 'Unexpected/invalid field in request', code: 'invalid_field' }]
  const json = { description: 'Validation failed', errors }
  twin.faults.next('POST', `${solutions}/folders/`, { kind: 'answered', status: 400, json })
  const outcomes = await writer.write('articles', [article('Paper jam', `c${category.id}`)])
  expect(outcomes).toMatchObject([{ result: 'written' }])
  expect(articles.list().map(({ title }) => title)).toEqual(['Paper jam'])
})
