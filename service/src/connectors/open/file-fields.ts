/** Entities whose records are files: their bytes go to `PUT /files`. */
export const fileEntities: readonly string[] = ['attachments', 'media']

export const isFileEntity = (entity: string): boolean => fileEntities.includes(entity)

/** Facts about the bytes themselves. They are compared when the bytes arrive, and not sent. */
export const byteFacts: readonly string[] = ['content_type', 'size', 'sha256']

/** The fields of a file that `PUT /files` says. All others follow as a record. */
const saidWithBytes = new Set([...byteFacts, 'parent', 'file_name', 'is_inline', 'is_private', 'uploaded_by'])

export const followsAsRecord = (field: string): boolean => !saidWithBytes.has(field)

/**
 * Bytes and fields that follow are two requests of one sending, and the second is the later one. Otherwise bytes that
 * arrive twice would empty the fields that followed them.
 */
export const fileRevisions = {
  bytes: (revision: number): number => 2 * revision,
  following: (revision: number): number => 2 * revision + 1,
}
