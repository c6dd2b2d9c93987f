import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { zipOf } from '../../../../test/connectors/csv-upload.ts'
import { listFiles } from './list-files.ts'

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const workbookWith = (rows: string, before = '') =>
  zipOf([
    { name: '[Content_Types].xml', content: '<x/>' },
    {
      name: 'xl/workbook.xml',
      content: `<workbook ${main} xmlns:r="${relations}"><sheets><sheet name="T" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet ${main}>${before}<sheetData>${rows}</sheetData></worksheet>`,
    },
  ])

const list = (bytes: Buffer) =>
  listFiles({
    fileName: 'Book1.xlsx',
    size: bytes.length,
    open: ({ start, end } = { start: 0, end: bytes.length }) =>
      Readable.from([bytes.subarray(start, end)], { objectMode: false }),
  })

const first = '<row r="1"><c r="A1"><v>1</v></c></row>'

test.each([
  ['places that no sheet has', '<row r="1"><c r="ZZZZZZZZ999999999999"><v>1</v></c></row>', ''],
  ['a row that no sheet has', `${first}<row r="99999999"><c><v>1</v></c></row>`, ''],
  ['a name for a place', '<row r="1"><c r="__proto__"><v>1</v></c></row>', ''],
  ['two cells with a whole sheet between', `${first}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`, ''],
  ['a size that it does not have', first, '<dimension ref="A1:XFD1048576"/>'],
])('a workbook with %s is refused before it is read', async (_name, rows, before) => {
  const { files, problems } = await list(workbookWith(rows, before))
  expect(files).toEqual([])
  expect(problems).toMatchObject([{ code: 'too_large' }])
})

test('a workbook with rows and columns far apart is read', async () => {
  const { files, problems } = await list(workbookWith(`${first}<row r="900"><c r="ZZ900"><v>7</v></c></row>`))
  expect(problems).toEqual([])
  expect(files).toHaveLength(1)
})
