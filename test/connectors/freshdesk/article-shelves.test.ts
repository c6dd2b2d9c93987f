import { afterEach, expect, test } from 'vitest'
import { idOf } from '../../twins/freshdesk/account.ts'
import { article, idIn, openSolutions, removable, solutions } from './open-solutions.ts'
import { outgoing, related, soughtOf } from './start.ts'

// Categories and folders as a destination, and the failures that can happen between two requests.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const open = (options: Parameters<typeof openSolutions>[1] = {}) => openSolutions(cleanup, options)

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

test('a right that is withdrawn during the run stops it: no record counts as missing', async () => {
  const { writer, twin, makeCategory, categories } = await open()
  makeCategory('Printers')
  const json = { code: 'access_denied', message: 'You are not authorized to perform this action.' }
  twin.faults.when(({ url }) => (url.pathname.startsWith(solutions) ? { kind: 'answered', status: 403, json } : null))
  await expect(writer.write('categories', [outgoing({ name: 'Printers' })])).rejects.toThrow()
  await expect(writer.find('categories', [soughtOf(outgoing({ name: 'Printers' }))])).rejects.toThrow()
  expect(categories.size()).toBe(1)
})
