import { expect, test } from 'vitest'
import { plainWords } from '../../../text/plain-words.ts'
import type { OutgoingRecord } from '../../contract/contract.ts'
import { siteOf } from './api.ts'
import { comparableSlug, plainLine, toSeconds, writeSlug } from './lenses.ts'
import { asStored, toRecord, toRequest } from './mapping.ts'
import { addressOf, markHtml, unmarkHtml } from './mark-record.ts'
import { comparableAddress, mediaFile } from './media-file.ts'
import { normalizeHtml } from './read-html.ts'
import { writeCommentHtml } from './write-comment-html.ts'

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
  [' https://blog.example/sub/wp-admin/edit.php?post_type=page ', 'https://blog.example/sub'],
  ['https://blog.example/wp-json/wp/v2', 'https://blog.example'],
  ['https://blog.example/wp-login.php', 'https://blog.example'],
])('the address of the site is read from %s', (given, site) => {
  expect(siteOf(given)).toBe(site)
})

test.each([
  ['Hello World', 'hello-world'],
  ['Übergröße – 50 %', '%c3%bcbergr%c3%b6%c3%9fe-50'],
  ['a "b" (c) & d/e', 'a-b-c-d-e'],
  ['“quoted” it’s…', 'quoted-its'],
  ['🚀', '%f0%9f%9a%80'],
  ['!!!', ''],
])('the slug of %s is %s', (given, slug) => {
  expect(writeSlug(given)).toBe(slug)
})

test('a slug is never cut within a character, and compares without its appended number', () => {
  const slug = writeSlug('ü'.repeat(100))
  expect(slug.length).toBeLessThanOrEqual(200)
  expect(() => decodeURIComponent(slug)).not.toThrow()
  expect(comparableSlug(`${slug.slice(0, 192)}-2`)).toBe(comparableSlug(slug))
  expect(comparableSlug('news-3')).toBe(comparableSlug('news'))
})

test.each([
  ['<p>one</p><p>two</p>', 'one\n\ntwo'],
  ['<p>a<br>b</p>', 'a\nb'],
  ['<h2>T</h2><p>x</p>', '<strong>T</strong>\n\nx'],
  ['<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol><p>d</p>', '1. a\n  - b\n2. c\n\nd'],
  ['<ol start="3"><li><p>a</p><p>b</p></li></ol>', '3. a\nb'],
  ['<ol><li>a<ol><li>b</li></ol>c</li></ol>', '1. a\n  1. b\nc'],
  ['<p><abbr title="m">a</abbr></p>', '<abbr title="m">a</abbr>'],
  ['<blockquote><p>q</p></blockquote><p>a</p>', '<blockquote>q</blockquote>\n\na'],
  ['<pre><code>x\n  y</code></pre>', '<code>x\n  y</code>'],
  ['<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>', '1 | 2\n3 | 4'],
  [
    '<p><img src="https://x.example/a.png" alt=""></p>',
    '<a href="https://x.example/a.png">https://x.example/a.png</a>',
  ],
  ['<p>a &lt; b &amp; c <u>d</u></p>', 'a &lt; b &amp; c d'],
  ['<p>x</p><hr><p>y</p>', 'x\n\n* * *\n\ny'],
  ['', ''],
])('the comment %s is written as %j', (html, written) => {
  expect(writeCommentHtml(html)).toBe(written)
})

test("plain words are extracted from markup, and lines get WordPress' form", () => {
  expect(plainWords('Tom &amp; <em>Jerry</em>')).toBe('Tom & Jerry')
  expect(plainWords('<p>a</p><p>b</p>')).toBe('a\nb')
  expect(plainLine(' a\n\tb  100%ab%2%aa5 ')).toBe('a b 100')
  expect(normalizeHtml(`<a rel="nofollow ugc" href='x'>l</a>&#8217;`)).toBe(normalizeHtml('<a href="x">l</a>’'))
  expect(normalizeHtml('<p>a</p>')).not.toBe(normalizeHtml('<p>b</p>'))
})

test.each([
  ['<p>a</p>', '<p>a<!-- '],
  ['<ul>\n<li>a</li>\n</ul>', '<ul>\n<li>a<!-- '],
  ['<p>a</p><hr>', '<p>a</p><hr><!-- '],
  ['', '<!-- '],
])('the mark of %j is invisible and can be removed', (html, start) => {
  const marked = markHtml(html, 'key', ['date'])
  expect(marked.startsWith(start)).toBe(true)
  expect(unmarkHtml(marked)).toMatchObject({ html, leftOut: new Set(['date']) })
  expect(unmarkHtml(html).marker).toBeNull()
})

test('a key becomes an unused IP address, always the same', () => {
  expect(addressOf('a')).toMatch(/^fd[0-9a-f]{2}(:[0-9a-f]{4}){7}$/)
  expect(addressOf('a')).toBe(addressOf('a'))
  expect(addressOf('a')).not.toBe(addressOf('b'))
})

test('times are whole seconds, and second 0 becomes second 1', () => {
  expect(toSeconds('1969-12-31T23:59:59.999Z')).toBe('1969-12-31T23:59:59Z')
  expect(toSeconds('1970-01-01T00:00:00.000Z')).toBe('1970-01-01T00:00:01Z')
  expect(toSeconds(null)).toBeNull()
})

test('a protected post is published with its password, and is never public', () => {
  const sent = toRequest('posts', record({ title: 'x', status: 'private', password: 'p', is_featured: true }))
  expect(sent).toMatchObject({ status: 'publish', password: 'p', sticky: false })
  expect(toRequest('posts', record({ title: 'x', status: 'private' }))).toMatchObject({ status: 'private' })
  expect(toRequest('posts', record({ title: 'x' }))).toMatchObject({ status: 'draft' })
})

test('an author without an account is named below the text, and the comparison ignores that line', () => {
  const sent = record({ title: 'x', body: '<p>a</p>' }, { createdBy: { name: 'Ada <L>', email: null, userId: null } })
  const { content, author } = toRequest('posts', sent) as { content: string; author?: number }
  expect(content).toContain('<em>Written by Ada &lt;L&gt;<!--')
  expect(author).toBeUndefined()
  expect(normalizeHtml(unmarkHtml(content).html)).toBe(asStored('posts', sent).fields.body)
  const standIn = toRequest('posts', { ...sent, fields: { ...sent.fields, authors: '7' } })
  expect(standIn).toMatchObject({ author: 7, content: expect.stringContaining('Written by Ada') })
  const known = record({ title: 'x', authors: '7' }, { createdBy: { name: 'Ada', email: null, userId: '7' } })
  expect(toRequest('posts', known)).toMatchObject({ author: 7, content: expect.not.stringContaining('Written') })
})

test('a comment without any author data is still written', () => {
  const post = { entity: 'posts', key: 'p', destinationId: '5' }
  const fields = { post, author_email: 'nobody', author_url: 'javascript:x', body: '' }
  expect(toRequest('comments', record(fields))).toMatchObject({
    post: 5,
    parent: 0,
    author_name: '',
    author_email: '',
    author_url: '',
    content: '&nbsp;',
    date_gmt: '2020-01-02T03:04:05Z',
  })
  expect(toRequest('comments', record(fields))).not.toHaveProperty('author')
})

test('all sizes of a picture are one file, and the original file is read', () => {
  const site = 'https://blog.example'
  const form = (path: string) => comparableAddress(path, site)
  expect(form('/wp-content/uploads/a-300x200.png?x=1')).toBe(form('http://blog.example/wp-content/uploads/a.png'))
  expect(form('https://blog.example/a-scaled.jpg')).toBe(form('https://blog.example/a.jpg'))
  expect(form('mailto:a@b.example')).toBeNull()
  const source_url = 'https://blog.example/u/a-scaled.jpg'
  const scaled = { source_url, media_details: { filesize: 10, original_image: 'a ü.jpg' } }
  expect(mediaFile(scaled)).toEqual({ url: 'https://blog.example/u/a%20%C3%BC.jpg', name: 'a ü.jpg', size: null })
  expect(mediaFile({ source_url, media_details: { original_image: '../../etc/passwd' } })).toBeNull()
  expect(mediaFile({ source_url, media_details: [] })).toMatchObject({ name: 'a-scaled.jpg', size: null })
})

test('a missing reference is reported, and the post is still read', () => {
  const around = { users: new Set<number>(), comments: new Set<number>(), media: new Map(), shown: new Map() }
  const post = { id: 1, author: 9, featured_media: 8, title: { raw: '' }, date_gmt: '-0001-11-30T00:00:00' }
  const { record: mapped, warnings } = toRecord('posts', post, around)
  expect(mapped.fields).toMatchObject({ title: '', authors: [] })
  expect(mapped.createdAt).toBeUndefined()
  expect(warnings.map(({ code }) => code)).toEqual([
    'field_unreadable',
    'image_missing',
    'author_missing',
    'required_empty',
  ])
})

test('a featured image is a file of the post, with plain alternative text and caption', () => {
  const image = { id: 8, alt_text: 'Tea &amp; "milk"', caption: { raw: 'Cup &amp; pot', rendered: '' } }
  const around = { users: new Set([9]), comments: new Set<number>(), media: new Map([[8, image]]), shown: new Map() }
  const { record: mapped, warnings } = toRecord(
    'posts',
    { id: 1, author: 9, featured_media: 8, title: { raw: 'x' } } as never,
    around,
  )
  expect(mapped.fields).toMatchObject({
    feature_image: { entity: 'media', sourceId: '8' },
    feature_image_alt: 'Tea & "milk"',
    feature_image_caption: 'Cup & pot',
  })
  expect(warnings).toEqual([])
})
