import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { convertText } from '../../service/src/text/convert-text.ts'
import { readFacts } from '../text/document-facts.ts'
import { oddDocuments } from '../text/odd-documents.ts'
import { type LivePlace, readLiveRedmine } from './redmine-live.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 1_200_000 })

const live = readLiveRedmine()
const formats = [
  { formatting: 'textile', format: 'textile' },
  { formatting: 'common_mark', format: 'redmine_markdown' },
] as const

describe.skipIf(live === null)('texts as a real Redmine shows them (set WHERRY_LIVE_REDMINE)', () => {
  if (!live) {
    test.skip('WHERRY_LIVE_REDMINE must hold the output of node test/live/start-redmine.ts', () => {})
    return
  }

  test('200 odd documents keep their words, and get no new link or macro', async () => {
    const control = formats.map(({ formatting }) => ({ formatting, body: 'see #12, @bob, r5 and [[Wiki]]' }))
    const sent = formats.flatMap(({ formatting, format }) =>
      oddDocuments.map((html) => ({ formatting, html, ...convertText({ format: 'html', body: html }, format) })),
    )
    const shown = await showTexts(live.destination, [...control, ...sent])
    // Two texts must show links; otherwise the checks below would prove nothing.
    for (const html of shown.slice(0, 2)) expect(readFacts(html).links).toHaveLength(4)
    for (const [index, { html, body, losses, formatting }] of sent.entries()) {
      const before = readFacts(asHtml(html))
      // Redmine adds a link to itself to each heading.
      const page = (shown[index + 2] ?? '').replace(/<a href="#[^"]*" class="wiki-anchor">[^<]*<\/a>/g, '')
      const after = readFacts(page)
      const about = `${formatting}\n${html}\n---\n${body}\n---\n${page}`
      const isMore = ['abbreviation', 'box'].some((kind) => kind in before.structure) || 'link_as_text' in losses
      if (isMore) expect(isSubsequence(before.pieces, after.words.join(' ')), about).toBe(true)
      else expect(after.words, about).toEqual(before.words)
      // Redmine links addresses in plain text, which does no harm.
      const written = (url: string) =>
        before.words.some((word) => word.includes(url.replace(/^(?:mailto:|http:\/\/)/, '')))
      expect(
        after.links.filter((url) => !before.links.includes(url) && !written(url)),
        about,
      ).toEqual([])
      const gone = before.links.filter((url) => !after.links.includes(url))
      if (!('link_as_text' in losses || 'anchor_removed' in losses)) expect(gone, about).toEqual([])
    }
  })
})

/** The text as it is read, without parts that are not shown anyway. */
const asHtml = (html: string): string => convertText({ format: 'html', body: `${html}<script></script>` }, 'html').body

function isSubsequence(pieces: readonly string[], text: string): boolean {
  let at = 0
  return pieces.every((piece) => {
    const found = text.indexOf(piece, at)
    at = found + piece.length
    return found >= 0
  })
}

/** Renders texts with Redmine's own program, inside the running instance. */
async function showTexts(place: LivePlace, texts: { formatting: string; body: string }[]): Promise<string[]> {
  const folder = dirname(place.mailFolder)
  const file = join(folder, 'texts.json')
  await writeFile(file, JSON.stringify(texts.map(({ formatting, body }) => ({ formatting, body }))))
  const script = join(folder, 'redmine-text.rb')
  await writeFile(script, await readFile(join(import.meta.dirname, 'redmine-text.rb')))
  const env = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: folder,
    LANG: 'C.UTF-8',
    RAILS_ENV: 'production',
    REDMINE_INSTANCE: basename(folder)
      .replace(/[^a-z0-9]/gi, '')
      .toLowerCase(),
    TEXTS_FILE: file,
  }
  const as = ['--reuid', 'www-data', '--regid', 'www-data', '--init-groups']
  const { stdout } = await promisify(execFile)('setpriv', [...as, 'bundle', 'exec', 'rails', 'runner', script], {
    cwd: '/usr/share/redmine',
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout.slice(stdout.indexOf('["')))
}
