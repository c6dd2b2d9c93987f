import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wordpress } from '../../service/src/connectors/blog/wordpress/index.ts'
import { openWordpress } from '../../service/src/connectors/blog/wordpress/reader.ts'
import { openWordpressWriter } from '../../service/src/connectors/blog/wordpress/writer.ts'
import type { Writer } from '../../service/src/connectors/contract/contract.ts'
import { readAll } from '../connectors/reader-contract.ts'
import { createRoundTrip, oddTexts, relationTo, toHtml, type Written } from './blog-round-trip.ts'
import { png } from './wordpress-seed.ts'
import { isGiven, type LiveSite, openSite, present, title } from './wordpress-site.ts'

describe.skipIf(!isGiven)(`${title}, as a destination`, () => {
  let site: LiveSite
  let writer: Writer
  let trip: ReturnType<typeof createRoundTrip>
  let ada: string
  let image: Written
  let tag: Written
  let category: Written

  beforeAll(async () => {
    site = await openSite()
    writer = openWordpressWriter(site.account())
    trip = createRoundTrip(writer, site.prefix, ['tags', 'categories'])
    const users = await readAll((cursor) => writer.users(cursor))
    ada = present(users.find(({ email }) => email === `${site.prefix}ada@customer.example`)).id
    image = trip.note('media', await writer.writeFile('media', trip.file('first.png', png(30, 30))))
    const [first] = await trip.write('tags', [trip.outgoing({ name: `${site.prefix} first` })])
    tag = present(first)
    const [top] = await trip.write('categories', [trip.outgoing({ name: `${site.prefix} top` })])
    category = present(top)
  }, 600_000)
  afterAll(() => site?.stop(), 60_000)

  test('describes what it accepts, and passes its own checks', async () => {
    const { capabilities, entities } = await writer.describe()
    expect(capabilities).toMatchObject({ deliveryClass: 'C', silentCreate: true, backdate: true, batchSize: 25 })
    expect(Object.keys(entities)).toEqual(['media', 'tags', 'categories', 'posts', 'pages', 'comments'])
    expect((await writer.preflight?.())?.map(({ isFine }) => isFine)).toEqual([true, true])
    expect((await wordpress.destination?.checkAccount(site.account()))?.name).toBeTruthy()
  })

  test('files arrive byte for byte, under odd names, with and without a size', async () => {
    const data = png(700, 200)
    const text = Buffer.from('plain words\n'.repeat(10))
    const words = { title: oddTexts[2], alt: 'a < b & "c"', caption: oddTexts[6], description: oddTexts[2] }
    const first = trip.file('bild ü "q" \\ (1).png', data, words, { contentType: 'image/png' })
    const files: [typeof first, Buffer][] = [
      [first, data],
      [trip.file('ohne-endung', data, {}, { contentType: 'image/png; x=1', size: null }), data],
      [trip.file(`${'long '.repeat(60)}.txt`, text), text],
    ]
    for (const [sent, bytes] of files) {
      const { url } = trip.note('media', await writer.writeFile('media', sent))
      const found = await trip.find('media', sent.key)
      expect(found).toHaveLength(1)
      await trip.compare('media', sent, found[0])
      expect(Buffer.from(await (await fetch(String(url))).arrayBuffer()).equals(bytes)).toBe(true)
    }
    const [before] = await trip.find('media', first.key)
    const fields = { ...first.fields, alt: 'new' }
    const again = { ...first, fields, destinationId: present(before).destinationId, body: Readable.from([data]) }
    trip.note('media', await writer.writeFile('media', again))
    const after = await trip.find('media', first.key)
    expect(after).toHaveLength(1)
    await trip.compare('media', again, after[0])
  })

  test("an empty file and an unsupported type are refused with WordPress' reason", async () => {
    const empty = await writer.writeFile('media', trip.file('empty.txt', Buffer.alloc(0)))
    expect(empty).toMatchObject({ result: 'refused', message: expect.stringContaining('empty') })
    const program = await writer.writeFile('media', trip.file('tool.exe', Buffer.from('MZ')))
    expect(program).toMatchObject({ result: 'refused', message: expect.stringContaining('type') })
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
    expect(await trip.find('media', half.key)).toEqual([])
  })

  test('tags are written once, and existing tags of the site are used', async () => {
    const { call, prefix } = site
    const records = oddTexts.map((text) =>
      trip.outgoing({ name: `${prefix} ${text}`.slice(0, 100), description: text }),
    )
    const tags = await trip.roundTrip('tags', records)
    const own = await call('POST', '/tags', { name: `${prefix} R&D`, slug: `${prefix}-own` })
    const [matched] = await writer.write('tags', [trip.outgoing({ name: `${prefix} r&d`, slug: `${prefix}-rd` })])
    expect(matched).toMatchObject({ result: 'matched', destinationId: String(own.id) })
    const [again] = await writer.write('tags', [present(records[0])])
    expect(again).toMatchObject({ result: 'matched', destinationId: tags[0]?.destinationId })
    const twins = [trip.outgoing({ name: `${prefix} twin` }), trip.outgoing({ name: `${prefix} twin` })]
    const [one, two] = await writer.write('tags', twins)
    expect(two).toMatchObject({ result: 'matched', destinationId: trip.note('tags', one).destinationId })
    await call('DELETE', `/tags/${own.id}?force=true`)
  })

  test('categories with one name stay separate, and get their parents later', async () => {
    const { prefix } = site
    const left = trip.outgoing({ name: `${prefix} Same`, slug: `${prefix}-links` })
    const right = trip.outgoing({ name: `${prefix} Same`, slug: `${prefix}-ünï` })
    const [first, second] = await trip.roundTrip('categories', [left, right])
    expect(first?.destinationId).not.toBe(second?.destinationId)
    const fields = { ...left.fields, parent_category: relationTo('categories', category) }
    const below = { ...left, fields, destinationId: present(first).destinationId }
    await trip.roundTrip('categories', [below])
  })

  test('posts of every kind are read back as they were sent', async () => {
    const { call, prefix } = site
    const records = [
      trip.outgoing({
        title: oddTexts[2],
        slug: `${prefix}-Voll Ünïcode/العربية 🚀`,
        body: toHtml(oddTexts.join('\n\n')),
        excerpt: oddTexts[6],
        status: 'published',
        published_at: '1969-01-01T00:00:00.000Z',
        authors: ada,
        feature_image: relationTo('media', image),
        tags: [relationTo('tags', tag)],
        categories: [relationTo('categories', category)],
        is_featured: true,
        comments_enabled: false,
        format: 'photo',
      }),
      trip.outgoing({
        title: 'Later',
        status: 'scheduled',
        published_at: '2036-06-06T06:06:06.000Z',
        slug: `${prefix}-l`,
      }),
      trip.outgoing({ title: 'Due', body: '<p>x</p>', status: 'scheduled', slug: `${prefix}-l` }),
      trip.outgoing({ title: 'Secret', body: '<ul><li>x</li></ul>', status: 'private', comments_enabled: true }),
      trip.outgoing({ title: 'Waiting', body: '<p>x</p><hr>', status: 'pending', format: 'aside' }),
      trip.outgoing({ title: 'Pass', body: '<p>x</p>', status: 'private', password: 'a & "b"', is_featured: true }),
      trip.outgoing(
        { title: 'Byline', body: '<p>x</p>', status: 'published' },
        { createdBy: { name: 'Grace <H> & Co', email: null, userId: null } },
      ),
      trip.outgoing({ title: 'Table', body: '<table>\n<tbody>\n<tr><td>1</td></tr>\n</tbody>\n</table>' }),
      trip.outgoing({ title: 'No date', status: 'published' }, { createdAt: null }),
      trip.outgoing({ title: 'Epoch', status: 'published' }, { createdAt: '1970-01-01T00:00:00.000Z' }),
      trip.outgoing({ title: 'Long', body: toHtml('word '.repeat(60_000)), status: 'draft' }),
      trip.outgoing({}),
      ...oddTexts.map((text) => trip.outgoing({ title: text, body: toHtml(text), status: 'draft', excerpt: text })),
    ]
    const outcomes = await trip.roundTrip('posts', records)
    const stored = async (index: number) => call('GET', `/posts/${outcomes[index]?.destinationId}?context=edit`)
    expect(await stored(0)).toMatchObject({
      slug: `${prefix}-voll-%c3%bcn%c3%afcode-%d8%a7%d9%84%d8%b9%d8%b1%d8%a8%d9%8a%d8%a9-%f0%9f%9a%80`,
      date_gmt: '1969-01-01T00:00:00',
      sticky: true,
    })
    // The slug is in use: WordPress adds a number to it without a notice.
    expect((await stored(2)).slug).toBe(`${prefix}-l-2`)
    expect(await stored(5)).toMatchObject({ status: 'publish', password: 'a & "b"', sticky: false })
    const byline = '<em>Written by Grace &lt;H&gt; &amp; Co'
    expect((await stored(6)).content).toMatchObject({ rendered: expect.stringContaining(byline) })
    for (const index of [0, 3, 6, 7]) {
      // Our marker must not show, not even as an empty line.
      expect(((await stored(index)).content as { rendered: string }).rendered).not.toMatch(/<p>(<!--[^>]*-->)?<\/p>/)
    }
  })

  test('a post that is written again is the same post, changed', async () => {
    const slug = `${site.prefix}-one`
    const tags = [relationTo('tags', tag)]
    const first = trip.outgoing({ title: 'One', slug, body: '<p>one</p>', status: 'published', tags })
    const [before] = await trip.roundTrip('posts', [first])
    const fields = { title: 'Two', slug, body: '<p>two</p>', status: 'draft' }
    const [after] = await trip.roundTrip('posts', [{ ...first, fields, destinationId: present(before).destinationId }])
    expect(after?.destinationId).toBe(before?.destinationId)
    expect(after?.version).not.toBe(before?.version)
    expect(await call(after)).toMatchObject({ slug, tags: [] })
  })
  const call = (outcome: Written | undefined) => site.call('GET', `/posts/${outcome?.destinationId}?context=edit`)

  test('a second post with the same key is found beside the first', async () => {
    const twice = trip.outgoing({ title: 'Twice', body: '<p>x</p>', slug: `${site.prefix}-twice`, status: 'published' })
    const [first] = await trip.roundTrip('posts', [twice])
    await trip.write('posts', [twice])
    expect(await trip.find('posts', twice.key)).toHaveLength(2)
    const { destinationId } = present(first)
    expect(await trip.find('posts', twice.key, destinationId)).toMatchObject([{ destinationId }])
    const picture = trip.file('twice.png', png(10, 10))
    trip.note('media', await writer.writeFile('media', picture))
    trip.note('media', await writer.writeFile('media', { ...picture, body: Readable.from([png(10, 10)]) }))
    expect(await trip.find('media', picture.key)).toHaveLength(2)
  })

  test('pages keep their tree, their order and their address, whatever the pictures are called', async () => {
    const slug = `${site.prefix}-about`
    // A picture with that name would use the address before the page arrives.
    trip.note('media', await writer.writeFile('media', trip.file(`${slug}.png`, png(10, 10))))
    const about = trip.outgoing({ title: 'About', slug, status: 'published', position: 7, body: '<p>x</p>' })
    const [parent] = await trip.roundTrip('pages', [about])
    expect((await site.call('GET', `/pages/${parent?.destinationId}`)).slug).toBe(slug)
    const parent_page = relationTo('pages', present(parent))
    await trip.roundTrip('pages', [trip.outgoing({ title: 'Team', status: 'private', parent_page })])
  })

  test('a record that WordPress does not accept is refused, and the others are written', async () => {
    const [good, bad] = await writer.write('posts', [
      trip.outgoing({ title: 'Good' }),
      trip.outgoing({ title: 'Bad', authors: '99999999' }),
    ])
    trip.note('posts', good)
    expect(bad).toMatchObject({
      result: 'refused',
      code: 'rest_invalid_author',
      message: expect.stringMatching(/author/i),
    })
    const gone = trip.outgoing({ title: 'Gone' }, { destinationId: '99999999' })
    expect((await writer.write('posts', [gone]))[0]).toMatchObject({ result: 'refused', code: 'gone' })
    expect(await writer.find('posts', [{ key: gone.key, destinationId: '99999999', parent: null }])).toEqual([])
  })

  test('records that people changed or use stay; the rest is removed, and nothing else', async () => {
    const counts = () => openWordpress(site.account()).count()
    const before = await counts()
    const edited = present(trip.made.find(({ entity }) => entity === 'posts'))
    await site.call('POST', `/posts/${edited.destinationId}`, { content: 'Mine now' })
    const commented = present(trip.made.findLast(({ entity }) => entity === 'posts'))
    const visit = { author_name: 'V', author_email: 'v@x.example', content: 'I am a visitor', status: 'approved' }
    const open = { status: 'publish', comment_status: 'open' }
    await site.call('POST', `/posts/${commented.destinationId}`, open)
    // Resets the time of change, so that only the visitor's comment keeps the post.
    const [current] = await trip.find('posts', commented.key, commented.destinationId)
    commented.version = present(current).version
    await site.call('POST', '/comments', { post: Number(commented.destinationId), ...visit })

    const kept = await trip.removeAll()
    // The edited post still has the tag and the category.
    expect(kept.sort()).toEqual([edited, commented, tag, category].map(({ key }) => key).sort())
    const after = await counts()
    for (const entity of ['media', 'tags', 'categories', 'posts', 'pages']) {
      const ours = trip.made.filter((record) => record.entity === entity)
      const gone = ours.filter(({ key }) => !kept.includes(key)).length
      expect(Number(before[entity]) - Number(after[entity]), entity).toBe(gone)
    }
  })
})
