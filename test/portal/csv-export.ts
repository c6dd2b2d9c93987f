import type { ZipEntry } from '../connectors/csv-upload.ts'

export interface ExpectedRecord {
  fields: Record<string, unknown>
  custom_fields?: Record<string, { label: string; type: string; value: unknown }>
  created_at?: string
  updated_at?: string
}

/**
 * A customer's export, and the records that the destination must have afterwards. A text `@tickets/1` refers to that
 * record.
 */
export interface CsvExport {
  files: ZipEntry[]
  expected: Record<string, Record<string, ExpectedRecord>>
  /** The number of records of an entity, where not all are listed above. */
  counts: Record<string, number>
}

/** The times of a record whose row has none. */
export const usualTimes = { created_at: '2024-01-01T00:00:00.000Z', updated_at: '2024-01-02T00:00:00.000Z' }

/** A table in which every row has times. Missing columns for them are added. */
export function rows(header: string, ...lines: string[]): string {
  const delimiter = ['\t', ';', ','].find((one) => header.includes(one)) ?? ','
  const missing = Object.entries(usualTimes).filter(([name]) => !header.includes(name))
  const added = (texts: string[]) => texts.map((text) => `${delimiter}${text}`).join('')
  const head = `${header}${added(missing.map(([name]) => name))}`
  return `${[head, ...lines.map((line) => `${line}${added(missing.map(([, time]) => time))}`)].join('\n')}\n`
}
