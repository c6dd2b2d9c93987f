import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { type ParsedRow, parseRows } from './parse-rows.ts'

async function rowsOf(text: string): Promise<[number, string[] | string][]> {
  const bytes = Buffer.from(text)
  const file = {
    name: 'tickets.csv',
    size: bytes.length,
    isPacked: false,
    open: async (offset: number) => Readable.from([bytes.subarray(offset)], { objectMode: false }),
  }
  const rows: ParsedRow[] = []
  const start = { offset: 0, line: 1 }
  for await (const row of parseRows(file, 'utf-8', { delimiter: ',', quote: '"' }, start)) rows.push(row)
  return rows.map((row) => [row.line, 'cells' in row ? row.cells : row.broken])
}

test('empty lines are left out, and every row and every broken line is reported with its own line number', async () => {
  expect(await rowsOf('id,subject\n\n\n1,a\r\n\r\n2,"b\n\nc"\n\n\n\n3,x"y\n\n4,"d"e\n\n\n5,f\n\n')).toEqual([
    [1, ['id', 'subject']],
    [4, ['1', 'a']],
    [6, ['2', 'b\n\nc']],
    [12, 'there is a quote in the middle of a value'],
    [14, 'there is text after a closing quote'],
    [17, ['5', 'f']],
  ])
  expect(await rowsOf('\n\n\rid,subject\r\r1,a\r\r"open')).toEqual([
    [4, ['id', 'subject']],
    [6, ['1', 'a']],
    [8, 'a quote is opened and never closed'],
  ])
})

test.each(['\n', '\r', '\r\n'])('two million empty lines that end with %j are skipped', async (end) => {
  expect(await rowsOf(`id,subject${end}${end.repeat(2_000_000)}9,z`)).toEqual([
    [1, ['id', 'subject']],
    [2_000_002, ['9', 'z']],
  ])
})
