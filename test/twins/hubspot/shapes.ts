import { Type } from 'typebox'
import type { OperationShape } from '../check-request.ts'

// The requests of https://developers.hubspot.com/docs/reference/api/ that are needed for a CRM, and no others.

const closed = { additionalProperties: false }
const text = Type.Optional(Type.String())
const yes = Type.Optional(Type.Boolean())
const whole = Type.Optional(Type.Integer())
const texts = Type.Optional(Type.Array(Type.String()))
const properties = Type.Record(Type.String(), Type.Any())
const object = Type.Object({ id: Type.Union([Type.String(), Type.Integer()]) }, closed)
const link = Type.Object(
  {
    associationCategory: Type.Enum(['HUBSPOT_DEFINED', 'USER_DEFINED', 'INTEGRATOR_DEFINED']),
    associationTypeId: Type.Integer(),
  },
  closed,
)
const associations = Type.Optional(Type.Array(Type.Object({ to: object, types: Type.Array(link) }, closed)))
const trace = { objectWriteTraceId: text }
const made = { properties, associations }
const batch = (input: Parameters<typeof Type.Object>[0], more: Parameters<typeof Type.Object>[0] = {}) =>
  Type.Object({ inputs: Type.Array(Type.Object(input, closed)), ...more }, closed)

const filter = Type.Object(
  { propertyName: Type.String(), operator: Type.String(), value: text, highValue: text, values: texts },
  closed,
)
const sort = Type.Union([
  Type.String(),
  Type.Object(
    { propertyName: Type.String(), direction: Type.Optional(Type.Enum(['ASCENDING', 'DESCENDING'])) },
    closed,
  ),
])
const search = Type.Object(
  {
    filterGroups: Type.Optional(Type.Array(Type.Object({ filters: Type.Array(filter) }, closed))),
    filters: Type.Optional(Type.Array(filter)),
    sorts: Type.Optional(Type.Array(sort)),
    query: text,
    limit: whole,
    after: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
    properties: texts,
  },
  closed,
)
const option = Type.Object(
  { label: Type.String(), value: Type.String(), hidden: yes, displayOrder: whole, description: text },
  closed,
)
const types = ['string', 'number', 'date', 'datetime', 'enumeration', 'bool', 'phone_number']
const fieldTypes = [
  'text',
  'textarea',
  'html',
  'number',
  'date',
  'select',
  'radio',
  'checkbox',
  'booleancheckbox',
  'phonenumber',
  'file',
  'calculation_equation',
]
const ofProperty = {
  description: text,
  displayOrder: whole,
  hidden: yes,
  formField: yes,
  options: Type.Optional(Type.Array(option)),
}
const property = Type.Object(
  {
    name: Type.String(),
    label: Type.String(),
    groupName: Type.String(),
    type: Type.Enum(types),
    fieldType: Type.Enum(fieldTypes),
    hasUniqueValue: yes,
    referencedObjectType: text,
    externalOptions: yes,
    ...ofProperty,
  },
  closed,
)
const propertyChange = Type.Object({ label: text, groupName: text, ...ofProperty }, closed)
const group = Type.Object({ name: Type.String(), label: Type.String(), displayOrder: whole }, closed)
const stage = {
  label: Type.String(),
  displayOrder: Type.Integer(),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
}
const pipeline = {
  label: Type.String(),
  displayOrder: Type.Integer(),
  stages: Type.Array(Type.Object(stage, closed)),
}

const query = { properties: true, propertiesWithHistory: true, associations: true, archived: /true|false/ } as const
const repeats = ['properties', 'propertiesWithHistory', 'associations'] as const
const paged = { limit: /\d{1,4}/, after: true } as const
const archived = { archived: /true|false/ } as const
const kept = {
  validateReferencesBeforeDelete: /true|false/,
  validateDealStageUsagesBeforeDelete: /true|false/,
} as const

const v3 = '/crm/v3/objects/:kind'
const v4 = '/crm/v4/objects/:kind/:id/associations'
const between = '/crm/v4/associations/:kind/:to'
const ofKind = '/crm/v3/properties/:kind'
const ofPipeline = '/crm/v3/pipelines/:kind'
const post = (path: string, json: NonNullable<OperationShape['json']>) => ({ method: 'POST', path, json }) as const
const pair = { from: object, to: object }

const tokenForm = ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code', 'refresh_token', 'scope']

export const shapes = {
  details: { method: 'GET', path: '/account-info/v3/details' },
  owners: { method: 'GET', path: '/crm/v3/owners', query: { ...paged, ...archived, email: true } },
  owner: { method: 'GET', path: '/crm/v3/owners/:id', query: { ...archived, idProperty: /id|userId/ } },

  list: { method: 'GET', path: v3, query: { ...query, ...paged }, repeats },
  get: { method: 'GET', path: `${v3}/:id`, query: { ...query, idProperty: true }, repeats },
  make: post(v3, Type.Object(made, closed)),
  change: {
    method: 'PATCH',
    path: `${v3}/:id`,
    query: { idProperty: true },
    json: Type.Object({ properties }, closed),
  },
  archive: { method: 'DELETE', path: `${v3}/:id` },
  readMany: {
    ...post(
      `${v3}/batch/read`,
      batch({ id: Type.String() }, { properties: texts, propertiesWithHistory: texts, idProperty: text }),
    ),
    query: archived,
  },
  makeMany: post(`${v3}/batch/create`, batch({ ...made, ...trace })),
  changeMany: post(`${v3}/batch/update`, batch({ id: Type.String(), idProperty: text, properties, ...trace })),
  upsertMany: post(`${v3}/batch/upsert`, batch({ id: Type.String(), idProperty: text, properties, ...trace })),
  archiveMany: post(`${v3}/batch/archive`, batch({ id: Type.String() })),
  search: post(`${v3}/search`, search),

  links: { method: 'GET', path: `${v4}/:to`, query: paged },
  link: { method: 'PUT', path: `${v4}/:to/:toId`, json: Type.Array(link) },
  linkPlain: { method: 'PUT', path: `${v4}/default/:to/:toId` },
  unlink: { method: 'DELETE', path: `${v4}/:to/:toId` },
  linkMany: post(`${between}/batch/create`, batch({ ...pair, types: Type.Array(link) })),
  linkManyPlain: post(`${between}/batch/associate/default`, batch(pair)),
  readLinks: post(`${between}/batch/read`, batch({ id: Type.String(), after: text })),
  unlinkMany: post(`${between}/batch/archive`, batch({ from: object, to: Type.Array(object) })),
  labels: { method: 'GET', path: `${between}/labels` },

  properties: {
    method: 'GET',
    path: ofKind,
    query: { ...archived, properties: true, dataSensitivity: /(non_|highly_)?sensitive/ },
  },
  schemas: { method: 'GET', path: '/crm-object-schemas/v3/schemas', query: archived },
  property: { method: 'GET', path: `${ofKind}/:name`, query: { ...archived, properties: true } },
  makeProperty: post(ofKind, property),
  changeProperty: { method: 'PATCH', path: `${ofKind}/:name`, json: propertyChange },
  removeProperty: { method: 'DELETE', path: `${ofKind}/:name` },
  groups: { method: 'GET', path: `${ofKind}/groups` },
  makeGroup: post(`${ofKind}/groups`, group),

  pipelines: { method: 'GET', path: ofPipeline },
  pipeline: { method: 'GET', path: `${ofPipeline}/:id` },
  makePipeline: post(ofPipeline, Type.Object(pipeline, closed)),
  changePipeline: {
    method: 'PATCH',
    path: `${ofPipeline}/:id`,
    query: kept,
    json: Type.Object({ label: text, displayOrder: whole, archived: yes }, closed),
  },
  removePipeline: { method: 'DELETE', path: `${ofPipeline}/:id`, query: kept },
  stages: { method: 'GET', path: `${ofPipeline}/:id/stages` },
  makeStage: post(`${ofPipeline}/:id/stages`, Type.Object(stage, closed)),
  changeStage: {
    method: 'PATCH',
    path: `${ofPipeline}/:id/stages/:stageId`,
    json: Type.Object({ label: text, displayOrder: whole, metadata: stage.metadata, archived: yes }, closed),
  },
  removeStage: { method: 'DELETE', path: `${ofPipeline}/:id/stages/:stageId` },

  authorize: {
    method: 'GET',
    path: '/oauth/authorize',
    query: {
      client_id: true,
      redirect_uri: true,
      scope: true,
      optional_scope: true,
      state: true,
      response_type: /code/,
    },
  },
  token: { method: 'POST', path: '/oauth/2026-03/token', form: tokenForm },
  firstToken: { method: 'POST', path: '/oauth/v1/token', form: tokenForm },

  upload: {
    method: 'POST',
    path: '/files/v3/files',
    form: ['file', 'folderId', 'folderPath', 'fileName', 'charsetHunch', 'options'],
  },
  searchFolders: {
    method: 'GET',
    path: '/files/v3/folders/search',
    query: { ...paged, path: true, parentFolderIds: /\d+/ },
    repeats: ['parentFolderIds'],
  },
  removeFolder: { method: 'DELETE', path: '/files/v3/folders/:id' },
  searchFiles: {
    method: 'GET',
    path: '/files/v3/files/search',
    query: { ...paged, parentFolderIds: /\d+/ },
    repeats: ['parentFolderIds'],
  },
  file: { method: 'GET', path: '/files/v3/files/:id', query: { properties: true }, repeats: ['properties'] },
  changeFile: {
    method: 'PATCH',
    path: '/files/v3/files/:id',
    json: Type.Object({ name: Type.Optional(Type.String()) }, { additionalProperties: false }),
  },
  removeFile: { method: 'DELETE', path: '/files/v3/files/:id' },
  signedUrl: {
    method: 'GET',
    path: '/files/v3/files/:id/signed-url',
    query: { size: /thumb|icon|medium|preview/, expirationSeconds: /\d+/, upscale: /true|false/ },
  },
} as const satisfies Record<string, OperationShape>
