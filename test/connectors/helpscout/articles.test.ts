import { afterEach, expect, test } from 'vitest'
import type { OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { openHelpscoutWriter } from '../../../service/src/connectors/helpdesk/helpscout/writer.ts'
import { keepSides } from '../keep-sides.ts'
import { file, idOf, openTwin, record, sought, to } from './open-helpscout.ts'

// Docs as a destination, and the failures that can happen between two requests.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function open({ hasSite = true } = {}) {
  const { twin, account, close } = await openTwin()
  cleanup.defer(close)
  const { docs, docsTwin } = twin
  const site = { id: docs.nextId(), title: 'Help', subDomain: 'help' }
  if (hasSite) docs.sites.put(site)
  const sides = keepSides()
  const openWriter = () => openHelpscoutWriter({ ...account(), sides })
  const writer = openWriter()
  await writer.describe()
  const names = () =>
    [...docs.collections.list(), ...docs.categories.list()]
      .map(({ name }) => name)
      .filter((name) => name !== 'Uncategorized')
  const tidy = async () => {
    const outcomes = []
    for (const side of sides.all()) {
      outcomes.push(...((await openWriter().removeSides?.([side], { isForced: false })) ?? []))
    }
    return outcomes
  }
  const isOut = (name: string) => {
    const [one] = docs.articles.list((article) => article.name === name)
    const shelves = [
      docs.collections.get(String(one?.collectionId)),
      ...(one?.categories ?? []).map((id) => docs.categories.get(id)),
    ]
    return one?.status === 'published' && shelves.every((shelf) => shelf?.visibility === 'public')
  }
  return { twin, account, docs, faults: docsTwin.faults, site, sides, openWriter, writer, names, tidy, isOut }
}

const article = (title: string, category?: string, more: object = {}) =>
  record({
    ...{ title, body: `<p>${title}</p>`, status: 'published', visibility: 'public' },
    ...(category !== undefined && { category: to('categories', category) }),
    ...more,
  })
const removable = (one: OutgoingRecord, outcome: WriteOutcome | undefined) => ({
  ...sought(one),
  destinationId: idOf(outcome),
  version: outcome?.result === 'written' ? outcome.version : null,
})

test('a collection that we created is ours, even if its outcome was not stored', async () => {
  const { openWriter, writer, docs } = await open()
  const one = record({ name: 'Printers' })
  const [outcome] = await writer.write('categories', [one])
  const [found] = await openWriter().find('categories', [sought(one)])
  expect(found?.destinationId).toBe(idOf(outcome))
  const again = await openWriter().write('categories', [one])
  expect(again).toMatchObject([{ result: 'written', destinationId: idOf(outcome) }])
  expect(docs.collections.size()).toBe(1)
})

test.each(['collection', 'category'])('a %s whose answer is lost is found, and is created once', async (what) => {
  const { openWriter, writer, docs, faults, site, names } = await open()
  const above = what === 'category' ? docs.addCollection(site.id, 'Manuals') : null
  const one = record({ name: 'Printers', ...(above && { parent_category: to('categories', `c${above.id}`) }) })
  faults.next('POST', above ? '/v1/categories' : '/v1/collections', { kind: 'lost' })
  await expect(writer.write('categories', [one])).rejects.toThrow()
  const [found] = await openWriter().find('categories', [sought(one)])
  const [again] = await openWriter().write('categories', [one])
  expect(again).toMatchObject({ result: 'written', destinationId: found?.destinationId })
  expect(names()).toEqual(above ? ['Manuals', 'Printers'] : ['Printers'])
})

test('existing shelves with the same name in other case are used unchanged, and an undo leaves them', async () => {
  const { writer, docs, site, sides, tidy, names } = await open()
  const theirs = docs.addCollection(site.id, 'MANUALS')
  const inside = docs.addCategory(theirs.id, 'PRINTERS')
  const [first] = await writer.write('categories', [record({ name: 'Manuals' })])
  expect(first).toMatchObject({ result: 'matched', destinationId: `c${theirs.id}` })
  const parent_category = to('categories', `c${theirs.id}`)
  const [second] = await writer.write('categories', [record({ name: 'Printers', parent_category })])
  expect(second).toMatchObject({ result: 'matched', destinationId: inside.id })
  expect(sides.all()).toEqual([])
  await tidy()
  expect(names()).toEqual(['MANUALS', 'PRINTERS'])
})

test('a collection that Help Scout refuses leaves no note', async () => {
  const { writer, faults, sides } = await open()
  faults.next('POST', '/v1/collections', { kind: 'answered', status: 400, json: { code: 400, error: 'is too odd' } })
  const outcomes = await writer.write('categories', [record({ name: 'Printers' })])
  expect(outcomes).toMatchObject([{ result: 'refused', message: expect.stringContaining('is too odd') }])
  expect(sides.all()).toEqual([])
})

test('a nested category becomes a category of the collection, which is reported, and is read back as it was sent', async () => {
  const { openWriter, writer, docs } = await open()
  const [top] = await writer.write('categories', [record({ name: 'Manuals' })])
  const inner = record({ name: 'Printers', parent_category: to('categories', idOf(top)) })
  const [middle] = await writer.write('categories', [inner])
  const deep = record({ name: 'Laser', parent_category: to('categories', idOf(middle)) })
  const [outcome] = await writer.write('categories', [deep])
  expect(outcome).toMatchObject({ result: 'written', losses: ['parent_refused'] })
  expect(docs.categories.get(idOf(outcome))?.collectionId).toBe(idOf(top).slice(1))
  const [found] = await openWriter().find('categories', [{ ...sought(deep), destinationId: idOf(outcome) }])
  expect(found?.fields).toEqual((await writer.asStored('categories', deep)).fields)
  // A second category of that name in the collection is the same category.
  const [same] = await writer.write('categories', [
    record({ name: 'laser', parent_category: to('categories', idOf(top)) }),
  ])
  expect(same).toMatchObject({ result: 'matched', destinationId: idOf(outcome) })
})

test('a nested category whose answer is lost is read as it was sent, and an undo removes it', async () => {
  const { openWriter, writer, docs, faults, names } = await open()
  const [top] = await writer.write('categories', [record({ name: 'Manuals' })])
  const [middle] = await writer.write('categories', [
    record({ name: 'Printers', parent_category: to('categories', idOf(top)) }),
  ])
  const deep = record({ name: 'Laser', parent_category: to('categories', idOf(middle)) })
  faults.next('POST', '/v1/categories', { kind: 'lost' })
  await expect(writer.write('categories', [deep])).rejects.toThrow()
  const [found] = await openWriter().find('categories', [sought(deep)])
  expect(found?.fields).toEqual((await writer.asStored('categories', deep)).fields)
  const destinationId = String(found?.destinationId)
  await openWriter().write('categories', [{ ...deep, destinationId }])
  const known = { ...sought(deep), destinationId, version: found?.version ?? null }
  expect(await openWriter().remove('categories', [known])).toMatchObject([{ result: 'removed' }])
  expect(names()).toEqual(['Manuals', 'Printers'])
  expect(docs.collections.size()).toBe(1)
})

test('an article whose answer is lost is found by its keyword, and is not duplicated', async () => {
  const { openWriter, writer, docs, faults, site } = await open()
  const guide = docs.addCollection(site.id, 'Guide')
  docs.addArticle(guide.id, 'Same', 'Theirs')
  const records = [article('Same', `c${guide.id}`), article('Same', `c${guide.id}`)]
  const [first] = await writer.write('articles', records.slice(0, 1))
  // The names "Same" and "Same (2)" are in use, so the third attempt succeeds.
  let posts = 0
  const stop = faults.when(({ method, url }) =>
    method === 'POST' && url.pathname === '/v1/articles' && ++posts === 3 ? { kind: 'lost' } : null,
  )
  await expect(writer.write('articles', records.slice(1))).rejects.toThrow()
  stop()
  for (const [at, one] of records.entries()) {
    const found = await openWriter().find('articles', [sought(one)])
    expect(found.map(({ destinationId }) => destinationId)).toEqual([
      at === 0 ? idOf(first) : docs.articles.list(({ name }) => name === 'Same (3)')[0]?.id,
    ])
    expect(found[0]?.fields).toEqual((await writer.asStored('articles', one)).fields)
  }
  expect(docs.articles.size()).toBe(3)
})

test('an article whose title Help Scout has changed is still found', async () => {
  const { openWriter, writer, docs } = await open()
  const one = article('One & <two>')
  const [outcome] = await writer.write('articles', [one])
  docs.articles.change(idOf(outcome), { name: 'Something else' })
  expect(await openWriter().find('articles', [sought(one)])).toMatchObject([{ destinationId: idOf(outcome) }])
})

test('an article for agents is never public', async () => {
  const { writer, docs, site, isOut, openWriter } = await open()
  const [guide, staff] = [
    docs.addCollection(site.id, 'Guide'),
    docs.addCollection(site.id, 'Staff', { visibility: 'private' }),
  ]
  const [shown, hidden] = [
    docs.addCategory(guide.id, 'Shown'),
    docs.addCategory(guide.id, 'Hidden', { visibility: 'private' }),
  ]
  const places = [undefined, `c${guide.id}`, `c${staff.id}`, shown.id, hidden.id]
  for (const [at, place] of places.entries()) {
    const records = ['public', 'internal'].map((visibility) => article(`${at} ${visibility}`, place, { visibility }))
    const outcomes = await writer.write('articles', records)
    expect(isOut(`${at} internal`), String(place)).toBe(false)
    // On a site without outside readers, nothing is published.
    expect(isOut(`${at} public`), String(place)).toBe(place !== `c${staff.id}` && place !== hidden.id)
    const [, internal] = records
    if (!internal) continue
    const [found] = await openWriter().find('articles', [{ ...sought(internal), destinationId: idOf(outcomes[1]) }])
    expect(found?.fields).toEqual((await writer.asStored('articles', internal)).fields)
  }
})

test('an article without visibility and status is a draft for agents', async () => {
  const { writer, docs, isOut } = await open()
  await writer.write('articles', [record({ title: 'Bare' })])
  expect(docs.articles.list()).toMatchObject([{ status: 'notpublished' }])
  docs.articles.change(String(docs.articles.list()[0]?.id), { status: 'published' })
  expect(isOut('Bare')).toBe(false)
})

test('an article that only agents may read by now moves to a private category, also in another collection', async () => {
  const { openWriter, writer, docs, site, isOut } = await open()
  const [guide, other] = [docs.addCollection(site.id, 'Guide'), docs.addCollection(site.id, 'Other')]
  const one = article('One', `c${guide.id}`)
  const [outcome] = await writer.write('articles', [one])
  expect(isOut('One')).toBe(true)
  const change = (fields: object) =>
    openWriter().write('articles', [{ ...one, destinationId: idOf(outcome), fields: { ...one.fields, ...fields } }])
  expect(await change({ visibility: 'internal' })).toEqual([expect.not.objectContaining({ losses: expect.anything() })])
  expect(isOut('One')).toBe(false)
  await change({})
  expect(isOut('One')).toBe(true)
  const moved = { visibility: 'internal', category: to('categories', `c${other.id}`) }
  expect(await change(moved)).toMatchObject([{ result: 'written', losses: ['relation_refused'] }])
  expect(isOut('One')).toBe(false)
  expect(docs.articles.size()).toBe(1)
})

test('a category of ours that people open to all stays theirs, and the next article for agents gets a new category', async () => {
  const { writer, docs, isOut } = await open()
  const [first] = await writer.write('articles', [article('One', undefined, { visibility: 'internal' })])
  const [made = ''] = docs.articles.get(idOf(first))?.categories ?? []
  docs.categories.change(made, { visibility: 'public' })
  await writer.write('articles', [article('Two', undefined, { visibility: 'internal' })])
  expect(isOut('Two')).toBe(false)
})

test('after people delete our collection between two runs, the next article gets a new collection', async () => {
  const { openWriter, writer, docs } = await open()
  await writer.write('articles', [article('One')])
  for (const store of [docs.articles, docs.categories, docs.collections]) {
    for (const { id } of store.list()) store.remove(id)
  }
  idOf((await openWriter().write('articles', [article('Two')]))[0])
  expect(docs.articles.list().map(({ name }) => name)).toEqual(['Two'])
})

test("an article that is too large is refused in Help Scout's words, and the others arrive", async () => {
  const { writer, docs, faults, sides } = await open()
  let posts = 0
  faults.when(({ method, url }) =>
    method === 'POST' && url.pathname === '/v1/articles' && ++posts === 2
      ? { kind: 'answered', status: 413, json: { code: 413, error: 'Request Entity Too Large' } }
      : null,
  )
  const outcomes = await writer.write('articles', [article('One'), article('Long'), article('Two')])
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'refused', 'written'])
  expect(outcomes[1]).toMatchObject({ message: expect.stringContaining('Too Large') })
  expect(docs.articles.size()).toBe(2)
  expect(sides.all().filter(({ kind }) => kind === 'collection_of_article')).toHaveLength(2)
})

test('an undo leaves an article that people changed or have a draft of, with its category and collection', async () => {
  const { openWriter, writer, docs, tidy, names } = await open()
  const records = [article('One'), article('Two'), article('Three')]
  const outcomes = await writer.write('articles', records)
  docs.articles.change(idOf(outcomes[0]), { text: '<p>Mine now</p>' })
  docs.articles.change(idOf(outcomes[1]), { draft: '<p>Mine soon</p>' })
  const removed = await openWriter().remove(
    'articles',
    records.map((one, at) => removable(one, outcomes[at])),
  )
  expect(removed.map(({ result }) => result)).toEqual(['kept', 'kept', 'removed'])
  expect((await tidy()).filter(({ result }) => result === 'kept')).toMatchObject([{ kind: 'collection_of_articles' }])
  for (const { id } of docs.articles.list()) docs.articles.remove(id)
  await tidy()
  expect(names()).toEqual([])
})

test('a category that people added an article to stays, because its removal would make the article public', async () => {
  const { openWriter, writer, docs, names } = await open()
  const top = record({ name: 'Manuals' })
  const [made] = await writer.write('categories', [top])
  const inner = record({ name: 'Printers', parent_category: to('categories', idOf(made)) })
  const [category] = await writer.write('categories', [inner])
  docs.addArticle(idOf(made).slice(1), 'Theirs', 'x', { categories: [idOf(category)] })
  const remove = async (one: OutgoingRecord, outcome: WriteOutcome | undefined) =>
    (await openWriter().remove('categories', [removable(one, outcome)]))[0]
  expect(await remove(inner, category)).toMatchObject({ result: 'kept', message: 'It is not empty.' })
  expect(await remove(top, made)).toMatchObject({ result: 'kept', message: 'It is not empty.' })
  for (const { id } of docs.articles.list()) docs.articles.remove(id)
  expect([await remove(inner, category), await remove(top, made)]).toMatchObject([
    { result: 'removed' },
    { result: 'removed' },
  ])
  expect(names()).toEqual([])
})

test.each(['collection', 'category'])('an undo removes records whose answers were lost: %s', async (what) => {
  const { writer, faults, tidy, names } = await open()
  faults.next('POST', what === 'collection' ? '/v1/collections' : '/v1/categories', { kind: 'lost' })
  await expect(writer.write('articles', [article('One', undefined, { visibility: 'internal' })])).rejects.toThrow()
  expect(names()).toHaveLength(what === 'collection' ? 1 : 2)
  await tidy()
  expect(names()).toEqual([])
})

test('a file is linked once at the end of its article, the link survives a rewrite of the text, and does not count as a change', async () => {
  const { openWriter, writer, docs, faults } = await open()
  const one = article('One')
  const [outcome] = await writer.write('articles', [one])
  const parent = { entity: 'articles', destinationId: idOf(outcome) }
  const plan = file(parent, Buffer.from('water'), 'plan & <more>.txt')
  const [sent] = [await writer.writeFile('attachments', plan)]
  const [found] = await openWriter().find('attachments', [{ ...sought(plan), parent }])
  expect(found).toMatchObject({ destinationId: idOf(sent), fileSize: 5 })
  expect(found?.fields).toEqual((await writer.asStored('attachments', plan)).fields)
  // The line is written, and its answer is lost.
  const other = file(parent, Buffer.from('x'), 'other.txt')
  faults.next('PUT', '/v1/articles', { kind: 'lost' })
  await expect(writer.writeFile('attachments', other)).rejects.toThrow()
  expect(await openWriter().find('attachments', [{ ...sought(other), parent }])).toHaveLength(1)
  const again = { ...one, destinationId: idOf(outcome), fields: { ...one.fields, body: '<p>New</p>' } }
  const [changed] = await openWriter().write('articles', [again])
  expect(docs.articles.list()[0]?.text).toMatch(
    /^<p>New<\/p><p>📎 <a href="[^"]+">plan &amp; &lt;more&gt;\.txt<\/a><\/p><p>📎/,
  )
  expect(await openWriter().remove('articles', [removable(one, changed)])).toMatchObject([{ result: 'removed' }])
})

test('a picture shown in a text gets no extra line, and keeps the address that texts show', async () => {
  const { writer, docs, openWriter } = await open()
  const [outcome] = await writer.write('articles', [article('One')])
  const parent = { entity: 'articles', destinationId: idOf(outcome) }
  const picture = file(parent, Buffer.from('png'), 'a.png')
  const sent = await writer.writeFile('attachments', { ...picture, fields: { ...picture.fields, is_inline: true } })
  expect(sent).toMatchObject({ result: 'written', url: expect.stringContaining('/a.png') })
  expect(docs.articles.list()[0]?.text).toBe('<p>One</p>')
  const known = { ...sought(picture), destinationId: idOf(sent), parent }
  expect(await openWriter().find('attachments', [known])).toHaveLength(1)
})

test('a private file never goes to a public article, and no file overwrites a draft of people', async () => {
  const { writer, docs } = await open()
  const send = async (title: string, fields: object, more: object = {}) => {
    const [outcome] = await writer.write('articles', [article(title, undefined, more)])
    if (title === 'Drafted') docs.articles.change(idOf(outcome), { draft: 'Mine soon' })
    const one = file({ entity: 'articles', destinationId: idOf(outcome) }, Buffer.from('x'))
    return writer.writeFile('attachments', { ...one, fields: { ...one.fields, ...fields } })
  }
  const isPrivate = { is_private: true }
  expect(await send('Open', isPrivate)).toMatchObject({ result: 'refused', code: 'not_protected' })
  expect(await send('Ours', isPrivate, { visibility: 'internal' })).toMatchObject({ result: 'written' })
  expect(await send('Drafted', {})).toMatchObject({ result: 'refused', code: 'has_draft' })
  expect(docs.assets.size()).toBe(1)
})

test('without a key or a site of Docs, tickets are accepted, and the plan names the entities that stay behind', async () => {
  const { account } = await open()
  const { more: _more, ...access } = account().access
  const keyless = openHelpscoutWriter({ ...account(), access })
  const { writer: siteless } = await open({ hasSite: false })
  for (const writer of [keyless, siteless]) {
    expect(Object.keys((await writer.describe()).entities)).not.toContain('articles')
    expect(await writer.preflight?.()).toContainEqual(expect.objectContaining({ code: 'docs_key', isFine: false }))
    expect(await writer.write('organizations', [record({ name: 'Quay' })])).toMatchObject([{ result: 'written' }])
  }
})

test('a right that is withdrawn during the run stops it: no record counts as missing', async () => {
  const { writer, docs, faults, site } = await open()
  docs.addCollection(site.id, 'Printers')
  faults.when(() => ({ kind: 'answered', status: 403, json: { code: 403, error: 'Access denied' } }))
  await expect(writer.write('categories', [record({ name: 'Printers' })])).rejects.toThrow()
  await expect(writer.find('articles', [{ ...sought(article('One')), destinationId: 'x' }])).rejects.toThrow()
  expect(docs.collections.size()).toBe(1)
})
