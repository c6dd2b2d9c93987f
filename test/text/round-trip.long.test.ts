import { expect, test } from 'vitest'
import type { RichText } from '../../service/src/families/record.ts'
import { convertText } from '../../service/src/text/convert-text.ts'
import { factsOf, findUntold, sources, targets } from './compare-formats.ts'
import { oddDocuments } from './odd-documents.ts'

test.each(sources)(
  'documents in %s keep words, links and structure in every format and tool, or report what they lose',
  (format) => {
    expect(oddDocuments).toHaveLength(200)
    for (const html of oddDocuments) {
      const source: RichText = { format, body: convertText({ format: 'html', body: html }, format).body }
      const before = factsOf(source)
      for (const target of targets) {
        const { body } = convertText(source, target.format)
        expect(findUntold(source, before, target), `${target.name}\n${source.body}\n---\n${body}`).toEqual([])
      }
    }
  },
)
