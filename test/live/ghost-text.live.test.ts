import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGhostWriter } from '../../service/src/connectors/blog/ghost/writer.ts'
import type { Writer } from '../../service/src/connectors/contract/contract.ts'
import { convertText } from '../../service/src/text/convert-text.ts'
import { normalUrl, readFacts } from '../text/document-facts.ts'
import { oddDocuments } from '../text/odd-documents.ts'
import { createRoundTrip } from './blog-round-trip.ts'
import { isGiven, type LiveGhostSite, openGhostSite, title } from './ghost-site.ts'
import { present } from './wordpress-site.ts'

describe.skipIf(!isGiven)(`${title}, and what it shows of texts`, () => {
  let site: LiveGhostSite
  let writer: Writer
  let trip: ReturnType<typeof createRoundTrip>

  beforeAll(async () => {
    site = await openGhostSite()
    writer = openGhostWriter(site.account())
    trip = createRoundTrip(writer, site.prefix)
  }, 600_000)
  afterAll(() => site?.stop(), 60_000)

  const documents = oddDocuments.slice(0, 60).map((html, index) => ({ index, html }))

  test.each(documents)(
    'document $index keeps its words, links and structure, and is stored as sent',
    async ({ index, html }) => {
      const body = convertText({ format: 'html', body: `${html}<script></script>` }, 'html').body
      const [post] = await trip.roundTrip('posts', [trip.outgoing({ title: `Odd ${index}`, body, status: 'draft' })])
      const path = `/posts/${present(post).destinationId}/?formats=html`
      const shown = String((await site.call('GET', path)).posts[0].html)
      const [before, after] = [readFacts(body), readFacts(shown)]
      const text = after.words.join(' ')
      const missing = before.pieces.filter((piece) => !text.includes(piece))
      expect(missing, `${body}\n---\n${shown}`).toEqual([])
      const here = (url: string) => normalUrl(url).replace(site.url, '')
      const links = before.links.map(here).filter((url) => !after.links.map(here).includes(url))
      expect(links, `${body}\n---\n${shown}`).toEqual([])
      for (const kind of ['caption', 'details', 'term', 'cell', 'item', 'quote', 'code', 'heading']) {
        expect(after.structure[kind] ?? 0, `${kind}\n${body}\n---\n${shown}`).toBe(before.structure[kind] ?? 0)
      }
    },
    120_000,
  )
})
