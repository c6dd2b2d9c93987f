import { Type } from 'typebox'
import { families } from '../families/index.ts'
import { commonAnswers, FieldErrors, notBlankPattern, printablePattern } from './schemas.ts'

const Changes = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'What it changes of the mapping that follows from both tools, as in docs/portal-api.md: `entities`, by name, with `fields`, `constants`, `only` and so on',
})

export const NewMappingBody = Type.Object(
  {
    name: Type.String({
      maxLength: 100,
      allOf: [{ pattern: notBlankPattern }, { pattern: printablePattern }],
      description: 'What customers read',
    }),
    source_tool: Type.String({ pattern: notBlankPattern, description: 'Name, slug or label of a listed tool' }),
    family: Type.Optional(
      Type.Enum([...families], { type: 'string', description: 'Default: the first shared family' }),
    ),
    changes: Changes,
  },
  { title: 'NewMapping', description: 'Unknown properties are ignored; null for the family means not given.' },
)

export const Mapping = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'What customers read' }),
    source_tool: Type.String(),
    family: Type.Enum([...families], { type: 'string', description: 'Product family' }),
    saved_at: Type.String({ format: 'date-time' }),
    changes: Changes,
  },
  { title: 'Mapping', description: 'A mapping that the portal offers to your customers' },
)

export const MappingParams = Type.Object({ mapping_id: Type.String({ description: 'The mapping’s id' }) })

export const listMappingsDocs = {
  operationId: 'listMappings',
  summary: 'List the mappings that you recommend',
  description: 'The portal offers them to your customers, who choose. Sorted by name.',
  tags: ['Mappings'],
  response: { 200: { ...Type.Array(Mapping), description: 'The mappings' }, ...commonAnswers },
}

export const provideMappingDocs = {
  operationId: 'provideMapping',
  summary: 'Recommend a mapping',
  description:
    'One of the same name, tool and family is replaced, so repeating it changes nothing. `default_user` is left out: a person of one account means nothing in another. What does not exist in an import is left out there, and the customer is told.',
  tags: ['Mappings'],
  body: NewMappingBody,
  response: {
    201: { ...Mapping, description: 'Kept' },
    422: { ...FieldErrors, description: 'A property breaks a rule; a path such as `changes.entities` says where' },
    ...commonAnswers,
  },
}

export const removeMappingDocs = {
  operationId: 'removeMapping',
  summary: 'Stop recommending a mapping',
  description: 'Imports that use it keep their own copy.',
  tags: ['Mappings'],
  params: MappingParams,
  response: { 204: Type.Null({ description: 'Removed; the body is empty' }), ...commonAnswers },
}
