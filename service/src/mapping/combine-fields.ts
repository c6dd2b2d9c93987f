import type { Combination } from '../db/mapping-changes.ts'
import type { RichText, SingleValue } from '../families/record.ts'
import type { TextFormat } from '../text/parse-markup.ts'
import { type Target, targetNamed } from './find-target.ts'
import { toText } from './fit-value.ts'
import type { MapContext } from './map-record.ts'
import { type Content, convert, cut } from './map-text.ts'
import { isRelation, isRichText, isUser, type NamedValue } from './record-values.ts'
import { changeBySteps } from './step-values.ts'

/** Writes several fields of the source into one text of the destination, as the customer chose. */
export function putCombined(
  values: readonly NamedValue[],
  context: MapContext,
  content: Content,
  put: (content: Content, target: Target, value: string) => void,
): void {
  const { entity, mapping } = context
  for (const [name, combination] of Object.entries(mapping.changes.entities?.[entity.name]?.combined ?? {})) {
    const asText = { label: name, type: 'text', many: false } as const
    const target = targetNamed(mapping.destination, entity.name, name, asText)
    if (!target) continue
    const parts = listParts(values, combination, context, content)
    const format = target.rule.type === 'rich_text' ? mapping.destination.textFormat : 'plain'
    const place = { isFixed: target.rule.isFixed ?? false, context, content }
    const text = joinConverted(
      parts.map((part) => convert(part, format, place)),
      format,
      parts.length > 1 && format === 'plain' ? combination.by : null,
    )
    if (text !== '') put(content, target, cut(text, target.rule, content))
  }
}

/** Joins neighbouring texts without markup into one. A text with markup stays separate. */
function listParts(
  values: readonly NamedValue[],
  { fields, by, labels = {} }: Combination,
  context: MapContext,
  content: Content,
): RichText[] {
  const parts: RichText[] = []
  for (const name of fields) {
    const found = values.find(({ source }) => source.name === name)
    if (!found) continue
    const { source, value } = found
    const list = changeBySteps((Array.isArray(value) ? value : [value]) as SingleValue[], { source, context, content })
    const rich = list.filter(isRichText)
    const plain = list
      .filter((one) => !isRichText(one) && !isRelation(one) && !isUser(one))
      .flatMap((one) => toText(one) ?? [])
    if (rich.length === 0 && plain.length === 0) continue
    const label = Object.hasOwn(labels, name) ? `${labels[name]}: ` : ''
    if (rich.length === 0 || label !== '') add(parts, `${label}${plain.join(', ')}`.trimEnd(), by)
    parts.push(...rich)
  }
  return parts
}

function add(parts: RichText[], body: string, by: string): void {
  const last = parts.at(-1)
  if (last?.format === 'plain') parts.splice(-1, 1, { format: 'plain', body: `${last.body}${by}${body}` })
  else parts.push({ format: 'plain', body })
}

const endsBlock = /(<\/(p|div|ul|ol|dl|table|blockquote|pre|h[1-6])>|<hr ?\/?>)\s*$/i
const startsBlock = /^\s*<(p|div|ul|ol|dl|table|blockquote|pre|hr|h[1-6])[\s/>]/i

/** Joins paragraphs with the format's own separator. */
export function joinConverted(texts: readonly string[], format: TextFormat, by: string | null): string {
  return texts
    .filter((text) => text !== '')
    .reduce((whole, text) => {
      if (whole === '') return text
      if (by !== null) return `${whole}${by}${text}`
      if (format !== 'html') return `${whole}\n\n${text}`
      const isApart = endsBlock.test(whole.slice(-200)) || startsBlock.test(text.slice(0, 200))
      return `${whole}${isApart ? '\n' : '<br>\n'}${text}`
    }, '')
}
