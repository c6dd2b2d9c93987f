import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { convertText, listLinks, rewriteLinks } from './convert-text.ts'

const formats = ['html', 'markdown', 'textile', 'plain'] as const
const signs = [
  'a*b*',
  '*x*',
  '_y_',
  '<b>',
  '&amp;',
  '1. one',
  '# h',
  '- l',
  '> q',
  '`t`',
  '[l](u)',
  'http://x.org/a',
  'a@b.co',
  '|',
  '\\',
]
const word = fc.oneof(
  fc.constantFrom('alpha', 'snake_case', 'שלום', '🎉', ...signs),
  fc.stringMatching(/^[a-z0-9]{1,6}$/),
)
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => escaped(words.join(' ')))
const line = fc
  .array(
    fc.oneof(
      text,
      fc
        .tuple(fc.constantFrom('strong', 'em', 'del', 'u', 'sub', 'sup', 'code'), text)
        .map(([tag, inner]) => `<${tag}>${inner}</${tag}>`),
      text.map((inner) => `<a href="https://e.org/a_b?c=(1)">${inner}</a>`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((pieces) => pieces.join(' '))
const block = fc.oneof(
  line.map((inner) => `<p>${inner}</p>`),
  line.map((inner) => `<h2>${inner}</h2>`),
  line.map((inner) => `<blockquote><p>${inner}</p></blockquote>`),
  text.map((inner) => `<pre><code class="language-js">${inner}</code></pre>`),
  fc.tuple(line, line).map(([one, two]) => `<ul><li>${one}<ol><li>${two}</li></ol></li><li>${two}</li></ul>`),
  fc
    .tuple(line, line)
    .map(([one, two]) => `<table><tr><th>${one}</th><th>x</th></tr><tr><td>${two}</td><td>y</td></tr></table>`),
)
const document = fc.array(block, { minLength: 1, maxLength: 3 }).map((blocks) => blocks.join(''))
/** The script must be removed, so the text is always rewritten. */
const canonical = (html: string) => convertText({ format: 'html', body: `${html}<script></script>` }, 'html').body

function visibleText(html: string): string {
  let seen = ''
  const parser = new Parser({
    ontext(piece) {
      seen += piece
    },
  })
  parser.write(html)
  parser.end()
  return seen.replace(/\s+/g, '')
}

test('sanitizing a second time changes nothing more', () => {
  fc.assert(
    fc.property(fc.oneof(document, fc.string({ unit: 'binary' })), (html) => {
      expect(canonical(canonical(html))).toBe(canonical(html))
    }),
    { numRuns: 100 },
  )
})

test('HTML through Markdown comes back as the same tree', () => {
  fc.assert(
    fc.property(document, (html) => {
      const tree = canonical(html)
      const markdown = convertText({ format: 'html', body: tree }, 'markdown').body
      expect(convertText({ format: 'markdown', body: markdown }, 'html').body, markdown).toBe(tree)
    }),
    { numRuns: 100 },
  )
})

test('HTML through Textile keeps every visible character', () => {
  fc.assert(
    fc.property(document, (html) => {
      const tree = canonical(html)
      const textile = convertText({ format: 'html', body: tree }, 'textile').body
      expect(visibleText(convertText({ format: 'textile', body: textile }, 'html').body), textile).toBe(
        visibleText(tree),
      )
    }),
    { numRuns: 100 },
  )
})

test('plain text keeps every visible character in every format', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('html', 'markdown', 'textile'),
      (words, to) => {
        const body = words.join(' ')
        const converted = convertText({ format: 'plain', body }, to).body
        const seen = visibleText(convertText({ format: to, body: converted }, 'html').body)
        expect(seen, converted).toBe(body.replace(/\s+/g, ''))
      },
    ),
    { numRuns: 100 },
  )
})

test('no text makes a conversion, a list or a rewriting of links fail', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(...formats),
      fc.constantFrom(...formats),
      (body, format, to) => {
        convertText({ format, body }, to)
        expect(rewriteLinks(body, format, () => null)).toBe(body)
        listLinks(body, format)
      },
    ),
    { numRuns: 100 },
  )
})

test('endless nesting, 300 kB, NUL and broken characters neither stop nor lose the text', () => {
  const broken = '\0\ud800 needle &#xffffff; &bogus; \u202e'
  const bodies: [(typeof formats)[number], string][] = [
    ['html', `${'<div>'.repeat(10_000)}needle`],
    ['html', `${'<blockquote><b>'.repeat(10_000)}needle${'</b></blockquote>'.repeat(10_000)}`],
    ['html', `${'<b>'.repeat(100_000)}needle`],
    ['markdown', `${'> '.repeat(10_000)}needle`],
    ['textile', `${'"a '.repeat(10_000)} needle`],
    ['plain', `${'lorem https://x.org/a '.repeat(10_000)} needle`],
    ['html', broken],
    ['markdown', broken],
    ['textile', broken],
    ['plain', broken],
  ]
  for (const [format, body] of bodies) {
    expect(convertText({ format, body }, format === 'html' ? 'markdown' : 'html').body).toContain('needle')
  }
})
