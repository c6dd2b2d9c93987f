import type { RichText } from '../src/families/record.ts'

type Format = RichText['format']

/** Text pieces, and the formats whose parsers become slow when a piece is repeated. */
const patterns: [piece: string, formats: Format[]][] = [
  ['>', ['markdown']],
  ['> ', ['markdown']],
  ['**a_', ['markdown']],
  ['[', ['markdown', 'html']],
  ['![](', ['markdown']],
  ['[a](<b', ['markdown']],
  ['`a``', ['markdown']],
  ['*a **b ', ['markdown']],
  ['<', ['html', 'markdown', 'textile']],
  ['<a', ['html', 'markdown', 'textile']],
  ['<a href="x" ', ['textile', 'html']],
  ['<div>', ['html', 'markdown']],
  ['<b><i><u>', ['html']],
  ['<table><tr><td>', ['html']],
  ['</p>', ['html']],
  ['<!--', ['html', 'markdown']],
  ['&', ['html']],
  ['&#x41', ['html']],
  ['<ul><li>', ['html']],
  ['- a\n  ', ['markdown']],
  ['|a', ['markdown', 'textile']],
  ['(', ['textile']],
  ['%{a}', ['textile']],
  ['"a":', ['textile']],
  ['* a\n', ['textile', 'markdown']],
  ['==', ['textile']],
  ['https://a.example/', ['html', 'markdown', 'textile', 'plain']],
  ['a@b.example ', ['plain', 'markdown']],
  ['\u202e', ['plain', 'html']],
  ['\n', ['markdown', 'textile', 'plain']],
]
const lengths = [1_000, 4_000, 7_900, 30_000, 100_000, 1_000_000]

/** Returns `count` different texts, the same in every run. */
export function hostileTexts(count: number): RichText[] {
  const all = lengths.flatMap((length) =>
    patterns.flatMap(([piece, formats]) =>
      formats.map((format): RichText => ({ format, body: piece.repeat(Math.ceil(length / piece.length)) })),
    ),
  )
  // The step of 37 picks texts of every kind, even if `count` is small.
  return Array.from({ length: count }, (_, index) => all[(index * 37) % all.length] as RichText)
}

const tenMegabytes = 10 * 1024 * 1024
const sentence = 'The quick brown fox jumps over the lazy dog, and nobody knows why — naïve as it is. '
const pages: RichText[] = [
  { format: 'html', body: `<p>${sentence.repeat(20)}</p>` },
  { format: 'plain', body: `${sentence}1 < 2 & 3 > 2\n` },
  { format: 'markdown', body: `${sentence.repeat(50)}\n\n` },
  { format: 'html', body: `<p>${'Быстрая лиса 日本語 😀 '.repeat(50)}</p>` },
]

/** Ordinary texts, but 10 MB long. */
export function largeTexts(count: number): RichText[] {
  return Array.from({ length: count }, (_, index) => {
    const { format, body } = pages[index % pages.length] as RichText
    return { format, body: body.repeat(Math.ceil(tenMegabytes / Buffer.byteLength(body))) }
  })
}
