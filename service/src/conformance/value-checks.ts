import { isFileEntity } from '../connectors/open/file-fields.ts'
import type { Bench, Check } from './check.ts'
import { expectFields, SkippedError } from './expectations.ts'
import { sendWholeFile } from './file-field-checks.ts'
import { type Offer, optionalField } from './offers.ts'
import { findOne, writeOne } from './writing-checks.ts'

const longText = 64 * 1024
const controls = Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1))
  .filter((character) => character !== '\n' && character !== '\r')
  .join('')

const oddTexts: Record<string, string> = {
  'emoji and characters beyond the basic plane': '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁷󠁬󠁳󠁿 𝒲𝒽ℯ𝓇𝓇𝓎 𠮷',
  'right-to-left text and combining characters': 'שלום עולם ‏مرحبا‎ e\u0301 ñ n\u0303',
  'text that looks like markup': '<script>alert("1")</script> & &amp; <b>bold</b> {{x}} $y %s \' " \\ --;',
  'control characters': `a${controls}b`,
  'spaces and line ends at both ends': '  \n two\r\nlines \t\n ',
}

/** Checks of unusual texts. Uses a long text field if possible, because some texts have several lines. */
export const valueChecks: Check[] = [
  ...Object.entries(oddTexts).map(([name, text]) => ({
    name: `comes back unchanged: ${name}`,
    run: (bench: Bench) => sendText(bench, text, ['long_text']),
  })),
  {
    name: 'comes back unchanged: a text of 64 KB',
    run: (bench) => sendText(bench, 'Länge '.repeat(longText).slice(0, longText), ['long_text', 'rich_text']),
  },
  {
    name: 'comes back unchanged: formatted text',
    async run(bench) {
      const { text_format } = bench.description
      const html =
        '<p>One &amp; <strong>two</strong></p><ul><li><a href="https://example.com/?a=1&amp;b=2">three</a></li></ul>'
      await sendText(bench, text_format === 'html' ? html : '**One**\n\n- two', ['rich_text'])
    },
  },
]

/** One check for each entity that the destination offers. */
export function entityChecks(offers: readonly Offer[]): Check[] {
  return offers.map((offer) => ({
    name: `every field of ${offer.entity} (${offer.family}) comes back as it was sent`,
    async run(bench: Bench) {
      if (isFileEntity(offer.entity)) return sendWholeFile(bench, offer)
      const record = await bench.specimens.full(offer)
      await writeOne(bench, offer, record, 'created')
      expectFields(record.fields, (await findOne(bench, offer, record.external_id)).fields)
    },
  }))
}

async function sendText(bench: Bench, text: string, types: readonly string[]): Promise<void> {
  const { specimens } = bench
  const offer = specimens.recordOffers.find((one) => optionalField(one, types, text.length) !== undefined)
  if (!offer) throw new SkippedError(`no entity with an optional ${types.join(' or ')} of ${text.length} characters`)
  const name = optionalField(offer, types, text.length) ?? ''
  const record = await specimens.small(offer)
  const sent = { ...record, fields: { ...record.fields, [name]: text } }
  await writeOne(bench, offer, sent, 'created')
  expectFields(sent.fields, (await findOne(bench, offer, record.external_id)).fields)
}
