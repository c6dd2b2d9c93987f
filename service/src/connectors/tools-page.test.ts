import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { connectors } from './registry.ts'
import { folderOf, toolsPage } from './tools-page.ts'

const page = new URL('../../../docs/tools.md', import.meta.url)

test('docs/tools.md matches the declarations', async () => {
  const repair = `node -e "import('./service/src/connectors/tools-page.ts').then((m) => process.stdout.write(m.toolsPage()))" > docs/tools.md`
  expect(await readFile(page, 'utf8'), `to renew the page: ${repair}`).toBe(toolsPage())
})

test('the page lists every tool, and the README files it names exist', async () => {
  for (const connector of connectors) {
    const { label } = connector
    expect(toolsPage()).toContain(`## ${label}\n`)
    await expect(readFile(new URL(`./${folderOf(connector)}/README.md`, import.meta.url), 'utf8')).resolves.not.toBe('')
  }
})
