import { entityLabel, formatMoment, texts } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'

/** Texts above this length scroll. */
const longText = 400

export interface ShowValueProps {
  value: unknown
  /** Whether texts in the value are HTML. It is never guessed, because plain text can look like markup. */
  isHtml: boolean
  instead?: string | null
}

/** Shows a value of any type in readable form. */
export function ShowValue({ value, isHtml, instead = null }: ShowValueProps) {
  const text = instead ?? readable(value, isHtml, 0)
  if (text === '') return <span className="text-quiet">{later.review.empty}</span>
  const isLong = text.length > longText
  return (
    <div
      dir="auto"
      className={`whitespace-pre-wrap wrap-anywhere ${isLong ? 'max-h-56 overflow-y-auto' : ''}`}
      // Makes the text reachable by keyboard, so that it can be scrolled.
      {...(isLong && { tabIndex: 0, role: 'group', 'aria-label': text.slice(0, 60) })}
    >
      {text}
    </div>
  )
}

function readable(value: unknown, isHtml: boolean, depth: number): string {
  if (value === null || value === undefined || depth > 4) return ''
  if (typeof value === 'boolean') return value ? later.review.yes : later.review.no
  if (typeof value === 'string') return isHtml ? wordsOf(value) : readableText(value)
  if (Array.isArray(value)) {
    const parts = value.map((one) => readable(one, isHtml, depth + 1)).filter((part) => part !== '')
    return parts.join(parts.some((part) => part.length > 40) ? '\n' : ', ')
  }
  if (typeof value !== 'object') return String(value)
  return readableObject(value as Record<string, unknown>, isHtml, depth)
}

function readableObject(value: Record<string, unknown>, isHtml: boolean, depth: number): string {
  const { body, format, entity, sourceId, key, userId, value: inner, label } = value
  if (typeof body === 'string' && format !== undefined) return format === 'html' ? wordsOf(body) : body
  if (typeof entity === 'string') return `${entityLabel(entity)} ${readable(sourceId ?? key, false, depth + 1)}`
  if (userId !== undefined) return readable(userId, false, depth + 1)
  // The value is a custom field of the source.
  if (inner !== undefined && label !== undefined) return readable(inner, isHtml, depth + 1)
  return Object.entries(value)
    .map(([name, part]) => {
      const text = readable(part, isHtml, depth + 1)
      return typeof part === 'boolean' && text !== '' ? `${fieldLabel(name)}${texts.colon} ${text}` : text
    })
    .filter((part) => part !== '')
    .join(', ')
}

/** Our key of a record in the destination. */
const keyPattern = /^imp_[a-z0-9]{26}\/([a-z_]+)\/(.+)$/
const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/

function readableText(text: string): string {
  if (momentPattern.test(text)) return formatMoment(new Date(text))
  const [, entity, id] = keyPattern.exec(text) ?? []
  return entity !== undefined && id !== undefined ? `${entityLabel(entity)} ${id}` : text
}

/** Returns the text without its formatting. Parsing a document loads and runs nothing. */
function wordsOf(html: string): string {
  const broken = html.replace(/<(br|\/p|\/div|\/li|\/h\d|\/tr)\b[^>]*>/gi, '$&\n')
  const words = new DOMParser().parseFromString(broken, 'text/html').body.textContent ?? ''
  return words.replace(/\n{3,}/g, '\n\n').trim()
}
