import { zipOf } from './csv-upload.ts'

/** A cell: a text, a number, a boolean, a date of Excel's calendar, the error of a formula, or nothing. */
export type Cell = string | number | boolean | Date | { error: string } | { inline: string } | null

const toXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook as Excel writes it: shared texts, dates as numbers, and a style that shows a number as a date. */
export function workbookOf(sheets: Record<string, Cell[][]>): Buffer {
  const shared: string[] = []
  const names = Object.keys(sheets)
  const cellOf = (cell: Cell, place: string): string => {
    if (cell === null) return ''
    if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${shared.push(cell) - 1}</v></c>`
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
    if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`
    if (cell instanceof Date) return `<c r="${place}" s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`
    if ('error' in cell) return `<c r="${place}" t="e"><f>1/0</f><v>${cell.error}</v></c>`
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${toXml(cell.inline)}</t></is></c>`
  }
  const sheetXml = (rows: Cell[][]) => {
    const lines = rows.map(
      (row, y) =>
        `<row r="${y + 1}">${row.map((cell, x) => cellOf(cell, `${String.fromCharCode(65 + x)}${y + 1}`)).join('')}</row>`,
    )
    return `${head}<worksheet ${main}><sheetData>${lines.join('')}</sheetData></worksheet>`
  }
  const parts = names.map((name, index) => ({
    name: `xl/worksheets/sheet${index + 1}.xml`,
    content: sheetXml(sheets[name] ?? []),
  }))
  const texts = shared.map((text) => `<si><t xml:space="preserve">${toXml(text)}</t></si>`).join('')
  return zipOf([
    {
      name: '[Content_Types].xml',
      content: `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `${head}<workbook ${main} xmlns:r="${relations}"><sheets>${names.map((name, index) => `<sheet name="${toXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
        .map(
          (_name, index) =>
            `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
        )
        .join(
          '',
        )}<Relationship Id="rId90" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="rId91" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    },
    {
      name: 'xl/styles.xml',
      content: `${head}<styleSheet ${main}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    },
    { name: 'xl/sharedStrings.xml', content: `${head}<sst ${main}>${texts}</sst>` },
    ...parts,
  ])
}
