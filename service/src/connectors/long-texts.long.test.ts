import { expect, test } from 'vitest'
import { plainWords } from '../text/plain-words.ts'
import { comparableBody } from './blog/ghost/compare-body.ts'
import { writeBody } from './blog/ghost/write-body.ts'
import { writeComment } from './blog/ghost/write-comment.ts'
import { hideSigns } from './blog/wordpress/hide-signs.ts'
import { markHtml } from './blog/wordpress/mark-record.ts'
import { normalizeHtml } from './blog/wordpress/read-html.ts'
import { writeCommentHtml } from './blog/wordpress/write-comment-html.ts'

const cpuMs = (work: () => unknown) => {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}

const pieces = {
  paragraphs: '<p>One <strong>two</strong> <a href="https://a.example/">three</a></p>\n',
  breaks: 'a<br> ',
  lists: '<ul><li>one</li><li>two</li></ul>',
  code: '<pre>a<br>b</pre>',
  spaces: `a${' '.repeat(500)}`,
}
const functions: Record<string, (html: string) => unknown> = {
  comparableBody,
  'writeBody of Ghost': (html) => writeBody(html, 'https://site.example'),
  'writeComment of Ghost': writeComment,
  hideSigns,
  normalizeHtml,
  writeCommentHtml,
  plainWords,
  markHtml: (html) => markHtml(html, 'key', []),
}

test.each(Object.entries(functions))('%s takes linear time, not quadratic time', (_name, work) => {
  for (const [kind, piece] of Object.entries(pieces)) {
    const fill = (length: number) => piece.repeat(Math.ceil(length / piece.length))
    work(fill(50_000))
    const times = () =>
      cpuMs(() => work(fill(1_000_000))) /
      Math.max(
        5,
        cpuMs(() => work(fill(100_000))),
      )
    // The text is ten times as long; quadratic code would take a hundred times as long. A loaded machine or garbage
    // collection can slow single runs down, so the fastest of several runs counts.
    let least = times()
    for (let tries = 1; tries < 4 && least >= 60; tries += 1) least = Math.min(least, times())
    expect(least, kind).toBeLessThan(60)
  }
})
