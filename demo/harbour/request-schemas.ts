/** Schemas of whole requests. An error in a single record is reported in that record's result. */

const externalId = { type: 'string', pattern: '^[A-Za-z0-9_.:/~-]{1,255}$' }
const objectOrNull = { type: ['object', 'null'] }
const textOrNull = { type: ['string', 'null'] }
const moment = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$' }
const revision = { type: ['integer', 'null'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const flag = { enum: ['true', 'false'] }

export const MAX_BATCH = 100
/** The maximum number of records inside another record. */
export const MAX_PARTS = 100

/** `find` has the same limit as a write. */
const batchOf = (items: object) => ({ type: 'array', maxItems: MAX_BATCH, items })

const record = {
  external_id: externalId,
  revision,
  version: textOrNull,
  fields: objectOrNull,
  custom_fields: objectOrNull,
  created_at: textOrNull,
  updated_at: textOrNull,
}

const part = {
  type: 'object',
  required: ['entity', 'external_id'],
  properties: { ...record, entity: { type: 'string', maxLength: 255 } },
}

export const writeSchema = {
  type: 'object',
  required: ['records'],
  properties: {
    records: batchOf({
      type: 'object',
      required: ['external_id'],
      properties: { ...record, parts: { type: ['array', 'null'], maxItems: MAX_PARTS, items: part } },
    }),
  },
}

export const findSchema = {
  type: 'object',
  required: ['external_ids'],
  properties: { external_ids: batchOf({ type: 'string', maxLength: 255 }) },
}

export const deleteSchema = {
  type: 'object',
  required: ['records'],
  properties: {
    records: batchOf({
      type: 'object',
      required: ['external_id'],
      properties: { external_id: { type: 'string', maxLength: 255 }, version: textOrNull, revision },
    }),
  },
}

export const fileQuerySchema = {
  type: 'object',
  required: ['external_id', 'file_name'],
  properties: {
    external_id: externalId,
    revision: { type: 'string', pattern: '^[1-9]\\d{0,14}$' },
    version: { type: 'string', maxLength: 255 },
    entity: { type: 'string', maxLength: 255 },
    parent_entity: { type: 'string', maxLength: 255 },
    parent: { type: 'string', maxLength: 255 },
    file_name: { type: 'string' },
    inline: flag,
    private: flag,
    uploaded_by: { type: 'string', maxLength: 255 },
    created_at: moment,
    updated_at: moment,
  },
}

export interface FileQuery {
  external_id: string
  revision?: string
  version?: string
  entity?: string
  parent_entity?: string
  parent?: string
  file_name: string
  inline?: string
  private?: string
  uploaded_by?: string
  created_at?: string
  updated_at?: string
}

export const usersQuerySchema = {
  type: 'object',
  properties: {
    limit: { type: 'string', pattern: '^([1-9]\\d?|1\\d\\d|200)$' },
    after: { type: 'string', pattern: '^\\d{1,9}$' },
  },
}
