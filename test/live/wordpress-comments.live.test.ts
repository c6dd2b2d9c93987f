import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../service/src/connectors/blog/wordpress/mark-record.ts'
import { openWordpressWriter } from '../../service/src/connectors/blog/wordpress/writer.ts'
import type { Writer } from '../../service/src/connectors/contract/contract.ts'
import { readAll } from '../connectors/reader-contract.ts'
import { createRoundTrip, oddTexts, relationTo, toHtml } from './blog-round-trip.ts'
import { isGiven, type LiveSite, openSite, present, title } from './wordpress-site.ts'

describe.skipIf(!isGiven)(`${title}, comments`, () => {
  let site: LiveSite
  let writer: Writer
  let trip: ReturnType<typeof createRoundTrip>
  let mailsBefore: number
  /** A post of another author, because approving a comment there sends mail. */
  let post: ReturnType<typeof relationTo>
  let protectedPost: typeof post
  let draft: typeof post
  let ada: string
  const guest = {
    author_name: 'Güest <b> & Co',
    author_email: 'guest@mail.example',
    author_url: 'https://guest.example/?a=1',
    status: 'approved',
  }

  beforeAll(async () => {
    site = await openSite()
    writer = openWordpressWriter(site.account())
    trip = createRoundTrip(writer, site.prefix, ['tags', 'categories'])
    const users = await readAll((cursor) => writer.users(cursor))
    ada = present(users.find(({ email }) => email === `${site.prefix}ada@customer.example`)).id
    const posts = await trip.write('posts', [
      trip.outgoing({ title: 'Closed', status: 'published', comments_enabled: false, authors: ada }),
      trip.outgoing({ title: 'Protected', status: 'private', password: 'x', authors: ada }),
      trip.outgoing({ title: 'Draft', status: 'draft', authors: ada }),
    ])
    const [one, two, three] = posts.map((outcome) => relationTo('posts', outcome))
    post = present(one)
    protectedPost = present(two)
    draft = present(three)
    mailsBefore = await site.mails()
  }, 600_000)
  afterAll(() => site?.stop(), 60_000)

  test('are read back as they were sent, also on posts that are closed, protected or drafts', async () => {
    const [page] = await trip.write('pages', [trip.outgoing({ title: 'Page', status: 'published', authors: ada })])
    const rich =
      '<p>one</p><p>two <a href="https://x.example/?a=1&amp;b=2">l</a> <strong>b</strong></p>' +
      '<ul><li>i</li><li>j</li></ul><p><img src="https://x.example/i.png" alt="pic"></p>'
    const nobody = { author_email: 'no address', author_url: 'javascript:alert(1)' }
    const outcomes = await trip.roundTrip('comments', [
      trip.outgoing({ ...guest, post, body: rich }),
      ...oddTexts.map((text) => trip.outgoing({ ...guest, post, body: toHtml(text) })),
      trip.outgoing({ ...guest, post, body: toHtml('x '.repeat(25_000)) }),
      // WordPress itself would refuse the same words a second time.
      trip.outgoing({ ...guest, post: protectedPost, body: '<p>same</p>' }),
      trip.outgoing({ ...guest, post: protectedPost, body: '<p>same</p>' }),
      trip.outgoing({ ...guest, post: draft, body: '' }),
      trip.outgoing({
        post: relationTo('pages', present(page)),
        author: ada,
        author_name: 'other',
        body: '<blockquote><p>q</p></blockquote><p>a</p>',
        status: 'approved',
      }),
      trip.outgoing({ ...guest, post, body: '<p>spam</p>', status: 'spam' }),
      trip.outgoing({ ...guest, post, body: '<p>trash</p>', status: 'trash' }),
      trip.outgoing({ ...guest, post, body: '<p>waits</p>', status: 'pending' }),
      trip.outgoing({ ...nobody, post, body: '<p>nobody</p>', status: 'approved' }, { createdAt: null }),
      trip.outgoing(
        { post, body: '<p>said</p>', status: 'approved' },
        { createdBy: { name: 'Grace', email: null, userId: null } },
      ),
    ])
    const stored = await site.call('GET', `/comments/${outcomes[0]?.destinationId}?context=edit`)
    expect(stored).toMatchObject({
      date_gmt: '2016-02-29T12:34:56',
      author: 0,
      author_name: 'Güest &lt;b&gt; &amp; Co',
    })
    expect((stored.content as { rendered: string }).rendered).toMatch(
      /<p>one<\/p>\n<p>two <a.*<\/p>\n<p>&#8211; i<br \/>\n&#8211; j<\/p>\n<p><a href="https:\/\/x.example\/i.png"/s,
    )
  })

  test('get their threads and their approval later', async () => {
    const records = [
      trip.outgoing({ ...guest, post, body: '<p>question</p>' }),
      trip.outgoing({ ...guest, post, body: '<p>answer</p>' }),
      trip.outgoing({ ...guest, post, body: '<p>held</p>', status: 'pending' }),
    ]
    const [question, answer, held] = await trip.roundTrip('comments', records)
    const parent_comment = relationTo('comments', present(question))
    const changed = [
      { ...present(records[1]), destinationId: present(answer).destinationId },
      { ...present(records[2]), destinationId: present(held).destinationId },
    ]
    for (const record of changed) record.fields = { ...record.fields, parent_comment, status: 'approved' }
    const outcomes = await trip.roundTrip('comments', changed)
    expect(outcomes.map(({ destinationId }) => destinationId)).toEqual([answer?.destinationId, held?.destinationId])
  })

  test('send no mail to anyone, and leave nothing behind', async ({ skip }) => {
    const left = await site.call('GET', '/posts?search=wherryholdingplace&status=private')
    expect(left).toEqual([])
    if (Number.isNaN(mailsBefore)) return skip('no folder was named where the mails of this site are kept')
    expect(await site.mails()).toBe(mailsBefore)
    // A comment added in the usual way does send mail.
    const direct = { post: site.seeded.post, content: site.prefix, author_name: 'G', author_email: 'g@x.example' }
    const { id } = await site.call('POST', '/comments', { ...direct, status: 'approved' })
    expect(await site.mails()).toBe(mailsBefore + 1)
    await site.call('DELETE', `/comments/${id}?force=true`)
  })

  test('leftovers of a crash do not count as comments, and are removed', async () => {
    const stale = { content: '<!-- wherryholdingplace -->', status: 'private', comment_status: 'open' }
    const holding = await site.call('POST', '/posts', { title: 'x', ...stale, date_gmt: '2020-01-01T00:00:00Z' })
    const record = trip.outgoing({ ...guest, post, body: '<p>late</p>' })
    const address = addressOf(record.key)
    await site.call('POST', '/comments', {
      post: holding.id,
      content: `wherry-comment-on-its-way ${address}`,
      author_ip: address,
      author_name: 'W',
      author_email: 'w@x.example',
    })
    expect(await trip.find('comments', record.key)).toEqual([])
    const fresh = openWordpressWriter(site.account())
    trip.note('comments', (await fresh.write('comments', [record]))[0])
    expect(await trip.find('comments', record.key)).toHaveLength(1)
    await expect(site.call('GET', `/posts/${holding.id}?context=edit`)).rejects.toThrow('404')
  })

  test('a second comment with the same key is found beside the first', async () => {
    const twice = trip.outgoing({ ...guest, post, body: '<p>twice</p>' })
    await trip.write('comments', [twice])
    await trip.write('comments', [twice])
    expect(await trip.find('comments', twice.key)).toHaveLength(2)
    const parent = { entity: 'posts', destinationId: post.destinationId }
    expect(await writer.find('comments', [{ key: twice.key, destinationId: null, parent }])).toHaveLength(2)
  })

  test('a comment that people changed stays, together with its post', async () => {
    const edited = present(trip.made.find(({ entity }) => entity === 'comments'))
    await site.call('POST', `/comments/${edited.destinationId}`, { content: 'Mine now' })
    const kept = await trip.removeAll()
    expect(kept.sort()).toEqual([edited.key, post.key].sort())
  })
})
