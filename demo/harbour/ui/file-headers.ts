import { fieldsOf, type RecordRow } from '../rows.ts'

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Only pictures are shown. All other files are downloaded under the name that their sender gave. */
export function fileHeaders(row: RecordRow): Record<string, string> {
  const { file_name, content_type, size } = fieldsOf(row)
  const type = String(content_type)
  const isPicture = PICTURES.has(type)
  const name = encodeURIComponent(String(file_name).toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'content-type': isPicture ? type : 'application/octet-stream',
    'content-length': String(size),
    'content-disposition': `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
}
