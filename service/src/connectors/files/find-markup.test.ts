import { describe, expect, test } from 'vitest'
import { findMarkup } from './find-markup.ts'

const look = (text: string) => findMarkup(text, 1_000_000)

describe('markup', () => {
  test.each<[string, number]>([
    ['<p>Hello</p>', 1],
    ['a<br>b<br/>c<BR />d', 3],
    ['<img src=x.png>', 1],
    ['<div class="a"><table><tr><td nowrap>x</table></div>', 4],
    ['<a href="https://x.example?y=1&z=2">k</a>', 1],
    ['<p>unclosed<p>more', 2],
    ['<ul><li>a<li>b</ul>', 3],
    ['<b>bo<i>ld</b></i>', 2],
    ['<FONT COLOR=red>x</FONT>', 1],
    ['<!-- note --><p>x</p><o:p></o:p>', 1],
    ['<svg><path d="M0"/></svg>', 1],
    ['<script>if (a<b) c()</script>', 1],
  ])('%s has elements, and nothing else', (text, elements) => {
    expect(look(text)).toEqual({ elements, strays: [] })
  })

  test.each<[string, number[]]>([
    ['if a<b then c>d', [4]],
    ['if a<p and q>r', [4]],
    ['Ada <ada@post.example>', [4]],
    ['see <https://post.example/x>', [4]],
    ['To: <b>', [4]],
    ['List<T> Map<K, V>', [4, 11]],
    ['x <b and never', [2]],
    ['wait for </none>', [9]],
    ['<b <i>>', [0]],
  ])('%s only looks like markup', (text, strays) => {
    expect(look(text)).toEqual({ elements: 0, strays })
  })

  test.each(['a < b > c', '<3', '1<2', 'no sign at all', '<', '<>'])('%s does not even look like markup', (text) => {
    expect(look(text)).toEqual({ elements: 0, strays: [] })
  })

  test('one text may have real elements and lookalikes', () => {
    expect(look('<p>if a<b then c>d</p>')).toEqual({ elements: 1, strays: [7] })
  })

  test('an element that is still open where the check stops is not counted as stray', () => {
    const text = `<div><b>${'x'.repeat(100)}</b></div>`
    expect(findMarkup(text, 50)).toEqual({ elements: 2, strays: [] })
  })

  test.each(['<b>', '<p>', '<b></i>', '</i>', '<', '<b '])('any number of %s is checked in linear time', (tag) => {
    // Quadratic time would take minutes.
    expect(look(tag.repeat(300_000)).strays.length).toBeGreaterThanOrEqual(0)
  })
})
