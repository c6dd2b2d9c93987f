import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWordpressWriter } from '../../service/src/connectors/blog/wordpress/writer.ts'
import type { Leftover, Leftovers, Writer } from '../../service/src/connectors/contract/contract.ts'
import { createRoundTrip, relationTo, type Written } from './blog-round-trip.ts'
import { listChanges } from './facts.ts'
import { readWordpressRows } from './facts-wordpress.ts'
import { rememberSides } from './remember-sides.ts'
import { png } from './wordpress-seed.ts'
import { isGiven, type LiveSite, openSite, present, title } from './wordpress-site.ts'

describe.skipIf(!isGiven)(`${title}, undo`, () => {
  let site: LiveSite
  let writer: Writer
  let trip: ReturnType<typeof createRoundTrip>
  let turn = 0
  beforeAll(async () => {
    site = await openSite()
  }, 600_000)
  beforeEach(() => {
    turn += 1
    writer = openWordpressWriter(site.account())
    trip = createRoundTrip(writer, `${site.prefix}u${turn}`, ['tags', 'categories'])
  })
  afterAll(() => site?.stop(), 60_000)

  const make = async (entity: string, fields: Record<string, unknown>): Promise<Written> =>
    present((await trip.write(entity, [trip.outgoing(fields)]))[0])
  const removed = async (entity: string) => {
    const ours = trip.made.filter((one) => one.entity === entity).map((one) => ({ ...one, parent: null }))
    return (await writer.remove(entity, ours)).map(({ result }) => result)
  }
  const forget = async (entity: string) => {
    for (const one of trip.made.filter((made) => made.entity === entity)) {
      await site.call('DELETE', `/${entity}/${one.destinationId}?force=true`)
    }
    trip.made.splice(0, trip.made.length, ...trip.made.filter((made) => made.entity !== entity))
  }

  test('any change that people can make to a text, a term or a file keeps it', async () => {
    const text = { title: 'P', status: 'published', body: '<p>x</p>' }
    const words = { title: 'o', slug: `o-${turn}`, content: '<p>y</p>', excerpt: 'e', status: 'draft', password: 'x' }
    const rest = { comment_status: 'closed', ping_status: 'closed', date_gmt: '2001-01-01T00:00:00', author: 1 }
    const top = await make('categories', { name: `${site.prefix} top` })
    const categories = { name: 'o', slug: `c-${turn}`, description: 'd', parent: Number(top.destinationId) }
    for (const [entity, fields, changes] of [
      ['posts', { ...text, authors: '2' }, { ...words, ...rest, sticky: true, format: 'aside' }],
      ['pages', text, { ...words, comment_status: 'closed', menu_order: 7 }],
      ['tags', { name: `${site.prefix} tag` }, { name: 'o', slug: `t-${turn}`, description: 'd' }],
      ['categories', { name: `${site.prefix} cat` }, categories],
    ] as const) {
      const others = trip.made.splice(0)
      for (const [name, value] of Object.entries(changes)) {
        const { destinationId } = await make(entity, fields)
        await site.call('POST', `/${entity}/${destinationId}`, { [name]: value })
        expect([entity, name, await removed(entity)]).toEqual([entity, name, ['kept']])
        await forget(entity)
      }
      trip.made.push(...others)
    }
    for (const [name, value] of Object.entries({ title: 'o', alt_text: 'a', caption: 'c', description: 'd' })) {
      trip.note('media', await writer.writeFile('media', trip.file('one.png', png(20, 20))))
      const id = present(trip.made.find(({ entity }) => entity === 'media')).destinationId
      await site.call('POST', `/media/${id}`, { [name]: value })
      expect([name, await removed('media')]).toEqual([name, ['kept']])
      await forget('media')
    }
    await forget('categories')
  }, 600_000)

  test('records that people use stay', async () => {
    const file = trip.note('media', await writer.writeFile('media', trip.file(`used-${turn}.png`, png(20, 20))))
    const theirs = await site.call('POST', '/posts', { title: 'theirs', content: `<img src="${file.url}">` })
    expect(await removed('media')).toEqual(['kept'])
    await site.call('DELETE', `/posts/${theirs.id}?force=true`)
    expect(await removed('media')).toEqual(['removed'])
    const post = await make('posts', { title: 'P', status: 'published', body: '<p>x</p>', comments_enabled: true })
    const guest = { author_name: 'Guest', author_email: 'guest@mail.example', status: 'approved' }
    const comment = await make('comments', { ...guest, post: relationTo('posts', post), body: '<p>x</p>' })
    const answer = await site.call('POST', '/comments', {
      ...{ post: Number(post.destinationId), parent: Number(comment.destinationId), content: 'answer' },
    })
    expect(await removed('comments')).toEqual(['kept'])
    expect(await removed('posts')).toEqual(['kept'])
    await site.call('DELETE', `/comments/${answer.id}?force=true`)
    expect(await removed('comments')).toEqual(['removed'])
    expect(await removed('posts')).toEqual(['removed'])
  }, 120_000)

  test('a fault while comments are written leaves nothing behind after the restore', async ({ skip }) => {
    if (site.folder === null) return skip('only a site that was started here shows its database')
    const rows = () => readWordpressRows(site as never)
    const post = await make('posts', { title: 'P', status: 'published', body: '<p>x</p>', comments_enabled: true })
    const before = await rows()
    const guest = { author_name: 'Guest', author_email: 'guest@mail.example', status: 'approved' }
    const records = ['one', 'two', 'three'].map((body) =>
      trip.outgoing({ ...guest, post: relationTo('posts', post), body: `<p>${body}</p>` }),
    )
    const account = site.account()
    const lost = new Error('the connection broke')
    for (const fails of [1, 2, 3, 4, 5]) {
      const left = new Map<string, Leftover>()
      const leftovers: Leftovers = {
        note: async (...items) => void items.forEach((item) => void left.set(JSON.stringify(item), item)),
        forget: async (...items) => void items.forEach((item) => void left.delete(JSON.stringify(item))),
      }
      let sent = 0
      // The tool executed the request; only its answer is lost.
      const outbound: typeof account.outbound = {
        ...account.outbound,
        async request(url, options) {
          const answer = await account.outbound.request(url, options)
          if (options?.method === 'POST') sent += 1
          if (sent === fails) throw lost
          return answer
        },
      }
      const broken = openWordpressWriter({ ...account, outbound, leftovers })
      await expect(broken.write('comments', records)).rejects.toThrow('could not be reached')
      const items = [...left.values()]
      expect(await writer.restore?.(items)).toEqual(items)
      const found = await Promise.all(records.map(({ key }) => trip.find('comments', key)))
      const arrived = found.flat().map((record) => ({ ...record, parent: null }))
      expect((await writer.remove('comments', arrived)).every(({ result }) => result === 'removed')).toBe(true)
      expect([fails, listChanges(before, await rows())]).toEqual([fails, []])
    }
    expect(await removed('posts')).toEqual(['removed'])
  }, 120_000)

  test('a term whose answer was lost is ours when it is sent again, and an undo in between removes it', async ({
    skip,
  }) => {
    if (site.folder === null) return skip('only a site that was started here shows its database')
    const rows = () => readWordpressRows(site as never)
    const before = await rows()
    const account = site.account()
    const sides = rememberSides()
    const outbound: typeof account.outbound = {
      ...account.outbound,
      async request(url, options) {
        const answer = await account.outbound.request(url, options)
        if (options?.method === 'POST') throw new Error('the connection broke')
        return answer
      },
    }
    const broken = openWordpressWriter({ ...account, outbound, sides })
    const careful = openWordpressWriter({ ...account, sides })
    const lost = {
      tags: trip.outgoing({ name: `${site.prefix} T & "x"` }),
      categories: trip.outgoing({ name: `${site.prefix} Ü` }),
    }
    for (const [entity, record] of Object.entries(lost)) {
      await expect(broken.write(entity, [record])).rejects.toThrow('could not be reached')
      expect(listChanges(before, await rows())).not.toEqual([])
      expect((await sides.removeAll(careful)).map(({ result }) => result)).toEqual(['removed'])
      expect(listChanges(before, await rows())).toEqual([])
      await expect(broken.write(entity, [record])).rejects.toThrow('could not be reached')
      const [again] = await careful.write(entity, [record])
      expect(again).toMatchObject({ result: 'written' })
      expect(sides.all()).toEqual([])
      trip.note(entity, again)
      expect(await removed(entity)).toEqual(['removed'])
      // An existing tag is not ours.
      const theirs = await site.call('POST', `/${entity}`, { name: `${site.prefix} theirs` })
      const [matched] = await careful.write(entity, [trip.outgoing({ name: `${site.prefix} theirs` })])
      expect(matched).toMatchObject({ result: 'matched', destinationId: String(theirs.id) })
      await site.call('DELETE', `/${entity}/${theirs.id}?force=true`)
    }
    expect(listChanges(before, await rows())).toEqual([])
  }, 120_000)

  test('after an undo the database is as it was before', async ({ skip }) => {
    if (site.folder === null) return skip('only a site that was started here shows its database')
    const rows = () => readWordpressRows(site as never)
    const before = await rows()
    const above = await make('categories', { name: `${site.prefix} above` })
    const below = await make('categories', {
      name: `${site.prefix} below`,
      parent_category: relationTo('categories', above),
    })
    const tag = await make('tags', { name: `${site.prefix} tag` })
    const image = trip.note('media', await writer.writeFile('media', trip.file('pic.png', png(30, 30))))
    const texts = { status: 'published', body: '<p>x</p>', comments_enabled: true }
    const post = await make('posts', {
      ...{ ...texts, title: 'P', is_featured: true, feature_image: relationTo('media', image) },
      ...{ categories: [relationTo('categories', below)], tags: [relationTo('tags', tag)] },
    })
    for (const format of ['photo', 'quote', 'link', 'video', 'audio', 'aside', 'chat', 'gallery', 'status']) {
      await make('posts', { ...texts, title: format, format })
    }
    const page = await make('pages', { ...texts, title: 'Page' })
    await make('pages', { ...texts, title: 'Below', parent_page: relationTo('pages', page) })
    const guest = { author_name: 'Guest', author_email: 'guest@mail.example', post: relationTo('posts', post) }
    for (const status of ['approved', 'pending', 'spam', 'trash']) {
      await make('comments', { ...guest, status, body: `<p>${status}</p>` })
    }
    expect(await trip.removeAll()).toEqual([])
    expect(listChanges(before, await rows())).toEqual([])
  }, 300_000)
})
