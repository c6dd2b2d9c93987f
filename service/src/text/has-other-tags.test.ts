import { expect, test } from 'vitest'
import { hasOtherTags } from './has-other-tags.ts'

test('elements that a tool does not keep are found, words in angle brackets are not', () => {
  expect(hasOtherTags('<p>a <a href="/x">b</a><br>1 &lt;ul&gt; 2 < 3</p>', 'p br a')).toBe(false)
  expect(hasOtherTags('<p>a</p><UL><li>b</li></UL>', 'p br a')).toBe(true)
})
