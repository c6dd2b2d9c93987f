import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wordpress } from '../../service/src/connectors/blog/wordpress/index.ts'
import { openWordpress } from '../../service/src/connectors/blog/wordpress/reader.ts'
import type { Reader } from '../../service/src/connectors/contract/contract.ts'
import { AccountRefusedError } from '../../service/src/errors.ts'
import { describeReader, readAll } from '../connectors/reader-contract.ts'
import { png } from './wordpress-seed.ts'
import { isGiven, type LiveSite, openSite, present, title } from './wordpress-site.ts'

describe.skipIf(!isGiven)(title, () => {
  let site: LiveSite
  const read = (pageSize = 10): Reader => openWordpress(site.account(), pageSize)
  const readOne = async (entity: string, id: number) => {
    const { items, warnings } = await present(read().readSome?.(entity, { ids: [String(id)] }, null))
    return { record: present(items[0]), warnings }
  }

  beforeAll(async () => {
    site = await openSite()
  }, 600_000)
  afterAll(() => site?.stop(), 60_000)

  describeReader('WordPress', async () => ({
    reader: read(),
    family: 'blog',
    entities: ['media', 'tags', 'categories', 'posts', 'pages', 'comments'],
    missing: Object.fromEntries((wordpress.source?.tellsDeleted ?? []).map((entity) => [entity, '99999999'])),
  }))

  test('posts are read as people see them, with the pictures they show', async () => {
    const { image, imageUrl, imageSmallUrl, post } = site.seeded
    const { record } = await readOne('posts', post)
    expect(record).toMatchObject({
      createdAt: '2015-05-05T05:05:05.000Z',
      fields: {
        title: 'Block post & title',
        status: 'published',
        is_featured: true,
        published_at: '2015-05-05T05:05:05.000Z',
        feature_image: { entity: 'media', sourceId: String(image) },
        feature_image_alt: 'Alt "x"',
        feature_image_caption: 'Caption here',
        body: { format: 'html', inlineFiles: [{ url: imageSmallUrl, attachment: String(image) }] },
      },
    })
    // The post is backdated and was never changed. Its last change is unknown, so every delta has it.
    expect(record.updatedAt).toBeUndefined()
    const { fields } = (await readOne('posts', post + 1)).record
    const { body, inlineFiles } = fields.body as { body: string; inlineFiles: { url: string }[] }
    expect(body).toContain('<p>First line<br />\nsecond line</p>')
    expect(body).not.toContain('[caption')
    expect(new Set(inlineFiles.map(({ url }) => url))).toEqual(new Set([imageUrl, imageSmallUrl]))
    expect(fields).toMatchObject({ format: 'photo', comments_enabled: false, excerpt: 'Short & sweet' })
  })

  test('a post created today and backdated is part of a delta', async () => {
    const since = new Date().toISOString()
    const changed = await readAll((cursor) => read(100).read('posts', cursor, { since }))
    expect(changed.map(({ sourceId }) => sourceId)).toContain(String(site.seeded.post))
  })

  test('a protected post is private, with its password', async () => {
    const { fields } = (await readOne('posts', site.seeded.protectedPost)).record
    expect(fields).toMatchObject({ status: 'private', password: 'pass & word' })
    expect((fields.body as { body: string }).body).toContain('For a few')
  })

  test('posts in every status except the trash are read, and slugs are readable', async () => {
    const all = (await readAll((cursor) => read().read('posts', cursor, {}))).filter(
      ({ sourceId }) => Number(sourceId) >= site.seeded.post && Number(sourceId) < site.seeded.page,
    )
    expect(all.map(({ fields }) => fields.status).join(' ')).toBe(
      'published published published draft pending private scheduled published private published',
    )
    expect(all[7]?.fields.slug).toBe(`${site.prefix}-unicode-العربية-🚀`)
    expect(all[2]?.createdAt).toBe('1969-07-20T20:17:40.000Z')
  })

  test('comments are read in their threads, and a deleted account leaves its name', async () => {
    const parents = [{ entity: 'posts', sourceId: String(site.seeded.post) }]
    const { items, warnings } = await present(read(100).readSome?.('comments', { parents }, null))
    expect(items).toHaveLength(14)
    expect(items[0]?.fields).toMatchObject({
      author_name: 'Guest & Co',
      author_url: 'https://guest.example/',
      status: 'approved',
      body: { format: 'html', body: '<p>First<br />\nline <strong>two</strong></p>\n' },
    })
    expect(items[1]?.fields.parent_comment).toEqual({ entity: 'comments', sourceId: items[0]?.sourceId })
    expect(items[2]?.fields.parent_comment).toEqual({ entity: 'comments', sourceId: items[1]?.sourceId })
    expect(items[3]?.fields.status).toBe('pending')
    expect(warnings.map(({ code }) => code)).toEqual(['parent_not_moved'])
    expect(items[5]?.fields).toMatchObject({ author_name: 'gone Ünlü' })
    expect(items[5]?.fields.author).toBeUndefined()
  })

  test('a very large picture is read as it was uploaded', async () => {
    const { record } = await readOne('media', site.seeded.large)
    const { body } = await read().openFile(record)
    expect(Buffer.concat(await body.toArray()).equals(png(2700, 20))).toBe(true)
  })

  test('reading continues at its position when an earlier record is deleted', async () => {
    const { call, prefix } = site
    const made: number[] = []
    for (let index = 0; index < 6; index += 1)
      made.push((await call('POST', '/tags', { name: `${prefix} t${index}` })).id)
    const reader = read(4)
    const seen: string[] = []
    let cursor: string | null = null
    let deleted = false
    do {
      const page = await reader.read('tags', cursor, {})
      seen.push(...page.items.map(({ sourceId }) => sourceId))
      cursor = page.next
      if (!deleted && seen.includes(String(made[1]))) {
        await call('DELETE', `/tags/${made[0]}?force=true`)
        await call('DELETE', `/tags/${made[1]}?force=true`)
        deleted = true
      }
    } while (cursor !== null)
    expect(deleted).toBe(true)
    expect(seen).toEqual(expect.arrayContaining(made.map(String)))
    expect(new Set(seen).size).toBe(seen.length)
    for (const id of made.slice(2)) await call('DELETE', `/tags/${id}?force=true`)
  })

  test('single records are read without the others', async () => {
    const { post, page } = site.seeded
    const some = await present(read().readSome?.('posts', { ids: [String(post), '99999999', String(page)] }, null))
    expect(some.items.map(({ sourceId }) => sourceId)).toEqual([String(post)])
    expect((await present(read().readSome?.('posts', { ids: [] }, null))).items).toEqual([])
  })

  test('spam, trash, pingbacks, revisions, menu items and blocks are skipped and counted', async () => {
    const { call } = site
    const before = await present(read().countSkipped?.())
    const made = await call('POST', '/posts', { title: 'Counted', content: 'one', status: 'publish' })
    for (const content of ['two', 'three']) await call('POST', `/posts/${made.id}`, { content })
    const trashed = await call('POST', '/posts', { title: 'Thrown away', status: 'publish' })
    await call('DELETE', `/posts/${trashed.id}`)
    const page = await call('POST', '/pages', { title: 'Thrown away', status: 'publish' })
    await call('DELETE', `/pages/${page.id}`)
    await call('POST', '/comments', {
      post: made.id,
      content: 'Buy',
      author_name: 'x',
      author_email: 'x@y.example',
      status: 'spam',
    })
    const comment = await call('POST', '/comments', {
      post: made.id,
      content: 'Oops',
      author_name: 'x',
      author_email: 'x@y.example',
    })
    await call('DELETE', `/comments/${comment.id}`)
    const menu = await call('POST', '/menus', { name: `${site.prefix} menu` })
    await call('POST', '/menu-items', { title: 'Home', url: 'https://x.example', menus: menu.id, status: 'publish' })
    await call('POST', '/blocks', { title: 'Block', content: '<p>x</p>', status: 'publish' })
    const after = await present(read().countSkipped?.())
    const more = Object.fromEntries(
      Object.entries(after).map(([kind, count]) => [kind, count - (before[kind as keyof typeof before] ?? 0)]),
    )
    expect(more).toEqual({
      spam_comments: 1,
      trashed_comments: 1,
      pingbacks: 0,
      trashed_posts: 1,
      trashed_pages: 1,
      menu_items: 1,
      reusable_blocks: 1,
      custom_posts: 0,
      revisions: expect.any(Number),
    })
    expect(more.revisions).toBeGreaterThanOrEqual(2)
  })

  test('a wrong password is refused, though lists still answer', async () => {
    const wrong = { ...site.access, token: 'wrong' }
    const authorization = `Basic ${Buffer.from('admin:wrong').toString('base64')}`
    const list = await fetch(`${site.url}/?rest_route=/wp/v2/posts`, { headers: { authorization } })
    expect(list.status).toBe(200)
    await expect(wordpress.source?.checkAccount(site.account(wrong))).rejects.toThrow(AccountRefusedError)
    for (const entity of ['posts', 'comments', 'media']) {
      const reading = openWordpress(site.account(wrong)).read(entity, null, {})
      await expect(reading).rejects.toMatchObject({ code: 'authorization_lost' })
    }
    const copied = { ...site.access, instanceUrl: `${site.url}/wp-admin/index.php?x=1` }
    expect((await wordpress.source?.checkAccount(site.account(copied)))?.name).toBeTruthy()
  })
})
