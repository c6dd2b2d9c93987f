import type { RichText } from '../../../families/record.ts'
import { plainToHtml } from '../../../text/parse-markup.ts'
import type { Raw } from './schema.ts'

export type Part = Raw<'attachment'>

// A message is kept as the parts of its mail, containers before what they hold.

const isText = ({ ContentType = '', Filename = '' }: Part) => /^text\/(plain|html)/.test(ContentType) && Filename === ''
const isHtml = ({ ContentType = '' }: Part) => ContentType.startsWith('text/html')
const isAlternatives = (part: Part | undefined) => part?.ContentType?.startsWith('multipart/alternative') ?? false

/** The parts that people read as the message: of alternatives the one with markup, and every text that follows. */
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

/** The files of a message. Unnamed parts without bytes are what is left of empty texts. */
export function chooseFiles(parts: readonly Part[]): Part[] {
  return parts.filter((part) => {
    const { ContentType = '', Filename = '', ContentLength = 0 } = part
    if (Filename !== '') return !ContentType.startsWith('multipart/')
    return !/^(multipart\/|message\/|text\/(plain|html))/.test(ContentType) && Number(ContentLength) > 0
  })
}

/** The texts as one; `contents` by the id of the part. */
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

/** By what an HTML body calls this part, if it shows it. */
export function contentId({ Headers = '' }: Part): string | null {
  return /^content-id:\s*<([^>\s]+)>/im.exec(Headers)?.[1] ?? null
}
