import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWordpressWriter } from '../../service/src/connectors/blog/wordpress/writer.ts'
import type { Writer } from '../../service/src/connectors/contract/contract.ts'
import { convertText } from '../../service/src/text/convert-text.ts'
import { readFacts } from '../text/document-facts.ts'
import { oddDocuments } from '../text/odd-documents.ts'
import { createRoundTrip, relationTo } from './blog-round-trip.ts'
import { isGiven, type LiveSite, openSite, present, title } from './wordpress-site.ts'

/** WordPress replaces plain quotes and dashes with typographic ones; the words are the same. */
const untypeset = (words: readonly string[]): string =>
  words
    .join(' ')
    .replace(/[‘’“”′″"']/g, "'")
    .replace(/---?|[–—]/g, '-')
    .replace(/…/g, '...')
    .replace(/×/g, 'x')

const renderedOf = ({ content }: Record<string, unknown>): string => (content as { rendered: string }).rendered

describe.skipIf(!isGiven)(`${title}, and what it shows of texts`, () => {
  let site: LiveSite
  let writer: Writer
  let trip: ReturnType<typeof createRoundTrip>

  beforeAll(async () => {
    site = await openSite()
    writer = openWordpressWriter(site.account())
    trip = createRoundTrip(writer, site.prefix)
  }, 600_000)
  afterAll(() => site?.stop(), 60_000)

  const shownAt = async (path: string): Promise<string> => renderedOf(await site.call('GET', path))

  test('posts show their own words, without a new shortcode, smiley or player', async () => {
    const bare = await site.call('POST', '/posts', { title: 'Control', content: 'Well :) [gallery]' })
    // The unprotected text must be changed; otherwise the checks below would prove nothing.
    expect(renderedOf(bare)).not.toContain(':)')
    for (const html of oddDocuments.slice(0, 60)) {
      const body = convertText({ format: 'html', body: `${html}<script></script>` }, 'html').body
      const [post] = await trip.roundTrip('posts', [trip.outgoing({ title: 'Odd', body, status: 'draft' })])
      const shown = await shownAt(`/posts/${present(post).destinationId}?context=edit`)
      const [before, after] = [readFacts(body), readFacts(shown)]
      expect(untypeset(after.words), `${html}\n---\n${shown}`).toBe(untypeset(before.words))
      expect(after.links, shown).toEqual(before.links)
      expect(shown).not.toMatch(/<(iframe|video|audio|form|div class="gallery)/)
    }
  }, 600_000)

  test('comments show their own words', async () => {
    const [post] = await trip.write('posts', [trip.outgoing({ title: 'Said', body: '<p>x</p>', status: 'published' })])
    const said = '<p>Well :) and :lol: [gallery] Wordpress</p><dl><dt>Tea</dt><dd>Hot</dd></dl>'
    const record = trip.outgoing({
      post: relationTo('posts', present(post)),
      body: said,
      author_name: 'Ann',
      status: 'approved',
    })
    const [comment] = await trip.roundTrip('comments', [record])
    const shown = await shownAt(`/comments/${present(comment).destinationId}?context=edit`)
    expect(readFacts(shown).words.join(' ')).toBe('Well :) and :lol: [gallery] Wordpress Tea Hot')
  })
})
