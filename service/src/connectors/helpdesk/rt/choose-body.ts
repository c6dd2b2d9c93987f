import type { RichText } from '../../../families/record.ts'
import { plainToHtml } from '../../../text/parse-markup.ts'
import type { Raw } from './schema.ts'

export type Part = Raw<'attachment'>

// Request Tracker stores a message as the parts of a mail, each container before its content.

const isText = ({ ContentType = '', Filename = '' }: Part) => /^text\/(plain|html)/.test(ContentType) && Filename === ''
const isHtml = ({ ContentType = '' }: Part) => ContentType.startsWith('text/html')
const isAlternatives = (part: Part | undefined) => part?.ContentType?.startsWith('multipart/alternative') ?? false

/** The parts that form the readable message: the HTML version if there are alternatives, and every text after it. */
export function chooseBodyParts(parts: readonly Part[]): Part[] {
  const chosen: Part[] = []
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index]
    if (!part || !isText(part)) continue
    const next = parts[index + 1]
    const hasRicher = isAlternatives(parts[index - 1]) && !isHtml(part) && next && isText(next) && isHtml(next)
    if (hasRicher) index += 1
    chosen.push(hasRicher ? next : part)
  }
  return chosen
}

/** The files of a message. An unnamed part without bytes is an empty text, not a file. */
export function chooseFiles(parts: readonly Part[]): Part[] {
  return parts.filter((part) => {
    const { ContentType = '', Filename = '', ContentLength = 0 } = part
    if (Filename !== '') return !ContentType.startsWith('multipart/')
    return !/^(multipart\/|message\/|text\/(plain|html))/.test(ContentType) && Number(ContentLength) > 0
  })
}

/** Joins the texts to one. `contents` holds the text of each part, by the part's id. */
export function joinBody(body: readonly Part[], contents: ReadonlyMap<string, string>): RichText | undefined {
  const texts = body.flatMap((part) => {
    const content = contents.get(part.id)
    return content === undefined ? [] : [{ html: isHtml(part), content }]
  })
  if (texts.length === 0) return undefined
  if (texts.some(({ html }) => html)) {
    return {
      format: 'html',
      body: texts.map(({ html, content }) => (html ? content : plainToHtml(content))).join('\n'),
    }
  }
  return { format: 'plain', body: texts.map(({ content }) => content).join('\n\n') }
}

/** The content id by which an HTML body shows this part. Null if the part has none. */
export function contentId({ Headers = '' }: Part): string | null {
  return /^content-id:\s*<([^>\s]+)>/im.exec(Headers)?.[1] ?? null
}
