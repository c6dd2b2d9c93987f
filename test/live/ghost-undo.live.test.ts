import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openGhostWriter } from '../../service/src/connectors/blog/ghost/writer.ts'
import type { SideOutcome, Writer } from '../../service/src/connectors/contract/contract.ts'
import { createRoundTrip, relationTo } from './blog-round-trip.ts'
import { listChanges } from './facts.ts'
import { readGhostRows } from './facts-ghost.ts'
import { isGiven, type LiveGhostSite, openGhostSite, title } from './ghost-site.ts'
import { present } from './wordpress-site.ts'

describe.skipIf(!isGiven)(`${title}, undo`, () => {
  let site: LiveGhostSite
  let writer: Writer
  let trip: ReturnType<typeof createRoundTrip>
  let turn = 0
  beforeAll(async () => {
    site = await openGhostSite()
  }, 600_000)
  beforeEach(async () => {
    turn += 1
    await site.sides.forget(...site.sides.all())
    writer = openGhostWriter(site.account())
    trip = createRoundTrip(writer, `${site.prefix}u${turn}`)
  })
  afterAll(() => site?.stop(), 60_000)

  const rows = async () => (site.folder === null ? null : readGhostRows(site as never))
  const changesSince = async (before: Awaited<ReturnType<typeof rows>>) => {
    const now = await rows()
    return before && now ? listChanges(before, now) : []
  }
  const change = (kind: string, id: string, values: object) => async () => {
    const { [kind]: found } = await site.call('GET', `/${kind}/${id}/`)
    await site.call('PUT', `/${kind}/${id}/`, { [kind]: [{ ...values, updated_at: found[0].updated_at }] })
  }
  const makePost = async (fields: object = {}) =>
    present(
      (await trip.write('posts', [trip.outgoing({ title: 'P', status: 'published', body: '<p>x</p>', ...fields })]))[0],
    )
  const makeComment = async (email: string, post: ReturnType<typeof relationTo>) =>
    trip.outgoing({ post, body: '<p>x</p>', status: 'approved', author_name: 'Guest', author_email: email })
  const removed = async (entity: string) => {
    const ours = trip.made.filter((one) => one.entity === entity).map((one) => ({ ...one, parent: null }))
    return (await writer.remove(entity, ours)).map(({ result }) => result)
  }
  const told = (outcomes: SideOutcome[]) => outcomes.map((one) => (one.result === 'kept' ? one.message : one.result))

  test('any change that people can make to a post, a page or a tag keeps it', async () => {
    const { newsletters } = await site.call('GET', '/newsletters/')
    expect(newsletters.length).toBeGreaterThan(0)
    const written = { title: 'other', slug: `${trip.made.length}-x`, custom_excerpt: 'e', featured: true }
    const shown = { feature_image: 'https://x.example/p.png', feature_image_alt: 'a', feature_image_caption: 'c' }
    const found = { meta_title: 'm', meta_description: 'm', canonical_url: 'https://x.example/', og_title: 'o' }
    const shared = { og_description: 'o', og_image: 'https://x.example/o.png', twitter_title: 't' }
    const more = { twitter_description: 't', twitter_image: 'https://x.example/t.png', custom_template: 'custom-x' }
    const hidden = { codeinjection_foot: '<!-- f -->', visibility: 'members', status: 'draft', tags: [{ name: 'zz' }] }
    const ofPost = { ...written, ...shown, ...found, ...shared, ...more, ...hidden, email_subject: 's' }
    for (const [entity, values] of [
      ['posts', ofPost],
      ['pages', { ...hidden, ...more, show_title_and_feature_image: false, title: 'other' }],
      ['tags', { name: 'other', slug: `t-${turn}`, description: 'd', ...found, ...shared, accent_color: '#ff0000' }],
      ['tags', { feature_image: 'https://x.example/p.png', codeinjection_foot: 'x', codeinjection_head: 'x' }],
    ] as const) {
      for (const [name, value] of Object.entries(values)) {
        const fields =
          entity === 'tags'
            ? { name: `${site.prefix} ${turn} ${name}` }
            : { title: 'P', status: 'published', body: '<p>x</p>' }
        const [made] = await trip.write(entity, [trip.outgoing(fields)])
        const { destinationId } = present(made)
        await change(entity, destinationId, { [name]: value })()
        expect([entity, name, await removed(entity)]).toEqual([entity, name, ['kept']])
        trip.made.splice(0)
        await site.call('DELETE', `/${entity}/${destinationId}/`)
      }
    }
  }, 300_000)

  test('any change that people can make to a member, and anything the member did, keeps the member', async () => {
    const { newsletters } = await site.call('GET', '/newsletters/')
    const post = relationTo('posts', await makePost())
    const id = (one: { destinationId: string }) => one.destinationId
    const cases: Record<string, (id: string) => Promise<unknown>> = {
      name: (of) => change('members', of, { name: 'Renamed' })(),
      note: (of) => change('members', of, { note: 'People wrote this.' })(),
      label: (of) => change('members', of, { labels: [{ name: `${site.prefix}people` }] })(),
      newsletter: (of) => change('members', of, { newsletters: [{ id: newsletters[0].id }] })(),
      address: (of) => change('members', of, { email: `${of}@other.example` })(),
      comment: (of) =>
        site.call('POST', '/comments/', {
          comments: [{ post_id: post.destinationId, member_id: of, html: '<p>mine</p>' }],
        }),
    }
    for (const [name, edit] of Object.entries(cases)) {
      const email = `${site.prefix}${name}@mail.example`
      const [made] = await trip.write('subscribers', [trip.outgoing({ email, name: 'N', status: 'unsubscribed' })])
      await edit(id(present(made)))
      expect([name, await removed('subscribers')]).toEqual([name, ['kept']])
      trip.made.splice(
        trip.made.findIndex(({ entity }) => entity === 'subscribers'),
        1,
      )
      await site.call('DELETE', `/members/${id(present(made))}/`)
      // The same holds for a member who exists only because of a comment.
      const guest = `${site.prefix}g${name}@mail.example`
      await trip.write('comments', [await makeComment(guest, post)])
      const [side] = site.sides.all()
      await edit(String(side?.destinationId))
      expect(await removed('comments')).toEqual(['removed'])
      trip.made.splice(
        trip.made.findIndex(({ entity }) => entity === 'comments'),
        1,
      )
      expect([name, told(await site.sides.removeAll(writer))]).toEqual([
        name,
        [expect.stringMatching(/People|comments/)],
      ])
      await site.call('DELETE', `/members/${side?.destinationId}/`)
      expect(told(await site.sides.removeAll(writer))).toEqual(['removed'])
    }
    const labels = (await site.call('GET', '/labels/?limit=all')).labels as { id: string; name: string }[]
    for (const label of labels.filter((one) => one.name.startsWith(site.prefix))) {
      await site.call('DELETE', `/labels/${label.id}/`)
    }
    expect(await removed('posts')).toEqual(['kept'])
  }, 300_000)

  test('a comment that people answered, hid or pinned stays', async () => {
    const post = relationTo('posts', await makePost())
    const cases: Record<string, (id: string, member: string) => Promise<unknown>> = {
      hidden: (of) => site.call('PUT', `/comments/${of}/`, { comments: [{ id: of, status: 'hidden' }] }),
      answered: (of, member) =>
        site.call('POST', '/comments/', {
          comments: [{ post_id: post.destinationId, member_id: member, parent_id: of, html: '<p>answer</p>' }],
        }),
    }
    for (const [name, edit] of Object.entries(cases)) {
      const [made] = await trip.write('comments', [await makeComment(`${site.prefix}c${name}@mail.example`, post)])
      await edit(present(made).destinationId, String(site.sides.all()[0]?.destinationId))
      expect([name, await removed('comments')]).toEqual([name, ['kept']])
      trip.made.splice(
        trip.made.findIndex(({ entity }) => entity === 'comments'),
        1,
      )
    }
    // The authors of these comments stay too.
    expect(told(await site.sides.removeAll(writer))).toEqual(
      cases && Object.keys(cases).map(() => 'There are comments of this member.'),
    )
  }, 120_000)

  test('an address with a non-ASCII host arrives in ASCII, and identifies one member', async () => {
    const post = relationTo('posts', await makePost())
    const address = `${site.prefix}@bücher.example`
    const [comment] = await trip.roundTrip('comments', [await makeComment(address, post)])
    const [reader] = await trip.roundTrip('subscribers', [trip.outgoing({ email: address, status: 'unsubscribed' })])
    const { members } = await site.call('GET', `/members/${present(reader).destinationId}/`)
    expect(members[0].email).toBe(`${site.prefix}@xn--bcher-kva.example`)
    const { comments } = await site.call('GET', `/comments/${present(comment).destinationId}/`)
    expect(comments[0].member.id).toBe(members[0].id)
    expect(await trip.removeAll()).toEqual([])
    expect(site.sides.all()).toEqual([])
  }, 60_000)

  test('a guest whose comment Ghost refused leaves nothing behind', async ({ skip }) => {
    if (site.folder === null) return skip('only a site that was started here shows its database')
    const paid = relationTo('posts', await makePost({ status: 'private', visibility: 'paid' }))
    const before = await rows()
    const guest = await makeComment(`${site.prefix}refused@mail.example`, paid)
    expect((await writer.write('comments', [guest]))[0]).toMatchObject({
      result: 'refused',
      code: 'comment_not_allowed',
    })
    expect(await changesSince(before)).toEqual([])
    expect(site.sides.all()).toEqual([])
  }, 60_000)

  test('an undo removes a member and a label even if their process ended right after creating them', async ({
    skip,
  }) => {
    if (site.folder === null) return skip('only a site that was started here shows its database')
    const post = relationTo('posts', await makePost())
    const before = await rows()
    const lost = new Error('the process ended')
    const dying = {
      ...site.account(),
      sides: {
        ...site.sides,
        note: async (...records: Parameters<typeof site.sides.note>) => {
          if (records.some(({ destinationId }) => destinationId !== null)) throw lost
          await site.sides.note(...records)
        },
      },
    }
    const dead = openGhostWriter(dying)
    await expect(dead.write('comments', [await makeComment(`${site.prefix}died@mail.example`, post)])).rejects.toThrow(
      lost,
    )
    const reader = trip.outgoing({
      email: `${site.prefix}l@mail.example`,
      status: 'subscribed',
      labels: [`${site.prefix}L`],
    })
    await expect(dead.write('subscribers', [reader])).rejects.toThrow(lost)
    expect(await changesSince(before)).not.toEqual([])
    expect(told(await site.sides.removeAll(writer))).toEqual(['removed', 'removed'])
    expect(await changesSince(before)).toEqual([])
  }, 60_000)

  test('an undo leaves the database as it was before', async ({ skip }) => {
    if (site.folder === null) return skip('only a site that was started here shows its database')
    const before = await rows()
    const post = relationTo('posts', await makePost({ tags: [] }))
    const email = `${site.prefix}all@mail.example`
    await trip.write('comments', [
      await makeComment(email, post),
      await makeComment(`${site.prefix}two@mail.example`, post),
    ])
    const labels = [`${site.prefix}one`, `${site.prefix}two`]
    await trip.write('subscribers', [
      trip.outgoing({ email, name: 'Both', status: 'subscribed', labels }),
      trip.outgoing({ email: `${site.prefix}three@mail.example`, status: 'unsubscribed', labels: [labels[0]] }),
    ])
    expect(
      site.sides
        .all()
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['labels', 'labels', 'members'])
    expect(await trip.removeAll()).toEqual([])
    expect(told(await site.sides.removeAll(writer))).toEqual(['removed', 'removed', 'removed'])
    expect(await changesSince(before)).toEqual([])
  }, 120_000)
})
