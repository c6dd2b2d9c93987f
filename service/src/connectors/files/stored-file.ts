import type { KeptFile, StoredUpload } from '../contract/upload-contract.ts'
import type { CsvFile } from './list-files.ts'
import type { CsvTable } from './table.ts'

/** The stored file of a table. */
export function fileOf(upload: Pick<StoredUpload, 'open'>, { file, content }: CsvTable): CsvFile {
  if (!content) throw new Error('the file of a table was not kept')
  return storedFile(upload, file, content)
}

export function storedFile(upload: Pick<StoredUpload, 'open'>, name: string, content: KeptFile): CsvFile {
  const { size } = content
  return {
    name,
    size,
    isPacked: false,
    open: async (from) => upload.open(content, { start: Math.min(from, size), end: size }) as AsyncIterable<Buffer>,
  }
}
