import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { openFreshdeskWriter } from '../../../service/src/connectors/helpdesk/freshdesk/writer.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { saveArticle, saveCategory, saveFolder } from '../../twins/freshdesk/solutions.ts'
import { keepSides } from '../keep-sides.ts'
import { outgoing, related, soughtOf, start } from './start.ts'

// The knowledge base as a destination, and the failures that can happen between two requests.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const solutions = '/api/v2/solutions'

async function open(options: Parameters<typeof start>[1] = {}) {
  const { twin, account } = await start(cleanup, options)
  const sides = keepSides()
  const openWriter = () => openFreshdeskWriter({ ...account, sides })
  const writer = openWriter()
  await writer.describe()
  const { categories, folders, articles } = twin.account
  const names = () => [...categories.list(), ...folders.list()].map(({ name }) => name)
  const tidy = async () => {
    const outcomes = []
    for (const side of sides.all())
      outcomes.push(...((await openWriter().removeSides?.([side], { isForced: false })) ?? []))
    return outcomes
  }
  const makeCategory = (name: string) => saveCategory(twin.account, { name })
  const makeFolder = (category: { id: string }, name: string, visibility = 1) =>
    saveFolder(twin.account, { name, visibility, category_id: idOf(category) })
  const folderOf = (title: string) => {
    const [article] = articles.list((one) => one.title === title)
    return folders.get(String(article?.folder_id))
  }
  return {
    twin,
    sides,
    openWriter,
    writer,
    names,
    tidy,
    makeCategory,
    makeFolder,
    folderOf,
    articles,
    folders,
    categories,
  }
}

const article = (title: string, category?: string, more: object = {}) =>
  outgoing({
    ...{ title, body: `<p>${title}</p>`, status: 'published', visibility: 'public' },
    ...(category !== undefined && { category: related('categories', category) }),
    ...more,
  })
const idIn = ([outcome]: readonly WriteOutcome[]): string => {
  if (outcome?.result !== 'written') throw new Error(JSON.stringify(outcome))
  return outcome.destinationId
}
const removable = (record: OutgoingRecord, outcomes: readonly WriteOutcome[]) => ({
  ...soughtOf(record),
  destinationId: idIn(outcomes),
  version: outcomes[0]?.result === 'written' ? outcomes[0].version : null,
})

test('a category that we created is ours, even if its outcome was not stored', async () => {
  const { openWriter, writer, categories } = await open()
  const record = outgoing({ name: 'Printers' })
  const id = idIn(await writer.write('categories', [record]))
  // The process is killed before it stores the outcome. Another process searches, and sends the record again.
  const [found] = await openWriter().find('categories', [soughtOf(record)])
  expect(found?.destinationId).toBe(id)
  expect(await openWriter().write('categories', [record])).toMatchObject([{ result: 'written', destinationId: id }])
  expect(categories.size()).toBe(1)
})

test.each(['category', 'folder'])('a %s whose answer is lost is found, and is created once', async (what) => {
  const { openWriter, writer, twin, makeCategory, categories, folders } = await open()
  const above = what === 'folder' ? makeCategory('Manuals') : null
  const parent = above ? { parent_category: related('categories', `c${above.id}`) } : {}
  const record = outgoing({ name: 'Printers', ...parent })
  twin.faults.next('POST', `${solutions}/categories`, { kind: 'lost' })
  await expect(writer.write('categories', [record])).rejects.toThrow()
  const [found] = await openWriter().find('categories', [soughtOf(record)])
  const made = what === 'folder' ? folders.list()[0]?.id : `c${categories.list()[0]?.id}`
  expect(found?.destinationId).toBe(made)
  expect(await openWriter().write('categories', [record])).toMatchObject([{ result: 'written', destinationId: made }])
  expect(categories.size() + folders.size()).toBe(above ? 2 : 1)
})

test('a category inside a folder becomes a folder of the same category', async () => {
  const { writer, makeCategory, makeFolder, folders } = await open()
  const outer = makeFolder(makeCategory('Manuals'), 'Printers')
  const record = outgoing({ name: 'Lasers', parent_category: related('categories', outer.id) })
  expect(await writer.write('categories', [record])).toMatchObject([{ result: 'written' }])
  const [made] = folders.list(({ name }) => name === 'Lasers')
  expect(made).toMatchObject({ category_id: outer.category_id, parent_folder_id: idOf(outer) })
})

test('an existing category with the same name in other case is used unchanged, and an undo leaves it', async () => {
  const { writer, sides, makeCategory, tidy, names } = await open()
  const theirs = makeCategory('PRINTERS')
  const record = outgoing({ name: 'Printers ' })
  expect(await writer.write('categories', [record])).toMatchObject([
    { result: 'matched', destinationId: `c${theirs.id}` },
  ])
  expect(sides.all()).toEqual([])
  await tidy()
  expect(names()).toEqual(['PRINTERS'])
})

test('a category that Freshdesk refuses leaves no note, so a category that people create later is theirs', async () => {
  const { sides, writer, twin, makeCategory } = await open()
  const record = outgoing({ name: 'Printers' })
  const json = { description: 'Validation failed', errors: [{ field: 'name', message: 'is too odd', code: 'x' }] }
  twin.faults.next('POST', `${solutions}/categories`, { kind: 'answered', status: 400, json })
  expect(await writer.write('categories', [record])).toMatchObject([
    { result: 'refused', message: expect.stringContaining('is too odd') },
  ])
  expect(sides.all()).toEqual([])
  const theirs = makeCategory('printers')
  expect(await writer.write('categories', [record])).toMatchObject([
    { result: 'matched', destinationId: `c${theirs.id}` },
  ])
})

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

test('an article for agents is never in a folder that others can read', async () => {
  const { writer, makeCategory, makeFolder, folderOf } = await open()
  const category = makeCategory('Manuals')
  const places = [
    undefined,
    `c${category.id}`,
    ...[1, 2, 3, 5].map((seen) => makeFolder(category, `F${seen}`, seen).id),
  ]
  for (const [at, place] of places.entries()) {
    for (const visibility of ['public', 'internal']) {
      const title = `${at} ${visibility}`
      await writer.write('articles', [article(title, place, { visibility })])
      expect(folderOf(title)?.visibility, title).toBe(visibility === 'public' ? 1 : 3)
    }
  }
  // A suitable folder is used unchanged. Any other place gets one extra folder for each kind of readers.
  await writer.write('articles', [article('more', `c${category.id}`, { visibility: 'internal' })])
  expect(folderOf('more')?.id).toBe(folderOf('1 internal')?.id)
})

test('an article without visibility and status is a draft for agents', async () => {
  const { writer, folderOf, articles } = await open()
  await writer.write('articles', [outgoing({ title: 'Bare' })])
  expect(articles.list()).toMatchObject([{ status: 1 }])
  expect(folderOf('Bare')?.visibility).toBe(3)
})

test('a folder of ours that people open to all stays theirs, and the next article for agents gets a new folder', async () => {
  const { writer, folderOf, folders } = await open()
  await writer.write('articles', [article('One', undefined, { visibility: 'internal' })])
  folders.change(String(folderOf('One')?.id), { visibility: 1 })
  await writer.write('articles', [article('Two', undefined, { visibility: 'internal' })])
  expect(folderOf('Two')?.visibility).toBe(3)
})

test('after people delete our folder between two runs, the next article gets a new folder', async () => {
  const { openWriter, writer, twin, articles, categories } = await open()
  await writer.write('articles', [article('One')])
  for (const { id } of categories.list()) {
    await fetch(`${twin.url}${solutions}/categories/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Basic ${Buffer.from(`${twin.access.token}:X`).toString('base64')}` },
    })
  }
  expect(articles.size()).toBe(0)
  idIn(await openWriter().write('articles', [article('Two')]))
  expect(articles.list().map(({ title }) => title)).toEqual(['Two'])
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

test('an undo removes the category made for articles without one, although it got two folders', async () => {
  const { openWriter, writer, tidy, names } = await open()
  const records = [article('Open'), article('Inner', undefined, { visibility: 'internal' })]
  const outcomes = await writer.write('articles', records)
  expect(names()).toEqual(['Imported articles', 'Imported articles', 'Imported articles (internal)'])
  await openWriter().remove(
    'articles',
    records.map((record, at) => removable(record, outcomes.slice(at, at + 1))),
  )
  await tidy()
  await tidy()
  expect(names()).toEqual([])
})

test('a category that people added something to stays', async () => {
  const { openWriter, writer, makeFolder, names, categories } = await open()
  const record = outgoing({ name: 'Printers' })
  const outcomes = await writer.write('categories', [record])
  makeFolder(categories.list()[0] ?? { id: '' }, 'Theirs')
  const [kept] = await openWriter().remove('categories', [removable(record, outcomes)])
  expect(kept).toMatchObject({ result: 'kept', message: 'It is not empty.' })
  expect(names()).toEqual(['Printers', 'Theirs'])
})

test.each(['Category', 'Folder'])('an undo removes records whose answers were lost: %s', async (what) => {
  const { writer, twin, tidy, names } = await open()
  const path = what === 'Category' ? `${solutions}/categories` : `${solutions}/categories/`
  twin.faults.next('POST', path, { kind: 'lost' })
  await expect(writer.write('articles', [article('One')])).rejects.toThrow()
  expect(names().length).toBe(what === 'Category' ? 1 : 2)
  await tidy()
  expect(names()).toEqual([])
})

test('a folder whose answer was lost is used by the next attempt, and exists once', async () => {
  const { openWriter, writer, twin, names, articles } = await open()
  twin.faults.next('POST', `${solutions}/categories/`, { kind: 'lost' })
  await expect(writer.write('articles', [article('One')])).rejects.toThrow()
  idIn(await openWriter().write('articles', [article('One')]))
  expect(names()).toEqual(['Imported articles', 'Imported articles'])
  expect(articles.size()).toBe(1)
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

test('a right that is withdrawn during the run stops it: no record counts as missing', async () => {
  const { writer, twin, makeCategory, categories } = await open()
  makeCategory('Printers')
  const json = { code: 'access_denied', message: 'You are not authorized to perform this action.' }
  twin.faults.when(({ url }) => (url.pathname.startsWith(solutions) ? { kind: 'answered', status: 403, json } : null))
  await expect(writer.write('categories', [outgoing({ name: 'Printers' })])).rejects.toThrow()
  await expect(writer.find('categories', [soughtOf(outgoing({ name: 'Printers' }))])).rejects.toThrow()
  expect(categories.size()).toBe(1)
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
