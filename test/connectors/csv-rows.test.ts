import { describe, expect, test } from 'vitest'
import { detectTables } from '../../service/src/connectors/files/detect-tables.ts'
import { uploadOf } from './csv-upload.ts'
import { readRecords } from './read-csv.ts'

describe('rows', () => {
  test('that are unreadable, and duplicate ids, are reported before anything is migrated', async () => {
    const broken = Array.from({ length: 7 }, () => 'too short').join('\n')
    const { problems } = await detectTables(uploadOf('groups.csv', `id,name\n1,A\n1,B\n${broken}\n`), 'helpdesk')
    expect(problems.map(({ file, code, message }) => [file, code, message])).toEqual([
      [
        'groups.csv',
        'rows_skipped',
        `7 rows cannot be read: ${[4, 5, 6, 7, 8].map((line) => `line ${line}: it has 1 values where the header has 2`).join('; ')}; and 2 more.`,
      ],
      ['groups.csv', 'ids_repeated', 'Rows whose id an earlier row has: 1. They become records of their own.'],
    ])
  })

  test.each([1, 500])(
    'with only separators are no records, and do not change the ids of other rows, in pages of %i',
    async (pageSize) => {
      const upload = uploadOf('groups.csv', 'name,description\nFirst,x\n,\n , \n,,,\nLast,y\n,')
      const { records, warnings } = await readRecords(upload, 'groups', 'helpdesk', pageSize)
      expect(records.map(({ fields }) => fields.name)).toEqual(['First', 'Last'])
      expect(records.map(({ sourceId }) => sourceId.replace(/-\w+$/, ''))).toEqual(['groups_csv-1', 'groups_csv-5'])
      expect(warnings).toEqual([])
      const { tables, problems } = await detectTables(upload, 'helpdesk')
      expect([tables[0]?.rows, problems]).toEqual([2, []])
    },
  )

  test('without an id get an id from content and place, the same every time', async () => {
    const upload = uploadOf('groups.csv', 'name\nSame\nSame\nOther')
    const ids = (await readRecords(upload, 'groups')).records.map(({ sourceId }) => sourceId)
    expect(new Set(ids).size).toBe(3)
    expect((await readRecords(upload, 'groups', 'helpdesk', 1)).records.map(({ sourceId }) => sourceId)).toEqual(ids)
  })

  test('with a duplicate id are separate records, and are reported', async () => {
    const { records, warnings } = await readRecords(uploadOf('groups.csv', 'id,name\n1,A\n1,B\n2,C'), 'groups')
    expect(records.map(({ sourceId }) => sourceId)).toEqual(['1', '1#2', '2'])
    expect(warnings.map(({ code, sourceId }) => [code, sourceId])).toEqual([['duplicate_id', '1#2']])
  })

  test.each([1, 2, 500])('that are broken become warnings with their line, in pages of %i', async (pageSize) => {
    const content = [
      'id,name,description',
      '1,Fine,"two\r\nlines"',
      '2,Too short',
      '',
      '3,Too,long,by one',
      '4,"text after"it,x',
      '5,a quote " inside,x',
      '6,Fine too,x,,',
      '7,"never closed,x',
      '8,Last,x',
    ].join('\r\n')
    const { records, warnings } = await readRecords(uploadOf('groups.csv', content), 'groups', 'helpdesk', pageSize)
    expect(records.map(({ sourceId, fields }) => [sourceId, fields.name])).toEqual([
      ['1', 'Fine'],
      ['6', 'Fine too'],
      ['8', 'Last'],
    ])
    expect(records[0]?.fields.description).toBe('two\r\nlines')
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ['row_skipped', 'groups.csv, line 4: it has 2 values where the header has 3.'],
      ['row_skipped', 'groups.csv, line 6: it has 4 values where the header has 3.'],
      ['row_skipped', 'groups.csv, line 7: there is text after a closing quote.'],
      ['row_skipped', 'groups.csv, line 8: there is a quote in the middle of a value.'],
      ['row_skipped', 'groups.csv, line 10: a quote is opened and never closed.'],
    ])
  })

  test("values that do not fit the column's purpose are left out and reported", async () => {
    const content = 'id,subject,due_at,tags\n1,,soon,"a, b"\n2,Fine,2025-02-31,\n3,Fine,2025-03-01,"[""c;d""]"'
    const { fields, warnings } = await readRecords(uploadOf('tickets.csv', content), 'tickets')
    expect(fields).toEqual([
      { tags: ['a', 'b'] },
      { subject: 'Fine' },
      { subject: 'Fine', due_at: '2025-03-01T00:00:00.000Z', tags: ['c;d'] },
    ])
    expect(warnings.map(({ sourceId, code }) => [sourceId, code])).toEqual([
      ['1', 'value_unreadable'],
      ['1', 'required_empty'],
      ['2', 'value_unreadable'],
    ])
  })

  test('an empty file, and a file with only a header, hold no records', async () => {
    expect((await readRecords(uploadOf('tickets.csv', ''), 'tickets')).records).toEqual([])
    expect((await readRecords(uploadOf('tickets.csv', 'id,subject\n'), 'tickets')).records).toEqual([])
  })
})
