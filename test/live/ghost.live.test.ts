import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ghost } from '../../service/src/connectors/blog/ghost/index.ts'
import { openGhost } from '../../service/src/connectors/blog/ghost/reader.ts'
import type { Reader } from '../../service/src/connectors/contract/contract.ts'
import { AccountRefusedError } from '../../service/src/errors.ts'
import { describeReader, readAll } from '../connectors/reader-contract.ts'
import { photo } from './ghost-seed.ts'
import { isGiven, type LiveGhostSite, openGhostSite, title } from './ghost-site.ts'
import { present } from './wordpress-site.ts'

describe.skipIf(!isGiven)(title, () => {
  let site: LiveGhostSite
  const read = (pageSize = 5): Reader => openGhost(site.account(), pageSize)
  const readOne = async (entity: string, id: string) => {
    const { items, warnings } = await present(read().readSome?.(entity, { ids: [id] }, null))
    return { record: present(items[0]), warnings }
  }

  beforeAll(async () => {
    site = await openGhostSite()
  }, 600_000)
  afterAll(() => site?.stop(), 60_000)

  describeReader('Ghost', async () => ({
    reader: read(),
    family: 'blog',
    entities: ['media', 'tags', 'posts', 'pages', 'comments', 'subscribers'],
    missing: Object.fromEntries((ghost.source?.tellsDeleted ?? []).map((entity) => [entity, 'f'.repeat(24)])),
  }))

  test('a post is read with all its fields, and with the files it shows', async () => {
    const { photoUrl, posts, ada } = site.seeded
    const { record } = await readOne('posts', present(posts[0]))
    expect(record).toMatchObject({
      createdBy: { userId: ada },
      fields: {
        title: 'Whole & "odd" 🚀',
        slug: `${site.prefix}-whole`,
        excerpt: 'Short & sweet',
        status: 'published',
        visibility: 'public',
        published_at: '2015-05-05T05:05:05.000Z',
        is_featured: true,
        authors: [{ userId: ada }],
        feature_image: { entity: 'media', sourceId: photoUrl },
        feature_image_alt: 'Above',
        feature_image_caption: 'Caption above',
        canonical_url: 'https://example.com/original',
        seo_title: 'SEO',
        seo_description: 'What it is about',
        body: { format: 'html', inlineFiles: [{ url: photoUrl, attachment: photoUrl }, { url: expect.any(String) }] },
      },
    })
    expect(record.fields.tags).toHaveLength(3)
    // The post was created today and backdated. Its id has the real time, so a delta contains it.
    expect(Date.parse(String(record.updatedAt))).toBeGreaterThan(Date.now() - 3_600_000)
  })

  test('a restricted post is private, and never public by mistake', async () => {
    const statuses: unknown[] = []
    for (const id of site.seeded.posts.slice(0, 6)) {
      const { fields } = (await readOne('posts', id)).record
      statuses.push(`${fields.status} ${fields.visibility}`)
    }
    expect(statuses).toEqual([
      'published public',
      'draft public',
      'scheduled public',
      'private members',
      'private paid',
      'published public',
    ])
  })

  test('a file is read once, as it was uploaded, for all posts that show it', async () => {
    const media = await readAll((cursor) => read(2).read('media', cursor, {}))
    const shown = media.filter(({ fields }) => String(fields.file_name).includes(site.prefix))
    expect(shown.map(({ fields }) => fields.content_type).sort()).toEqual(['image/png', 'image/png', 'text/plain'])
    const medium = present(media.find(({ sourceId }) => sourceId === site.seeded.photoUrl))
    expect(medium.fields).toMatchObject({ alt: 'Above', caption: 'Caption above' })
    // Ghost serves a smaller picture at this address.
    const served = Buffer.from(await (await fetch(site.seeded.photoUrl)).arrayBuffer())
    expect(served.equals(photo)).toBe(false)
    const { body } = await read().openFile(medium)
    expect(Buffer.concat(await body.toArray()).equals(photo)).toBe(true)
  })

  test('comments are read in their threads, without deleted ones', async () => {
    const { posts, page } = site.seeded
    const parents = [{ entity: 'posts', sourceId: present(posts[0]) }]
    const { items } = await present(read(100).readSome?.('comments', { parents }, null))
    expect(items).toHaveLength(12)
    expect(items[0]).toMatchObject({
      createdAt: '2015-06-01T00:00:00.000Z',
      fields: {
        author_name: 'Member 0, Ü',
        author_email: { address: `${site.prefix}m0@mail.example` },
        status: 'approved',
        body: { format: 'html', body: '<p>First<br />line</p>' },
      },
    })
    expect(items[1]?.fields.parent_comment).toEqual({ entity: 'comments', sourceId: items[0]?.sourceId })
    expect(items[2]?.fields.parent_comment).toEqual({ entity: 'comments', sourceId: items[1]?.sourceId })
    expect(items[3]?.fields.status).toBe('pending')
    const onPage = await present(
      read().readSome?.('comments', { parents: [{ entity: 'pages', sourceId: page }] }, null),
    )
    expect(onPage.items[0]?.fields.post).toEqual({ entity: 'pages', sourceId: page })
  })

  test('members are read with their subscriptions', async () => {
    const members = await readAll((cursor) => read(100).read('subscribers', cursor, {}))
    const first = members.find(({ fields }) =>
      (fields.email as { address: string }).address.startsWith(`${site.prefix}m0`),
    )
    expect(first).toMatchObject({
      createdAt: '2016-01-01T00:00:00.000Z',
      fields: { name: 'Member 0, Ü', note: 'Note "0"', status: 'subscribed', labels: [`${site.prefix} VIP`] },
    })
  })

  test("dates are sent in Ghost's own form, because any other form matches nothing", async () => {
    const iso = await site.call(
      'GET',
      `/posts/?filter=${encodeURIComponent("updated_at:>='2000-01-01T00:00:00.000Z'")}`,
    )
    const own = await site.call('GET', `/posts/?filter=${encodeURIComponent("updated_at:>='2000-01-01 00:00:00'")}`)
    expect(own.meta.pagination.total).toBeGreaterThanOrEqual(iso.meta.pagination.total)
    const changed = await readAll((cursor) => read(100).read('posts', cursor, { since: '2000-01-01T00:00:00.000Z' }))
    expect(changed.length).toBe((await read().count()).posts)
  })

  test('newsletters, tiers and offers are skipped and counted', async () => {
    const before = await present(read().countSkipped?.())
    await site.call('POST', '/newsletters/', { newsletters: [{ name: `${site.prefix} Letter` }] })
    await site.call('POST', '/tiers/', {
      tiers: [{ name: `${site.prefix} Gold`, monthly_price: 500, yearly_price: 5000, currency: 'usd' }],
    })
    const after = await present(read().countSkipped?.())
    expect(after).toEqual({
      newsletters: (before.newsletters ?? 0) + 1,
      tiers: (before.tiers ?? 0) + 1,
      offers: before.offers ?? 0,
    })
  })

  test('a wrong key is refused, though the site tells everyone its name', async () => {
    expect((await fetch(`${site.url}/ghost/api/admin/site/`)).status).toBe(200)
    const [id] = String(site.access.token).split(':')
    for (const token of ['nonsense', `${id}:${'0'.repeat(64)}`, `${'0'.repeat(24)}:${'0'.repeat(64)}`]) {
      const account = site.account({ ...site.access, token })
      await expect(ghost.source?.checkAccount(account)).rejects.toThrow(AccountRefusedError)
      await expect(openGhost(account).read('posts', null, {})).rejects.toMatchObject({ code: 'authorization_lost' })
    }
    const copied = { ...site.access, instanceUrl: `${site.url}/ghost/#/settings` }
    expect((await ghost.source?.checkAccount(site.account(copied)))?.name).toBeTruthy()
  })
})
