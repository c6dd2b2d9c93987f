import { describe, expect, test } from 'vitest'
import { absoluteUrl, isRelative, pinUrl } from './absolute-url.ts'
import { changeText, findAddresses } from './change-text.ts'
import { listLinks, rewriteLinks } from './rewrite-links.ts'

describe('a relative address', () => {
  const from = 'https://old.example/2024/post/'
  test.each([
    ['/a', 'https://old.example/a'],
    ['../b?x=1#c', 'https://old.example/2024/b?x=1#c'],
    ['//cdn.example/d', 'https://cdn.example/d'],
    ['?p=3', 'https://old.example/2024/post/?p=3'],
    ['www.elsewhere.example', 'https://old.example/2024/post/www.elsewhere.example'],
    ['HTTPS://x.example/', null],
    ['mailto:a@b.example', null],
    ['#below', null],
    ['', null],
    ['java\nscript:alert(1)', null],
    ['data:image/png;base64,AA', null],
  ])('%s', (address, expected) => {
    expect(pinUrl(address, from)).toBe(expected)
  })

  test('stays when its base is unknown', () => {
    expect(pinUrl('/a', null)).toBeNull()
    expect(isRelative('/a')).toBe(true)
    expect(pinUrl('//x.example/a', null)).toBe('https://x.example/a')
    expect(absoluteUrl('cid:1@mail', null)).toBeNull()
  })
})

test('films, sounds and frames have addresses too', () => {
  const body =
    '<video src="/v.mp4" poster="/p.png"><source src="/s.webm"></video><audio src=/a.mp3></audio><iframe src=\'/f\'></iframe>'
  expect(listLinks(body, 'html')).toEqual(['/v.mp4', '/p.png', '/s.webm', '/a.mp3', '/f'])
  expect(rewriteLinks(body, 'html', (url) => `https://new.example${url}`)).toBe(
    '<video src="https://new.example/v.mp4" poster="https://new.example/p.png"><source src="https://new.example/s.webm">' +
      '</video><audio src="https://new.example/a.mp3"></audio><iframe src="https://new.example/f"></iframe>',
  )
})

test("a word of Textile that equals a link's address stays a word", () => {
  const body = '"see":notes and notes, !notes! but (notes) or "notes" and !hello notes'
  expect(rewriteLinks(body, 'textile', (url) => `https://old.example/${url}`)).toBe(
    '"see":https://old.example/notes and notes, !https://old.example/notes! but (notes) or "notes" and !hello notes',
  )
})

test('links beyond the limit still point to the source', () => {
  const body = Array.from({ length: 12_000 }, (_, index) => `<a href="/t/${index}">x</a>`).join(' ')
  const { asked, isCut } = findAddresses({ format: 'html', body })
  expect([asked.length, isCut]).toEqual([10_000, true])
  const links = new Map(asked.map((url) => [url, `https://new.example${url}`]))
  const changed = changeText({ format: 'html', body }, 'html', { links, from: 'https://old.example/', isCut })
  expect(listLinks(changed.body, 'html').filter((url) => url.startsWith('https://new.example/'))).toHaveLength(10_000)
  expect(listLinks(changed.body, 'html').filter((url) => url.startsWith('https://old.example/t/'))).toHaveLength(2_000)
})
