import { describe, expect, test } from 'vitest'
import { TextWatch, toRichText } from './rich-text.ts'

const decide = (...cells: string[]) => {
  const watch = new TextWatch()
  for (const cell of cells) watch.add(cell)
  return watch.result()
}
const times = (count: number, cell: string) => Array.from({ length: count }, () => cell)

describe('a column', () => {
  test.each<[string, string[], 'plain' | 'html']>([
    ['of elements', ['<p>a</p>', '<div>b<br>c</div>'], 'html'],
    ['of elements and some short words', ['<p>a</p>', 'Thanks', ''], 'html'],
    ['of elements and one odd text among many', [...times(10, '<p>a</p>'), 'if a<b then c>d'], 'html'],
    ['of comparisons', ['if a<b then c>d'], 'plain'],
    ['of elements and of comparisons', ['<p>a</p>', 'if a<b then c>d'], 'plain'],
    ['of words with one element', [...times(9, 'words'), 'Write <b>so</b>.'], 'plain'],
    ['of addresses', ['Ada <ada@post.example>', 'Bob <bob@post.example>'], 'plain'],
    ['of nothing', ['', ' '], 'plain'],
    ['of entities alone', ['Tom &amp; Jerry'], 'plain'],
  ])('%s is recognised', (_name, cells, expected) => {
    expect(decide(...cells)).toBe(expected)
  })
})

describe('a text', () => {
  test.each<[string, 'plain' | 'html' | 'markdown' | undefined, { format: string; body: string }]>([
    ['<p>a</p>', 'plain', { format: 'plain', body: '<p>a</p>' }],
    ['<p>a</p>', 'markdown', { format: 'markdown', body: '<p>a</p>' }],
    ['<p>a</p>', 'html', { format: 'html', body: '<p>a</p>' }],
    ['two\nlines', 'html', { format: 'plain', body: 'two\nlines' }],
    ['a<b\nc>d', 'html', { format: 'plain', body: 'a<b\nc>d' }],
    ['Tom &amp; Jerry', 'html', { format: 'html', body: 'Tom &amp; Jerry' }],
    ['<p>a<b c>d <x@y></p>', 'html', { format: 'html', body: '<p>a&lt;b c>d &lt;x@y></p>' }],
    ['<p>a</p>', undefined, { format: 'html', body: '<p>a</p>' }],
    ['if a<b then c>d', undefined, { format: 'plain', body: 'if a<b then c>d' }],
    ['Tom &amp; Jerry', undefined, { format: 'plain', body: 'Tom &amp; Jerry' }],
  ])('%s in a column of %s', (cell, format, expected) => {
    expect(toRichText(cell, format)).toEqual(expected)
  })
})
