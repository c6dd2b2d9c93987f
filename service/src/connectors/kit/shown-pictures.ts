import { Parser } from 'htmlparser2'
import Type from 'typebox'
import type { RichText } from '../../families/record.ts'
import { type Lens, type LensOptions, lens, type RawRecord } from './lens.ts'

/** A longer text is not parsed, because that would block the event loop. It is only searched for the address. */
const longText = 100_000

/**
 * HTML with the pictures that it shows. `files` names the field with the record's files. `addresses` names the
 * properties of a file that hold its address in a text. The entity must declare the fields in `also`, as a list of
 * objects with ids.
 */
export const htmlWithPictures = (
  from: string,
  pictures: { files: string; addresses: readonly string[] },
  options: LensOptions = {},
): Lens =>
  lens('rich_text', {
    from,
    check: Type.String(),
    read: (body, raw) => withPictures(body, (raw[pictures.files] ?? []) as RawRecord[], pictures.addresses),
    ...options,
  })

function withPictures(body: string, files: readonly RawRecord[], names: readonly string[]): RichText {
  const shows = files.length === 0 ? () => false : showsPicture(body)
  const inlineFiles = files.flatMap((file) =>
    names.flatMap((name) => {
      const address = file[name]
      return typeof address === 'string' && shows(address) ? [{ url: address, attachment: String(file.id) }] : []
    }),
  )
  return { format: 'html', body, ...(inlineFiles.length > 0 ? { inlineFiles } : {}) }
}

function showsPicture(html: string): (address: string) => boolean {
  if (html.length > longText)
    return (address) => html.includes(address) || html.includes(address.replaceAll('&', '&amp;'))
  const shown = new Set<string>()
  const parser = new Parser({
    onopentag: (name, { src }) => {
      if (name === 'img' && src !== undefined) shown.add(src)
    },
  })
  parser.end(html)
  return (address) => shown.has(address)
}
