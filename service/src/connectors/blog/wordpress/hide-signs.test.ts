import { expect, test } from 'vitest'
import { plainWords } from '../../../text/plain-words.ts'
import { hideSigns, hideSmileys } from './hide-signs.ts'

const texts = [
  '<p>Use [gallery ids="1"] or [[caption]] or [/x], but not [1].</p>',
  '<p>Well :) and ;-) and :lol: and 8-) end :D</p>',
  '<p>https://www.youtube.com/watch?v=x</p>',
  '<pre><code>[gallery]\nhttps://www.youtube.com/watch?v=x\n:)</code></pre>',
  '<p><img src="https://x.example/a.png" alt="[gallery]"> Wordpress and WordPress</p>',
]

test('characters that WordPress would interpret are hidden from it, and the words stay the same', () => {
  for (const html of texts) {
    const hidden = hideSigns(html)
    expect(hidden).not.toMatch(/\[\/?[a-z[]/)
    expect(hidden).not.toMatch(/>\s*https?:/)
    expect(hidden).not.toContain('Wordpress')
    expect(plainWords(hidden)).toBe(plainWords(html))
  }
  expect(hideSigns('<p>Well :) and ;-)</p>')).toBe('<p>Well &#58;) and &#59;-)</p>')
  expect(hideSmileys('Well :)\n\nand :lol: [x]')).toBe('Well &#58;)\n\nand &#58;lol: [x]')
})

test('links, numbers in brackets and times stay unchanged', () => {
  const html = '<p>At 8:00 see [1] and <a href="https://x.example/">https://x.example/</a>: fine; a:b</p>'
  expect(hideSigns(html)).toBe(html)
})

test('a new line in a paragraph becomes a space, and stays a new line in code', () => {
  expect(hideSigns('<p>one\n two</p>\n<pre>a\n b</pre>')).toBe('<p>one  two</p>\n<pre>a\n b</pre>')
})
