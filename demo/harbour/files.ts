/** Entities whose records are files. Only `PUT /files` makes one; `PUT /records` adds what a file has besides. */
const FILE_ENTITIES: readonly string[] = ['attachments', 'media']

/** What `PUT /files` says of a file. A later `PUT /records` leaves it as it is. */
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

/** A file as its bytes made it, with other fields besides. */
export function addToFile(file: Record<string, unknown>, besides: Record<string, unknown>): Record<string, unknown> {
  const pick = (fields: Record<string, unknown>, isSentWithBytes: boolean) =>
    Object.entries(fields).filter(([name]) => SENT_WITH_BYTES.has(name) === isSentWithBytes)
  return Object.fromEntries([...pick(file, true), ...pick(besides, false)])
}
