import Type, { type Static } from 'typebox'

// HubSpot's answers, as far as we use them.

const text = Type.String()
export const optionShape = Type.Object({ value: text, label: text })
export const propertyShape = Type.Object({
  name: text,
  label: text,
  type: text,
  fieldType: Type.Optional(text),
  options: Type.Optional(Type.Array(optionShape)),
  hubspotDefined: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  hasUniqueValue: Type.Optional(Type.Boolean()),
  calculated: Type.Optional(Type.Boolean()),
  hidden: Type.Optional(Type.Boolean()),
  referencedObjectType: Type.Optional(Type.Union([text, Type.Null()])),
  modificationMetadata: Type.Optional(Type.Object({ readOnlyValue: Type.Optional(Type.Boolean()) })),
})
export type Property = Static<typeof propertyShape>
export const stageShape = Type.Object({
  id: text,
  label: text,
  displayOrder: Type.Number(),
  metadata: Type.Optional(Type.Record(text, Type.Unknown())),
})
export const pipelineShape = Type.Object({
  id: text,
  label: text,
  displayOrder: Type.Number(),
  stages: Type.Array(stageShape),
})
export type Pipeline = Static<typeof pipelineShape>
export type Stage = Static<typeof stageShape>
export const accountShape = Type.Object({
  portalId: Type.Integer(),
  uiDomain: Type.Optional(text),
  companyCurrency: Type.Optional(Type.Union([text, Type.Null()])),
  additionalCurrencies: Type.Optional(Type.Union([Type.Array(text), Type.Null()])),
})
export type AccountFacts = Static<typeof accountShape>
export const objectShape = Type.Object({
  id: Type.String({ pattern: '^\\d+$' }),
  properties: Type.Record(text, Type.Union([text, Type.Null()])),
})
export const paging = Type.Optional(Type.Object({ next: Type.Optional(Type.Object({ after: text })) }))
export const listShape = Type.Object({ results: Type.Array(objectShape), paging })
export const searchShape = Type.Object({ results: Type.Array(objectShape), total: Type.Integer() })
export const fileShape = Type.Object({
  id: text,
  name: Type.Optional(Type.Union([text, Type.Null()])),
  extension: Type.Optional(Type.Union([text, Type.Null()])),
  size: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  createdAt: Type.Optional(text),
})
export type HubFile = Static<typeof fileShape>
export const linksShape = Type.Object({
  results: Type.Array(
    Type.Object({
      from: Type.Object({ id: text }),
      to: Type.Array(
        Type.Object({
          toObjectId: Type.Union([text, Type.Integer()]),
          associationTypes: Type.Array(Type.Object({ typeId: Type.Integer() })),
        }),
      ),
      paging,
    }),
  ),
})
