import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { familiesPage } from './families-page.ts'

const page = join(import.meta.dirname, '../../../docs/families.md')

test('docs/families.md matches the families in the code', async () => {
  const repair = `node -e "import('./service/src/conformance/families-page.ts').then((m) => process.stdout.write(m.familiesPage()))" > docs/families.md`
  expect(await readFile(page, 'utf8'), `to renew the page: ${repair}`).toBe(familiesPage())
})
