/** Entities whose records are files. Their bytes go to `PUT /files`. */
export const fileEntities: readonly string[] = ['attachments', 'media']

export const isFileEntity = (entity: string): boolean => fileEntities.includes(entity)

/** Facts about the bytes. They are not sent; the connector compares them when the bytes arrive. */
export const byteFacts: readonly string[] = ['content_type', 'size', 'sha256']

/** The fields of a file that `PUT /files` accepts. All other fields follow in a second request, as a record. */
const saidWithBytes = new Set([...byteFacts, 'parent', 'file_name', 'is_inline', 'is_private', 'uploaded_by'])

export const followsAsRecord = (field: string): boolean => !saidWithBytes.has(field)

/**
 * A file is sent in two requests: its bytes, then its other fields. The second has a higher revision, so bytes that
 * arrive twice do not clear the fields that followed them.
 */
export const fileRevisions = {
  bytes: (revision: number): number => 2 * revision,
  following: (revision: number): number => 2 * revision + 1,
}
