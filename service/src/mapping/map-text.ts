import type { DestinationField } from '../connectors/contract/contract.ts'
import type { RichText } from '../families/record.ts'
import type { TextFormat } from '../text/parse-markup.ts'
import { type LinkWarning, namesAddress, type TextLoss, type WarningCode } from '../warnings/codes.ts'
import type { MapContext, MappedContent } from './map-record.ts'
import { mostTold } from './map-texts.ts'

export interface Content extends MappedContent {
  /** The number of elements of each kind that the record's texts lose. */
  lost: Map<TextLoss, number>
  /** Names of people who will be invited later, by source field. */
  names: Map<string, { label: string; names: string[] }>
}

/** Converts a text for this field, and shortens it to the field's length. */
export function mapText(text: RichText, rule: DestinationField, context: MapContext, content: Content): string {
  const format = rule.type === 'rich_text' ? context.mapping.destination.textFormat : 'plain'
  return cut(convert(text, format, { isFixed: rule.isFixed ?? false, context, content }), rule, content)
}

/** Converts a text to another format, without a length limit. */
export function convert(
  text: RichText,
  format: TextFormat,
  { isFixed = false, context, content }: { isFixed?: boolean; context: MapContext; content: Content },
): string {
  const mapped = context.mapText(text, format)
  if (!mapped) return ''
  if (mapped.hasOpenLinks && isFixed) content.warnings.push('link_not_rewritten')
  else if (mapped.hasOpenLinks) content.isIncomplete = true
  content.warnings.push(...tellLinks('link_to_source', mapped.oldLinks), ...tellLinks('link_stray', mapped.strayLinks))
  for (const [kind, count] of Object.entries(mapped.losses) as [TextLoss, number][]) {
    content.lost.set(kind, (content.lost.get(kind) ?? 0) + count)
  }
  return mapped.body
}

/**
 * The codes of a loss: the plain code, by which records are found, and for several losses also the code with their
 * number.
 */
export const tellLoss = ([kind, count]: [TextLoss, number]): WarningCode[] =>
  count > 1 ? [`text_${kind}`, `text_${kind}*${count}`] : [`text_${kind}`]

/** Keeps at most `mostTold` addresses, because the texts of a record together may have more. */
export function withoutMany(warnings: WarningCode[]): WarningCode[] {
  const named = warnings.filter(namesAddress)
  return named.length <= mostTold
    ? warnings
    : [...warnings.filter((code) => !namesAddress(code)), ...named.slice(0, mostTold)]
}

/** One code that is counted, and one for each address, up to the limit. */
const tellLinks = (code: LinkWarning, addresses: readonly string[] = []): WarningCode[] =>
  addresses.length === 0 ? [] : [code, ...addresses.map((address) => `${code}:${address}` as const)]

export function cut(text: string, { maxLength }: DestinationField, content: MappedContent): string {
  if (maxLength === null || text.length <= maxLength) return text
  const end = endOf(text, maxLength)
  if (end === text.length) return text
  content.warnings.push('text_cut')
  return text.slice(0, end)
}

/** The index after this many characters, some of which take two UTF-16 units. */
function endOf(text: string, characters: number): number {
  let end = 0
  for (let count = 0; count < characters && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return end
}
