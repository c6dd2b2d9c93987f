import type { SingleValue } from '../families/record.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { applySteps } from './apply-steps.ts'
import { toText } from './fit-value.ts'
import type { MapContext } from './map-record.ts'
import { type Content, convert } from './map-text.ts'
import { isRelation, isRichText, isUser } from './record-values.ts'

type OfField = { source: { name: string }; context: MapContext }

const stepsOf = ({ source, context: { entity, mapping } }: OfField) => {
  const fields = mapping.changes.entities?.[entity.name]?.fields
  return fields && Object.hasOwn(fields, source.name) ? fields[source.name]?.steps : undefined
}

/** Whether the customer chose steps for the values of this field. */
export const hasSteps = (place: OfField): boolean => (stepsOf(place)?.length ?? 0) > 0

/** Applies the customer's steps to the values. People and references have no text, so they stay unchanged. */
export function changeBySteps(
  values: readonly SingleValue[],
  place: { source: { name: string }; context: MapContext; content: Content },
): readonly SingleValue[] {
  const { source, content } = place
  const steps = stepsOf(place)
  if (!steps?.length) return values
  const texts: string[] = []
  for (const value of values) {
    if (isRelation(value) || isUser(value)) return values
    const text = isRichText(value) ? convert(value, 'plain', place) : toText(value)
    if (text !== undefined) texts.push(text)
  }
  const stepped = applySteps(texts, steps)
  const code: WarningCode | null =
    stepped === null ? 'steps_not_applied' : stepped.isUnreadable ? 'value_does_not_fit' : null
  if (code !== null) {
    content.warnings.push(code)
    content.causes.push(...values.slice(0, 1).map((value) => ({ code, field: source.name, value })))
  }
  return stepped?.values ?? values
}
