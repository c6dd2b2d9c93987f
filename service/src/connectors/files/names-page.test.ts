import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { uploadOf, zipOf } from '../../../../test/connectors/csv-upload.ts'
import { checkoutDir } from '../../config.ts'
import { detectTables } from './detect-tables.ts'
import { namesPage } from './names-page.ts'

const page = readFileSync(join(checkoutDir, 'docs/csv.md'), 'utf8')

test('docs/csv.md lists the recognised names', () => {
  const repair = `node -e "import('./service/src/connectors/files/names-page.ts').then((m) => console.log(m.namesPage()))"`
  expect(page, `what it must end with: ${repair}`).toContain(namesPage())
})

test('the example of docs/csv.md is understood without a question', async () => {
  const example = /```\n([^`]*\.csv [^`]*)```/.exec(page)?.[1] ?? ''
  const files = [...example.matchAll(/^(\w+\.csv) +(.*)\n +(.*)$/gm)]
  const zip = zipOf(files.map(([, name = '', head, row]) => ({ name, content: `${head}\n${row}\n` })))
  const { tables, problems } = await detectTables(uploadOf('example.zip', zip), 'helpdesk')
  expect(problems).toEqual([])
  expect(tables.map(({ entity }) => entity)).toEqual(['organizations', 'contacts', 'tickets', 'comments'])
  const custom = tables.flatMap(({ columns }) => columns.filter(({ role }) => role.kind === 'custom'))
  expect(custom).toEqual([])
})
