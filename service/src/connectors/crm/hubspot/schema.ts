import Type, { type Static } from 'typebox'
import { fitting, hasShape } from '../../kit/has-shape.ts'
import { withOdd } from '../../kit/odd-places.ts'
import { isReading, recordsIn } from '../../kit/records-in.ts'

// The parts of HubSpot's answers that we use.

const text = Type.String()
/** Values that may be missing or null. HubSpot's description has no nulls, but its answers do. */
const maybe = <S extends Type.TSchema>(shape: S) => Type.Optional(Type.Union([shape, Type.Null()]))
const optionShape = Type.Object({ value: text, label: maybe(text) })
export const propertyShape = Type.Object({
  name: text,
  label: text,
  type: text,
  fieldType: maybe(text),
  options: maybe(Type.Array(optionShape)),
  hubspotDefined: maybe(Type.Boolean()),
  hasUniqueValue: maybe(Type.Boolean()),
  calculated: maybe(Type.Boolean()),
  hidden: maybe(Type.Boolean()),
  referencedObjectType: maybe(text),
  modificationMetadata: maybe(Type.Object({ readOnlyValue: maybe(Type.Boolean()) })),
})
/**
 * A property without what is of another form in its definition: its values are read all the same. Without a label it
 * has its name.
 */
export function usableProperty(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null) return raw
  const { name, label, type, options, ...rest } = raw as Record<string, unknown>
  const shapes: Readonly<Record<string, Type.TSchema>> = propertyShape.properties
  const usable = Object.entries(rest).filter(([key, value]) => !shapes[key] || hasShape(shapes[key], value))
  const choices = Array.isArray(options) ? { options: fitting(optionShape, options) } : {}
  return { ...Object.fromEntries(usable), ...choices, name, label: typeof label === 'string' ? label : name, type }
}
export type Property = Omit<Static<typeof propertyShape>, 'options'> & { options?: { value: string; label: string }[] }
export const stageShape = Type.Object({
  id: text,
  label: text,
  displayOrder: Type.Number(),
  metadata: maybe(Type.Record(text, Type.Unknown())),
})
export const pipelineShape = Type.Object({
  id: text,
  label: text,
  displayOrder: Type.Number(),
  stages: Type.Array(stageShape),
})
export type Pipeline = Static<typeof pipelineShape>
export type Stage = Static<typeof stageShape>
const withId = Type.Object({ id: Type.String({ minLength: 1 }) })
/** A pipeline or a stage. Without a label it has its id, and without a position it stands where HubSpot lists it. */
function usablePlace(raw: unknown, at: number): unknown {
  if (!hasShape(withId, raw)) return raw
  const { id, label, displayOrder, metadata } = raw as Record<string, unknown>
  const order = Number(displayOrder ?? Number.NaN)
  const place = { id, label: typeof label === 'string' ? label : id, displayOrder: Number.isFinite(order) ? order : at }
  const isObject = typeof metadata === 'object' && !Array.isArray(metadata)
  return { ...place, ...(isObject && { metadata }) }
}
/** No pipeline is without a stage. A writer counts on all of them. */
export const pipelinesIn = (label: string, json: unknown): unknown => {
  const { results } = (json ?? {}) as { results?: unknown }
  return recordsIn(label, results, withId).map((raw, at) => {
    const given: unknown[] = Array.isArray(raw.stages) ? raw.stages : []
    const stages = isReading() ? fitting(withId, given) : given
    const isOdd = stages.length === 0 || stages.length < given.length
    return withOdd({ ...(usablePlace(raw, at) as object), stages: stages.map(usablePlace) }, isOdd ? ['stages'] : [])
  })
}
export const accountShape = Type.Object({
  portalId: Type.Integer(),
  uiDomain: maybe(text),
  timeZone: maybe(text),
  companyCurrency: maybe(text),
  additionalCurrencies: maybe(Type.Array(text)),
})
export type AccountFacts = Static<typeof accountShape>
export const objectShape = Type.Object({
  id: Type.String({ pattern: '^\\d+$' }),
  properties: Type.Unknown(),
})
const versionShape = Type.Object({
  value: maybe(Type.Unknown()),
  sourceType: maybe(text),
  updatedByUserId: maybe(Type.Unknown()),
})
export type Version = Static<typeof versionShape>
export const historyShape = Type.Object({
  results: Type.Array(
    Type.Object({ id: text, propertiesWithHistory: maybe(Type.Record(text, Type.Array(versionShape))) }),
  ),
})
export const paging = maybe(Type.Object({ next: maybe(Type.Object({ after: Type.Union([text, Type.Integer()]) })) }))
export const listShape = Type.Object({ results: Type.Array(Type.Unknown()), paging })
export const searchShape = Type.Object({ results: Type.Array(Type.Unknown()), total: Type.Integer() })
export const fileShape = Type.Object({
  id: text,
  name: maybe(text),
  extension: maybe(text),
  size: maybe(Type.Integer()),
  createdAt: maybe(text),
})
export type HubFile = Static<typeof fileShape>
export const filesShape = Type.Object({ results: Type.Array(fileShape) })
export const foldersShape = Type.Object({ results: Type.Array(Type.Object({ id: text, path: maybe(text) })) })
export const linksShape = Type.Object({ results: Type.Array(Type.Unknown()) })
export const holderShape = Type.Object({
  from: Type.Object({ id: Type.Union([text, Type.Integer()]) }),
  to: Type.Unknown(),
  paging,
})
export const linkShape = Type.Object({
  toObjectId: Type.Union([Type.String({ minLength: 1 }), Type.Integer()]),
  associationTypes: Type.Array(
    Type.Object({
      typeId: Type.Unknown(),
      category: Type.Optional(Type.Unknown()),
      label: Type.Optional(Type.Unknown()),
    }),
  ),
})
