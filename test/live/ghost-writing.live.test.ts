import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ghost } from '../../service/src/connectors/blog/ghost/index.ts'
import { openGhost } from '../../service/src/connectors/blog/ghost/reader.ts'
import { openGhostWriter } from '../../service/src/connectors/blog/ghost/writer.ts'
import type { Writer } from '../../service/src/connectors/contract/contract.ts'
import { readAll } from '../connectors/reader-contract.ts'
import { createRoundTrip, oddTexts, relationTo, toHtml, type Written } from './blog-round-trip.ts'
import { isGiven, type LiveGhostSite, openGhostSite, title } from './ghost-site.ts'
import { png } from './wordpress-seed.ts'
import { present } from './wordpress-site.ts'

const oddBodies = [
  '<p>a <del>d</del> <b>e</b> <ins>f</ins> <sub>x</sub><sup><a href="#fn">1</a></sup></p>',
  '<p>x <a href="https://l.example/"><img src="https://x.example/c.png" alt="c"></a> y</p>',
  '<ul><li><p>x</p><p>y</p></li><li>p <img src="https://x.example/c.png" alt="c"></li></ul>',
  '<ol start="3"><li>a<ol><li>b</li></ol></li></ol>',
  '<blockquote><p>x</p><p>y</p></blockquote><blockquote><ul><li>a</li><li>b</li></ul></blockquote>',
  '<h2>x <img src="https://x.example/c.png" alt="c"> y</h2><pre><code class="language-js">a\n  b &lt;</code></pre><hr>',
  '<table><thead><tr><th>h</th></tr></thead><tbody><tr><td><p>1</p><p>2</p></td></tr></tbody></table>',
  '<p><a href="/relative?a=1&amp;b=2">r</a> <img src="data:image/png;base64,iVBORw0KGgo=" alt="d"></p>',
]

describe.skipIf(!isGiven)(`${title}, as a destination`, () => {
  let site: LiveGhostSite
  let writer: Writer
  let trip: ReturnType<typeof createRoundTrip>
  let image: Written
  let tag: Written
  let category: Written
  let mailsBefore: number
  const stored = (kind: string, id: string | undefined) =>
    site.call('GET', `/${kind}/${id}/?formats=html`).then((answer) => answer[kind][0])

  beforeAll(async () => {
    site = await openGhostSite()
    mailsBefore = await site.mails()
    writer = openGhostWriter(site.account())
    trip = createRoundTrip(writer, site.prefix)
    image = trip.note('media', await writer.writeFile('media', trip.file('first.png', png(30, 30))))
    const [first] = await trip.write('tags', [
      trip.outgoing({ name: `${site.prefix} first`, slug: `${site.prefix}-1st` }),
    ])
    tag = present(first)
    const [top] = await trip.write('categories', [trip.outgoing({ name: `${site.prefix} top` })])
    category = present(top)
  }, 600_000)
  afterAll(() => site?.stop(), 60_000)

  test('describes what it accepts, and passes its own checks', async () => {
    const { capabilities, entities } = await writer.describe()
    expect(capabilities).toMatchObject({ deliveryClass: 'C', silentCreate: true, backdate: true })
    expect(entities.media?.removal).toBe('never')
    expect((await writer.preflight?.())?.map(({ isFine }) => isFine)).toEqual([true])
    expect((await ghost.destination?.checkAccount(site.account()))?.name).toBeTruthy()
  })

  test('files keep their uploaded bytes, under odd names, with and without a size', async () => {
    const data = png(2500, 20)
    const words = Buffer.from('plain words\n'.repeat(10))
    const cases: [string, Buffer, string | null, number | null][] = [
      ['bild ü "q" \\ (1).png', data, 'image/png', data.length],
      ['ohne-endung', data, 'image/png; x=1', null],
      [`${'long '.repeat(60)}.txt`, words, null, words.length],
      ['leer.txt', Buffer.alloc(0), 'text/plain', 0],
    ]
    for (const [name, bytes, contentType, size] of cases) {
      const sent = trip.file(name, bytes, {}, { contentType, size })
      const { url, destinationId } = trip.note('media', await writer.writeFile('media', sent))
      expect(await writer.find('media', [{ key: sent.key, destinationId, parent: null }])).toHaveLength(1)
      const original = String(url).replace(/(\.png)$/, '_o$1')
      expect(Buffer.from(await (await fetch(original)).arrayBuffer()).equals(bytes), name).toBe(true)
    }
    const missing = { key: 'k', destinationId: `${site.url}/content/images/2020/01/none.png`, parent: null }
    expect(await writer.find('media', [missing])).toEqual([])
  })

  test('a file that is no picture, or could act as a page, is refused with a reason', async () => {
    const broken = await writer.writeFile('media', trip.file('broken.png', Buffer.from('no picture')))
    expect(broken).toMatchObject({ result: 'refused', message: expect.stringMatching(/image/i) })
    const program = await writer.writeFile('media', trip.file('tool.exe', Buffer.from('MZ')))
    expect(program).toMatchObject({ result: 'refused', message: expect.stringMatching(/type/) })
    const page = await writer.writeFile('media', trip.file('page.html', Buffer.from('<script>1</script>')))
    expect(page).toMatchObject({ result: 'refused', code: 'unsafe_file' })
  })

  test('a source that breaks off in the middle leaves no file', async () => {
    const broken = new Error('the source broke off')
    const body = Readable.from(
      (async function* () {
        yield Buffer.alloc(1000)
        throw broken
      })(),
    )
    const half = trip.file('half.png', png(10, 10), {}, { body, size: 5000 })
    await expect(writer.writeFile('media', half)).rejects.toThrow(broken)
  })

  test('tags are written once, found by their marker, and existing tags of the site are used', async () => {
    const { call, prefix } = site
    const records = oddTexts.map((text) =>
      trip.outgoing({ name: `${prefix} ${text}`.slice(0, 100), description: text }),
    )
    await trip.roundTrip('tags', records)
    const own = (
      await call('POST', '/tags/', { tags: [{ name: `${prefix} O'Neil "R&D" \\ 50%`, slug: `${prefix}-own` }] })
    ).tags[0]
    const [matched] = await writer.write('tags', [trip.outgoing({ name: `${prefix} o'neil "r&d" \\ 50%` })])
    expect(matched).toMatchObject({ result: 'matched', destinationId: own.id })
    // After a crash the same tag is sent again, and counts as ours, not as an existing one.
    const [again] = await writer.write('tags', [present(records[0])])
    expect(again).toMatchObject({ result: 'written' })
    const twins = [trip.outgoing({ name: `${prefix} twin` }), trip.outgoing({ name: `${prefix} Twin` })]
    const [one, two] = await writer.write('tags', twins)
    expect(two).toMatchObject({ result: 'matched', destinationId: trip.note('tags', one).destinationId })
    expect((await writer.write('tags', [trip.outgoing({ name: ',x' })]))[0]).toMatchObject({ result: 'refused' })
    await call('DELETE', `/tags/${own.id}/`)
  })

  test('posts of every kind are read back as they were sent', async () => {
    const { prefix, seeded } = site
    const records = [
      trip.outgoing({
        title: oddTexts[2],
        slug: `${prefix}-voll`,
        body: toHtml(oddTexts.join('\n\n')),
        excerpt: 'Short\nand sweet',
        status: 'published',
        published_at: '1969-01-01T00:00:00.000Z',
        authors: [seeded.ada],
        feature_image: relationTo('media', image),
        feature_image_alt: 'Alt "x"',
        feature_image_caption: 'a < b & c',
        tags: [relationTo('tags', tag)],
        categories: [relationTo('categories', category)],
        is_featured: true,
        seo_title: 'SEO',
        seo_description: 'About',
        canonical_url: 'https://example.com/x?a=1',
      }),
      trip.outgoing({
        title: 'Later',
        status: 'scheduled',
        published_at: '2036-06-06T06:06:06.000Z',
        slug: `${prefix}-l`,
      }),
      trip.outgoing({ title: 'Due', body: '<p>x</p>', status: 'scheduled', slug: `${prefix}-l` }),
      trip.outgoing({ title: 'Secret', body: '<p>x</p>', status: 'private' }),
      trip.outgoing({ title: 'Pass', body: '<p>x</p>', status: 'private', visibility: 'members' }),
      trip.outgoing({ title: 'Future', status: 'published', published_at: '2036-06-06T06:06:06.000Z' }),
      trip.outgoing(
        { title: 'Byline', body: '<p>x</p>', status: 'published' },
        { createdBy: { name: 'Grace <H> & Co', email: null, userId: null } },
      ),
      trip.outgoing({ title: 'No date', status: 'published' }, { createdAt: null }),
      trip.outgoing({ title: 'Slug', slug: 'Ünï/🚀 日本', status: 'draft' }),
      trip.outgoing({ title: 'Long', body: toHtml('word '.repeat(60_000)), status: 'draft' }),
      trip.outgoing({}),
      ...oddTexts.map((text) => trip.outgoing({ title: text, body: toHtml(text), status: 'draft', excerpt: text })),
      ...oddBodies.map((body) => trip.outgoing({ title: 'Body', body, status: 'draft' })),
    ]
    const outcomes = await trip.roundTrip('posts', records)
    const post = (index: number) => stored('posts', outcomes[index]?.destinationId)
    expect(await post(0)).toMatchObject({
      slug: `${prefix}-voll`,
      published_at: '1969-01-01T00:00:00.000Z',
      featured: true,
      tags: [{ id: category.destinationId }, { id: tag.destinationId }],
    })
    // A post is never public before its time, or if it was not public in the source.
    expect(await post(1)).toMatchObject({ status: 'scheduled' })
    expect(await post(2)).toMatchObject({ status: 'draft', slug: `${prefix}-l-2` })
    expect(await post(3)).toMatchObject({ status: 'draft' })
    expect(outcomes[3]?.losses).toEqual(['private_kept_as_draft'])
    expect(await post(4)).toMatchObject({ status: 'published', visibility: 'members' })
    expect(await post(5)).toMatchObject({ status: 'scheduled' })
    expect((await post(6)).html).toContain('<em>Written by Grace &lt;H&gt; &amp; Co</em>')
    expect(await post(10)).toMatchObject({ title: '(Untitled)' })
    const page = await (await fetch(String(outcomes[0]?.url))).text()
    expect(page).toContain('<!-- wherry ')
    for (const { email, newsletter } of await Promise.all(outcomes.map((_, index) => post(index)))) {
      expect([email ?? null, newsletter ?? null]).toEqual([null, null])
    }
  })

  test('a post that is written again is the same post, changed, even if someone saved it meanwhile', async () => {
    const slug = `${site.prefix}-one`
    const first = trip.outgoing({
      title: 'One',
      slug,
      body: '<p>one</p>',
      status: 'published',
      tags: [relationTo('tags', tag)],
    })
    const [before] = await trip.roundTrip('posts', [first])
    const id = present(before).destinationId
    const { updated_at } = await stored('posts', id)
    await site.call('PUT', `/posts/${id}/`, { posts: [{ title: 'Mine', updated_at }] })
    const stale = site.call('PUT', `/posts/${id}/`, { posts: [{ title: 'x', updated_at: '2020-01-01T00:00:00.000Z' }] })
    await expect(stale).rejects.toThrow('UPDATE_COLLISION')
    const fields = { title: 'Two', slug, status: 'draft' }
    const [after] = await trip.roundTrip('posts', [{ ...first, fields, destinationId: id }])
    expect(after?.destinationId).toBe(id)
    expect(after?.version).not.toBe(before?.version)
    expect(await stored('posts', id)).toMatchObject({ slug, tags: [], html: null })
  })

  test('a second post with the same key is found beside the first', async () => {
    const twice = trip.outgoing({ title: 'Twice', body: '<p>x</p>', slug: `${site.prefix}-twice`, status: 'published' })
    await trip.roundTrip('posts', [twice])
    await trip.write('posts', [twice])
    expect(await trip.find('posts', twice.key)).toHaveLength(2)
  })

  test('pages are written like posts', async () => {
    await trip.roundTrip('pages', [
      trip.outgoing({ title: 'About', slug: `${site.prefix}-p`, status: 'published', body: '<p>x</p>' }),
      trip.outgoing({ title: 'Team', status: 'private', tags: [relationTo('tags', tag)] }),
    ])
  })

  test('members keep their time and get no mail, and existing members stay unchanged', async () => {
    const { prefix, call } = site
    const person = (name: string, fields: object = {}) =>
      trip.outgoing({ email: `${prefix}${name}@x.example`, name: `${name} "Ü", <b>`, ...fields })
    const records = [
      person('a', { status: 'subscribed', labels: [`${prefix} one`, `${prefix} "two"`], note: 'a\n"b", c' }),
      person('B', { status: 'unsubscribed' }),
      person('=c', {}),
    ]
    const [first] = await trip.roundTrip('subscribers', records)
    const member = await call('GET', `/members/${first?.destinationId}/`).then((answer) => answer.members[0])
    expect(member).toMatchObject({ created_at: '2016-02-29T12:34:56.000Z', subscribed: true })
    expect(member.labels.map(({ name }: { name: string }) => name).join()).not.toContain('Import')
    const changed = { ...present(records[0]), destinationId: present(first).destinationId }
    changed.fields = { ...changed.fields, name: 'New', status: 'unsubscribed', labels: [] }
    await trip.roundTrip('subscribers', [changed])
    const [known, bad] = await writer.write('subscribers', [
      trip.outgoing({ email: `${prefix}M0@mail.example`, name: 'Other' }),
      trip.outgoing({ email: 'no address' }),
    ])
    expect(known).toMatchObject({ result: 'matched' })
    expect(bad).toMatchObject({ result: 'refused', message: expect.stringMatching(/email/i) })
    const [again] = await writer.write('subscribers', [present(records[1])])
    expect(again).toMatchObject({ result: 'written' })
  })

  test('a record that Ghost does not accept is refused, and the others are written', async () => {
    const [good, bad] = await writer.write('posts', [
      trip.outgoing({ title: 'Good' }),
      trip.outgoing({ title: 'x'.repeat(300) }),
    ])
    trip.note('posts', good)
    expect(bad).toMatchObject({ result: 'refused', code: 'validation', message: expect.stringMatching(/255/) })
    const gone = trip.outgoing({ title: 'Gone' }, { destinationId: '0123456789abcdef01234567' })
    expect((await writer.write('posts', [gone]))[0]).toMatchObject({ result: 'refused', code: 'gone' })
    expect(await writer.find('posts', [{ key: gone.key, destinationId: gone.destinationId, parent: null }])).toEqual([])
  })

  test('an author who is gone is replaced by the owner of the site, and the loss is reported', async () => {
    const [outcome] = await writer.write('posts', [
      trip.outgoing({ title: 'x', authors: ['0123456789abcdef01234567'] }),
    ])
    expect(trip.note('posts', outcome).losses).toEqual(['author_replaced'])
  })

  test('records that people changed or use stay; the rest is removed, and nothing else', async () => {
    const counts = async (): Promise<Record<string, number | null>> => ({
      ...(await openGhost(site.account()).count()),
      labels: (await site.call('GET', '/labels/')).meta.pagination.total,
    })
    const before = await counts()
    const edited = present(trip.made.find(({ entity }) => entity === 'posts'))
    const { updated_at } = await stored('posts', edited.destinationId)
    await site.call('PUT', `/posts/${edited.destinationId}/`, { posts: [{ title: 'Mine now', updated_at }] })
    const commented = present(trip.made.findLast(({ entity }) => entity === 'posts'))
    const members = await readAll((cursor) => openGhost(site.account()).read('subscribers', cursor, {}))
    const visitor = present(members.find(({ fields }) => String(fields.note).startsWith('Note')))
    await site.call('POST', '/comments/', {
      comments: [{ post_id: commented.destinationId, member_id: visitor.sourceId, html: '<p>I am a visitor</p>' }],
    })
    const kept = await trip.removeAll()
    // The connector created the labels, so they are removed last, as in an undo.
    expect((await site.sides.removeAll(writer)).filter(({ result }) => result === 'kept')).toEqual([])
    // The edited post still has the tag and the category.
    const media = trip.made.filter(({ entity }) => entity === 'media')
    expect(kept.sort()).toEqual([edited, commented, tag, category, ...media].map(({ key }) => key).sort())
    const after = await counts()
    const left = { posts: 2, tags: 2, pages: 0, subscribers: 0 }
    for (const [entity, count] of Object.entries(left)) {
      const ours = trip.made.filter(
        (made) => made.entity === entity || (entity === 'tags' && made.entity === 'categories'),
      )
      expect(Number(before[entity]) - Number(after[entity]), entity).toBe(ours.length - count)
    }
    expect(Number(before.labels) - Number(after.labels)).toBe(2)
  })

  test('nobody has got any mail', async ({ skip }) => {
    if (Number.isNaN(mailsBefore)) return skip('no folder was named where the mails of this site are kept')
    expect(await site.mails()).toBe(mailsBefore)
  })
})
