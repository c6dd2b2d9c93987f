import { expect, test } from 'vitest'
import { withoutLinks, wordsAndLinksOf, wordsOf } from './compared-texts.ts'

const long = (last: string, attributes = '') =>
  `${Array.from({ length: 9_000 }, (_, at) => `<p${attributes}>word ${at}</p>`).join('')}<p>${last}</p>`

test('a change at the end of a long text is noticed', () => {
  expect(wordsOf(long('end'))).not.toBe(wordsOf(long('END')))
  expect(withoutLinks(wordsAndLinksOf(long('end')))).not.toBe(withoutLinks(wordsAndLinksOf(long('END'))))
  expect(wordsOf(long('end'))?.length).toBeLessThan(20_100)
})

test('a long text with other markup is the same text', () => {
  expect(wordsOf(long('end', ' class="cleaned-up-by-the-tool" dir="auto"'))).toBe(wordsOf(long('end')))
  const short = (attributes: string) => `<p${attributes}>a</p>`.repeat(9_000)
  expect(wordsOf(short(' class="cleaned-up-by-the-tool"'))).toBe(wordsOf(short('')))
})

test('the compared form of a text up to 20,000 characters is its words', () => {
  expect(wordsOf(`<p>${'ab '.repeat(10_000)}</p>`)).toBe('ab'.repeat(10_000))
})

test('a changed link of a long text is noticed, and an address that the tool made a link is no link', () => {
  const linking = (address: string) => long(`<a href="${address}">this</a>`)
  expect(wordsAndLinksOf(linking('https://a.test/'))).not.toBe(wordsAndLinksOf(linking('https://b.test/')))
  const bare = 'https://a.test/x'
  expect(wordsAndLinksOf(long(`<a href="${bare}">${bare}</a>`))).toBe(wordsAndLinksOf(long(bare)))
})

test('a long link that never ends does not hold up the process', () => {
  const hostile = `<a ${'href="https://a.test/" '.repeat(60_000)}`
  expect(wordsAndLinksOf(hostile)).toBe(wordsOf(hostile))
}, 20_000)

test('the lines that we added do not count, also that of an earlier import', () => {
  const added = '<p>— Ann, 2020-02-02 —</p>'
  expect(wordsOf(`${added}${added}<p>Hello</p>`)).toBe(wordsOf(`${added}<p>Hello</p>`))
})
