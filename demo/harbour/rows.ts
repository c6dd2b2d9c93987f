/** A row of `records`. Fields are stored as JSON, so that every text is returned exactly as it was sent. */
export interface RecordRow {
  id: number
  account: string
  entity: string
  external_id: string
  fields: string
  custom_fields: string
  created_at: string
  updated_at: string
  version: number
  upload: string | null
}

export interface EffectRow {
  id: number
  account: string
  action: 'create' | 'update' | 'repeat' | 'delete' | 'edit'
  entity: string
  external_id: string
  record: number
  request_id: string
  at: string
}

export type Fields = Record<string, unknown>

export const fieldsOf = (row: RecordRow) => JSON.parse(row.fields) as Fields

export const customFieldsOf = (row: RecordRow) => JSON.parse(row.custom_fields) as Record<string, Fields>
