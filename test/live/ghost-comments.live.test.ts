import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGhostWriter } from '../../service/src/connectors/blog/ghost/writer.ts'
import type { Writer } from '../../service/src/connectors/contract/contract.ts'
import { createRoundTrip, oddTexts, relationTo, toHtml } from './blog-round-trip.ts'
import { isGiven, type LiveGhostSite, openGhostSite, title } from './ghost-site.ts'
import { present } from './wordpress-site.ts'

describe.skipIf(!isGiven)(`${title}, comments`, () => {
  let site: LiveGhostSite
  let writer: Writer
  let trip: ReturnType<typeof createRoundTrip>
  let mailsBefore: number
  let membersBefore: number
  let post: ReturnType<typeof relationTo>
  let guest: Record<string, string>
  const countMembers = async () => (await site.call('GET', '/members/?limit=1')).meta.pagination.total as number

  beforeAll(async () => {
    site = await openGhostSite()
    writer = openGhostWriter(site.account())
    trip = createRoundTrip(writer, site.prefix)
    mailsBefore = await site.mails()
    membersBefore = await countMembers()
    guest = { author_name: 'Güest <b> & "Co"', author_email: `${site.prefix}.Guest@mail.example`, status: 'approved' }
    const [written] = await trip.write('posts', [
      trip.outgoing({ title: 'Post', status: 'published', body: '<p>x</p>' }),
    ])
    post = relationTo('posts', present(written))
  }, 600_000)
  afterAll(() => site?.stop(), 60_000)

  test('are read back as they were sent, with any content', async () => {
    const rich =
      '<p>one<br>more</p><p>two <a href="https://x.example/?a=1&amp;b=2">l</a> <strong>b</strong></p><h2>h</h2>' +
      '<ul><li>i</li><li>j</li></ul><p><img src="https://x.example/i.png" alt="pic"></p><blockquote><p>q</p></blockquote>' +
      '<pre><code>a\n  b</code></pre><table><tr><td>1</td><td>2</td></tr></table>'
    const outcomes = await trip.roundTrip('comments', [
      trip.outgoing({ ...guest, post, body: rich }),
      ...oddTexts.map((text) => trip.outgoing({ ...guest, post, body: toHtml(text) })),
      trip.outgoing({ ...guest, post, body: toHtml('x '.repeat(5_000)) }),
      trip.outgoing({ ...guest, post, body: '<p>same</p>' }),
      trip.outgoing({ ...guest, post, body: '<p>same</p>' }),
      trip.outgoing({ ...guest, post, body: '' }),
      trip.outgoing({ ...guest, post, body: '<p>مرحبا</p>', status: 'spam' }),
      trip.outgoing({ ...guest, post, body: '<p>waits</p>', status: 'pending' }),
      trip.outgoing({ ...guest, post, body: '<p>undated</p>' }, { createdAt: null }),
    ])
    const { comments } = await site.call('GET', `/comments/${outcomes[0]?.destinationId}/`)
    expect(comments[0]).toMatchObject({
      created_at: '2016-02-29T12:34:56.000Z',
      status: 'published',
      member: { name: guest.author_name, email: guest.author_email?.toLowerCase() },
    })
    expect(comments[0].html).toMatch(/^<p>one<br \/>more<\/p><p>two <a .*>l<\/a> b<\/p><p>h<\/p><p>- i<br \/>- j<\/p>/)
    const hidden = await site.call('GET', `/comments/${outcomes.at(-3)?.destinationId}/`)
    expect(hidden.comments[0].status).toBe('hidden')
  })

  test('answer each other, and answers to answers stay in the thread', async () => {
    const [question] = await trip.roundTrip('comments', [trip.outgoing({ ...guest, post, body: '<p>question</p>' })])
    const parent_comment = relationTo('comments', present(question))
    const [answer] = await trip.roundTrip('comments', [
      trip.outgoing({ ...guest, post, body: '<p>a</p>', parent_comment }),
    ])
    const deeper = { ...guest, post, body: '<p>b</p>', parent_comment: relationTo('comments', present(answer)) }
    const [below] = await trip.roundTrip('comments', [trip.outgoing(deeper)])
    const { comments } = await site.call('GET', `/comments/${below?.destinationId}/`)
    expect(comments[0]).toMatchObject({ parent_id: question?.destinationId, in_reply_to_id: answer?.destinationId })
  })

  test('change their status in place, and are replaced if their text changes', async () => {
    const record = trip.outgoing({ ...guest, post, body: '<p>first</p>' })
    const [made] = await trip.roundTrip('comments', [record])
    const id = present(made).destinationId
    const hidden = { ...record, fields: { ...record.fields, status: 'pending' }, destinationId: id }
    expect((await trip.roundTrip('comments', [hidden]))[0]?.destinationId).toBe(id)
    const other = { ...record, fields: { ...record.fields, body: '<p>second</p>' }, destinationId: id }
    const [replaced] = await trip.roundTrip('comments', [other])
    expect(replaced?.destinationId).not.toBe(id)
    trip.made.splice(
      trip.made.findIndex(({ destinationId }) => destinationId === id),
      1,
    )
  })

  test('a second comment with the same key is found beside the first', async () => {
    const twice = trip.outgoing({ ...guest, post, body: '<p>twice</p>' })
    await trip.write('comments', [twice])
    await trip.write('comments', [twice])
    expect(await trip.find('comments', twice.key)).toHaveLength(2)
  })

  test("a comment without an author's address, or on a post for paying members, is refused", async () => {
    const [paid] = await trip.write('posts', [
      trip.outgoing({ title: 'Paid', status: 'private', visibility: 'paid', body: '<p>x</p>' }),
    ])
    const outcomes = await writer.write('comments', [
      trip.outgoing({ post, body: '<p>x</p>', status: 'approved' }),
      trip.outgoing({ post, body: '<p>x</p>', status: 'approved', author_email: 'no address' }),
      trip.outgoing({ ...guest, post: relationTo('posts', present(paid)), body: '<p>x</p>' }),
    ])
    expect(outcomes.map((outcome) => outcome.result === 'refused' && outcome.code)).toEqual([
      'author_unknown',
      'author_unknown',
      'comment_not_allowed',
    ])
  })

  test('a commenter who is also a reader is one member', async () => {
    const email = `${site.prefix}both@mail.example`
    await trip.write('comments', [trip.outgoing({ post, body: '<p>x</p>', author_email: email, status: 'approved' })])
    await trip.roundTrip('subscribers', [trip.outgoing({ email, name: 'Both', status: 'subscribed' })])
    const found = await site.call('GET', `/members/?filter=${encodeURIComponent(`email:'${email}'`)}`)
    expect(found.members).toHaveLength(1)
  })

  test('comments are removed with members that exist only because of them, and nobody got mail', async ({ skip }) => {
    expect(await countMembers()).toBe(membersBefore + 2)
    expect(await trip.removeAll()).toEqual([])
    expect((await site.sides.removeAll(writer)).filter(({ result }) => result === 'kept')).toEqual([])
    expect(await countMembers()).toBe(membersBefore)
    if (Number.isNaN(mailsBefore)) return skip('no folder was named where the mails of this site are kept')
    expect(await site.mails()).toBe(mailsBefore)
    // The usual way of adding a member sends a mail.
    const { members } = await site.call('POST', '/members/', { members: [{ email: `${site.prefix}p@mail.example` }] })
    await expect.poll(() => site.mails(), { timeout: 60_000 }).toBe(mailsBefore + 1)
    await site.call('DELETE', `/members/${members[0].id}/`)
  })
})
