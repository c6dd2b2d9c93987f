import { expect, test } from 'vitest'
import type { OutgoingRecord } from '../../contract/contract.ts'
import { takeMark, writeMark } from '../../kit/left-out.ts'
import { askable, filterDate, signToken, siteOf } from './api.ts'
import { comparableBody } from './compare-body.ts'
import { comparableSlug, firstIdAt, isPlainSlug, isSubscribed, labelsOf, tagIds, times, toSeconds } from './lenses.ts'
import { linkPlayers, listMedia, mediumId, originalOf } from './list-media.ts'
import { safeAddress, toPostRequest, toRecord } from './mapping.ts'
import { dropUnseen, hasUnseenMark, isMarked, markNote, readNote, unseenMark } from './mark-record.ts'
import { writeBody } from './write-body.ts'
import { writeComment } from './write-comment.ts'

const site = 'https://blog.example'
const now = Date.parse('2026-11-15T00:00:00.000Z')
const record = (fields: Record<string, unknown>, more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
  key: 'imp_1/posts/1',
  revision: 1,
  destinationId: null,
  createdBy: null,
  fields,
  customFields: {},
  createdAt: '2020-01-02T03:04:05.678Z',
  updatedAt: null,
  ...more,
})

test.each([
  ['https://blog.example/', 'https://blog.example'],
  [' https://blog.example/sub/ghost/#/dashboard ', 'https://blog.example/sub'],
  ['https://blog.example/ghost/api/admin/posts/?x=1', 'https://blog.example'],
])('the address of the site is read from %s', (given, address) => {
  expect(siteOf(given)).toBe(address)
})

test('a token is signed with the secret and expires soon', () => {
  const key = `${'1'.repeat(24)}:${'0f'.repeat(32)}`
  const token = signToken(` ${key} `, 1_700_000_000_500)
  const [head = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  expect(JSON.parse(head)).toEqual({ alg: 'HS256', typ: 'JWT', kid: '1'.repeat(24) })
  expect(JSON.parse(claims)).toEqual({ iat: 1_700_000_000, exp: 1_700_000_240, aud: '/admin/' })
  expect(() => signToken('content-key', 0)).toThrow(/Admin API/)
})

test.each([
  ['published', {}, 'published', []],
  ['published', { published_at: '2036-01-01T00:00:00.000Z' }, 'scheduled', ['later']],
  ['scheduled', { published_at: '2036-01-01T00:00:00.000Z' }, 'scheduled', ['scheduled']],
  ['scheduled', { published_at: '2026-11-15T00:01:00.000Z' }, 'draft', ['scheduled', 'passed']],
  ['scheduled', { published_at: '2020-01-01T00:00:00.000Z' }, 'draft', ['scheduled', 'passed']],
  ['private', {}, 'draft', ['private']],
  ['private', { password: 'x', visibility: 'public' }, 'draft', ['private']],
  ['private', { visibility: 'paid' }, 'published', []],
  ['private', { visibility: 'members', published_at: '2036-01-01T00:00:00.000Z' }, 'scheduled', ['later']],
  ['pending', {}, 'draft', []],
  ['draft', { visibility: 'members' }, 'draft', []],
])('%s with %j is written as %s', (status, fields, written, leftOut) => {
  expect(times.statusOf(record({ status, ...fields }), now)).toEqual({ status: written, leftOut })
})

test('a private post becomes a draft, with a warning and a note for the comparison', () => {
  const { request, losses } = toPostRequest('posts', record({ title: 'x', status: 'private' }), { site, now })
  expect(losses).toEqual(['private_kept_as_draft'])
  expect(takeMark(String(request.codeinjection_head)).leftOut).toEqual(new Set(['private', 'author', 'date', 'slug']))
  expect(request).toMatchObject({ status: 'draft', visibility: 'public' })
})

test.each([
  ['', 'public'],
  ['members', 'members'],
  ['tiers', 'paid'],
  ['constructor', 'paid'],
])('the visibility %j is written as %s', (visibility, written) => {
  const { request } = toPostRequest('posts', record({ status: 'published', visibility }), { site, now })
  expect(request.visibility).toBe(written)
})

test('an author without an account is named below the text', () => {
  const createdBy = { name: 'Ada <L>', email: null, userId: null }
  const { request } = toPostRequest('posts', record({ title: 'x', body: '<p>a</p>' }, { createdBy }), { site, now })
  expect(request.html).toBe('<p>a</p>\n<p><em>Written by Ada &lt;L&gt;</em></p>')
  const known = record({ title: 'x', authors: ['1'] }, { createdBy: { name: 'Ada', email: null, userId: '1' } })
  expect(toPostRequest('posts', known, { site, now }).request).toMatchObject({ authors: [{ id: '1' }] })
})

test('categories become tags and come first', () => {
  const ref = (destinationId: string) => ({ entity: 'tags', key: 'k', destinationId })
  expect(tagIds({ tags: [ref('a'), ref('b')], categories: [ref('c'), ref('a')] })).toEqual(['c', 'a', 'b'])
})

test.each([
  ['<p>a <del>b</del></p>', '<p>a <s>b</s></p>'],
  [
    '<p>x <a href="https://l.example/"><img src="https://x.example/i.png" alt="c"></a> y</p>',
    '<p>x </p>\n<figure class="kg-card kg-image-card"><a href="https://l.example/"><img src="https://x.example/i.png" alt="c"></a></figure>\n<p> y</p>',
  ],
  [
    '<p><a href="/i.png"><img src="https://blog.example/i.png" alt=""></a></p>',
    '<figure class="kg-card kg-image-card"><img src="https://blog.example/i.png" alt=""></figure>',
  ],
  ['<ul><li><p>x</p><p>y</p></li></ul>', '<ul><li>x<br><br>y</li></ul>'],
  ['<blockquote><p>x</p><p>y</p></blockquote>', '<blockquote>x<br><br>y</blockquote>'],
  ['<p><a href="/about">r</a></p>', '<p><a href="https://blog.example/about">r</a></p>'],
  ['', ''],
])('the text %s is written as %s', (html, written) => {
  expect(writeBody(html, site)).toBe(written)
})

test.each([
  '<table><tbody><tr><td>1</td></tr></tbody></table>',
  '<ul><li>x<pre><code>y</code></pre></li></ul>',
  '<blockquote><ul><li>a</li></ul></blockquote>',
  '<ul><li><img src="https://x.example/i.png" alt=""></li></ul>',
  '<p><img src="data:image/png;base64,iVBORw0KGgo=" alt="d"></p>',
])('%s has no equivalent in Ghost and becomes an HTML card', (html) => {
  expect(writeBody(html, site)).toMatch(/^<!--kg-card-begin: html-->\n.*\n<!--kg-card-end: html-->$/s)
})

test('markup with the same meaning compares as equal, and other markup does not', () => {
  const same = [
    '<h2 id="x">a</h2><figure class="kg-card"><img src="i" alt="c" loading="lazy"></figure><p>b <strong><em>c</em></strong></p>',
    '<h2>a</h2>\n<img src="i" alt="c">\n<p>b  <em><b>c</b></em> </p><p></p>',
  ]
  expect(comparableBody(same[0] ?? '')).toBe(comparableBody(same[1] ?? ''))
  for (const [one, other] of [
    ['<p>a</p><p>b</p>', '<p>ab</p>'],
    ['<p>a b</p>', '<p>ab</p>'],
    ['<p><a href="x">a</a></p>', '<p><a href="y">a</a></p>'],
    ['<p><strong>a</strong></p>', '<p>a</p>'],
    ['<pre>a\n b</pre>', '<pre>a b</pre>'],
    ['<img src="i" alt="">', ''],
  ] as const) {
    expect(comparableBody(one)).not.toBe(comparableBody(other))
  }
})

test.each([
  ['<p>one<br>two</p>', '<p>one<br>two</p>'],
  ['<h2>T</h2><p><strong>x</strong></p>', '<p>T</p><p>x</p>'],
  ['<ol start="3"><li>a</li><li>b</li></ol>', '<p>3. a<br>4. b</p>'],
  ['<blockquote><p>q</p></blockquote>', '<blockquote>q</blockquote>'],
  [
    '<p><img src="https://x.example/a.png" alt=""></p>',
    '<p><a href="https://x.example/a.png">https://x.example/a.png</a></p>',
  ],
  ['<p>a &lt; b</p>', '<p>a &lt; b</p>'],
])('the comment %s is written as %s', (html, written) => {
  expect(writeComment(html)).toBe(written)
})

test('the mark of a comment is invisible and can be removed', () => {
  const html = `<p>مرحبا${unseenMark('a')}</p>`
  expect(hasUnseenMark(html, 'a')).toBe(true)
  expect(hasUnseenMark(html, 'b')).toBe(false)
  expect([isMarked(html), isMarked('<p>x\u200c\u200b</p>')]).toEqual([true, false])
  expect(dropUnseen(html)).toBe('<p>مرحبا</p>')
  expect(unseenMark('a')).toMatch(/^\p{Cf}{41}$/u)
  expect(takeMark(writeMark('a', ['slug'])).leftOut).toEqual(new Set(['slug']))
  expect(takeMark('<script>own</script>').marker).toBeNull()
  expect(readNote(markNote('said "x"', 'commenter'))).toEqual({ note: 'said "x"', marker: 'commenter' })
  expect(readNote(null)).toEqual({ note: '', marker: null })
})

test('slugs that Ghost rewrites are not compared', () => {
  expect([isPlainSlug('a-b_2'), isPlainSlug('Größe'), isPlainSlug('a--b'), isPlainSlug('')]).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(comparableSlug('news-3')).toBe(comparableSlug('news'))
})

test('files of the site are recognized by their address, in any size', () => {
  const own = 'https://blog.example/content/images/2024/01/a.png'
  expect(mediumId('https://blog.example/content/images/size/w600/format/webp/2024/01/a.png?v=1')).toBe(own)
  expect(mediumId('https://x.example/a.png')).toBeNull()
  expect(mediumId('javascript:alert(1)//content/images/2024/01/a.png')).toBeNull()
  expect(originalOf(own)).toBe('https://blog.example/content/images/2024/01/a_o.png')
  expect(originalOf('https://blog.example/content/files/2024/01/a.pdf')).toBeNull()
  const html = `<figure><img src="${own}" alt="x"><figcaption>cap <em>e</em></figcaption></figure><img src="https://x.example/i.png">`
  expect(listMedia({ html, feature_image: 'https://images.example/photo' })).toMatchObject([
    { id: 'https://images.example/photo' },
    { id: own, alt: 'x', caption: 'cap e' },
  ])
  const film = 'https://blog.example/content/media/2024/01/f%20ilm.mp4'
  expect(linkPlayers(`<p>a</p><video src="${film}"></video>`)).toBe(
    `<p>a</p><p><a href="${film}">f ilm.mp4</a></p><video src="${film}"></video>`,
  )
})

test("dates are formatted for Ghost's filters, and ids contain the time of creation", () => {
  expect(filterDate('2026-11-15T08:00:00.123Z')).toBe("'2026-11-15 08:00:00'")
  expect(firstIdAt('2026-11-15T08:00:00.123Z')).toBe(
    `${Math.floor(now / 1000 + 8 * 3600).toString(16)}${'0'.repeat(16)}`,
  )
  expect(toSeconds('1969-12-31T23:59:59.999Z')).toBe('1969-12-31T23:59:59.000Z')
  expect(askable(`O'Neil "R&D" 50%`)).toBe('Neil')
})

test('only people who subscribed get mail', () => {
  const said = ['subscribed', 'Active', '', 'unsubscribed', 'bounced', undefined]
  expect(said.map((status) => isSubscribed(status))).toEqual([true, true, false, false, false, false])
  expect(labelsOf(['a, b', ' a  b ', '', 'c'])).toEqual(['a b', 'c'])
})

test('a missing or restricted file is reported, and the post is still read', () => {
  const id = 'c'.repeat(24)
  const around = { pages: new Set<string>(), comments: new Set<string>() }
  const sent = toRecord('posts', { id, title: '', status: 'sent', visibility: 'tiers', html: 5 }, around)
  expect(sent.record.fields).toMatchObject({ status: 'private', visibility: 'paid', title: '' })
  expect(sent.warnings.map(({ code }) => code)).toEqual([
    'field_unreadable',
    'tiers_not_moved',
    'email_only',
    'required_empty',
  ])
  const comment = { id, parent_id: 'd'.repeat(24), in_reply_to_id: null, member: null, post: { id, url: site } }
  const { record: mapped, warnings } = toRecord('comments', comment, around)
  expect(mapped.fields.parent_comment).toBeUndefined()
  expect(warnings.map(({ code }) => code)).toEqual(['parent_not_moved', 'author_missing'])
})

test('relative links in a table point to the site, with their parameters', () => {
  const html = '<table><tr><td><a href="/r?x=1&amp;y=2">t</a></td></tr></table>'
  expect(writeBody(html, 'https://site.example')).toContain('href="https://site.example/r?x=1&amp;y=2"')
})

test('a picture keeps its caption, and the text __GHOST_URL__ stays a word', () => {
  const figure = '<figure><img src="/a.png" alt="A"><figcaption>Our <b>cat</b></figcaption></figure>'
  expect(writeBody(figure, 'https://site.example')).toBe(
    '<figure class="kg-card kg-image-card kg-card-hascaption"><img src="https://site.example/a.png" alt="A"><figcaption>Our <strong>cat</strong></figcaption></figure>',
  )
  expect(writeBody('<p>__GHOST_URL__</p>', 'https://site.example')).not.toContain('__GHOST_URL__')
})

test('two consecutive lists stay two lists', () => {
  const html = '<ul><li>a</li></ul><ul><li>b</li></ul><ol><li>c</li></ol>'
  expect(writeBody(html, site)).toBe(
    '<ul><li>a</li></ul>\n<!--kg-card-begin: html-->\n<ul>\n<li>b</li>\n</ul>\n<!--kg-card-end: html-->\n<ol><li>c</li></ol>',
  )
})

test('a draft never gets the address at which everyone could read it', () => {
  const id = '65a000000000000000000001'
  const preview = 'https://g.example/blog/p/9ae0e492-d54b-4d18-b970-84942cf31048/'
  expect(safeAddress('posts', { id, url: preview })).toBe(`https://g.example/blog/ghost/#/editor/post/${id}`)
  expect(safeAddress('pages', { id, url: preview })).toBe(`https://g.example/blog/ghost/#/editor/page/${id}`)
  for (const url of ['https://g.example/p/', 'https://g.example/blog/a-post/']) {
    expect(safeAddress('posts', { id, url })).toBe(url)
  }
})
