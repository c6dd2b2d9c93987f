/** Entities whose records are files. Only `PUT /files` creates a file; `PUT /records` adds its other fields. */
const FILE_ENTITIES: readonly string[] = ['attachments', 'media']

/** The fields that `PUT /files` sets. A later `PUT /records` does not change them. */
const SENT_WITH_BYTES: ReadonlySet<string> = new Set([
  'parent',
  'file_name',
  'content_type',
  'size',
  'sha256',
  'is_inline',
  'is_private',
  'uploaded_by',
])

export const isFileEntity = (entity: string) => FILE_ENTITIES.includes(entity)

/** Combines the fields from `PUT /files` with the other fields from `PUT /records`. */
export function addToFile(file: Record<string, unknown>, besides: Record<string, unknown>): Record<string, unknown> {
  const pick = (fields: Record<string, unknown>, isSentWithBytes: boolean) =>
    Object.entries(fields).filter(([name]) => SENT_WITH_BYTES.has(name) === isSentWithBytes)
  return Object.fromEntries([...pick(file, true), ...pick(besides, false)])
}
