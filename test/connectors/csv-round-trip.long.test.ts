import { isAscii, isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { createCsvReader } from '../../service/src/connectors/files/reader.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'
import { uploadOf } from './csv-upload.ts'
import { readAll } from './reader-contract.ts'

// Turns records into CSV in any dialect, encoding and order of columns, and expects the same records back.

type Row = Record<string, string>

const encodings = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1252': (text: string) => iconv.encode(text, 'windows-1252'),
}

const anyText = fc.string({ unit: 'binary', maxLength: 40 })
const westernText = fc.string({
  unit: fc.constantFrom(...'aZ09 ,;|\t"\'\n\r.=-@äöüßéÑ€“”–…™ŒŽ'),
  maxLength: 40,
})
// The reader removes NUL, drops a leading U+FEFF, and treats blank text as empty.
const readable = (text: string) => text.trim() !== '' && !/[\0\ufeff]/.test(text)

const caseOf = (encoding: keyof typeof encodings) => {
  const text = (encoding === 'windows-1252' ? westernText : anyText).filter(readable)
  const row = fc.record({
    subject: text,
    description: fc.option(text, { nil: '' }),
    status: fc.constantFrom('open', 'closed', ''),
    created_at: fc
      .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    time_spent_s: fc.option(fc.integer().map(String), { nil: '' }),
  })
  return fc.record({
    rows: fc.array(row, { minLength: 1, maxLength: 30 }),
    columns: fc.shuffledSubarray(['id', 'subject', 'description', 'status', 'created_at', 'time_spent_s'], {
      minLength: 6,
    }),
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    newline: fc.constantFrom('\n', '\r\n', '\r'),
    quoteAll: fc.boolean(),
    endsWithNewline: fc.boolean(),
    pageSize: fc.integer({ min: 1, max: 40 }),
    chunkBytes: fc.integer({ min: 1, max: 200 }),
  })
}

function quoted(cell: string, delimiter: string, quoteAll: boolean): string {
  const isNeeded = quoteAll || cell.includes(delimiter) || /["\n\r]/.test(cell)
  return isNeeded ? `"${cell.replaceAll('"', '""')}"` : cell
}

function expected({
  id = '',
  subject = '',
  description = '',
  status = '',
  created_at = '',
  time_spent_s = '',
}: Row): FamilyRecord {
  return {
    entity: 'tickets',
    sourceId: id,
    createdAt: created_at,
    fields: {
      subject,
      ...(description === '' ? {} : { description: { format: 'plain', body: description } }),
      ...(status === '' ? {} : { status }),
      ...(time_spent_s === '' ? {} : { time_spent_s: Number(time_spent_s) }),
    },
  }
}

test.each(Object.keys(encodings) as (keyof typeof encodings)[])('%s', { timeout: 900_000 }, async (encoding) => {
  await fc.assert(
    fc.asyncProperty(caseOf(encoding), async (given) => {
      const { columns, delimiter, newline, quoteAll } = given
      const rows: Row[] = given.rows.map((row, index) => ({ id: `T-${index}`, ...row }))
      const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
      const text = lines
        .map((line) => line.map((cell) => quoted(cell, delimiter, quoteAll)).join(delimiter))
        .join(newline)
      const bytes = encodings[encoding](`${text}${given.endsWithNewline ? newline : ''}`)
      // A few letters alone can be valid in both encodings, so the encoding is ambiguous.
      fc.pre(encoding !== 'windows-1252' || isAscii(bytes) || !isUtf8(bytes))
      const upload = uploadOf('tickets.csv', bytes, given.chunkBytes)
      const reader = createCsvReader(upload, 'helpdesk', { pageSize: given.pageSize })
      const read = await readAll(async (cursor) => {
        const page = await reader.read('tickets', cursor, {})
        expect(page.warnings).toEqual([])
        return page
      })
      expect(read).toEqual(rows.map(expected))
    }),
    { numRuns: 100 },
  )
})
