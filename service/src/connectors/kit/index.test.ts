import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { kit } from './index.ts'

test('the page about connectors names every part of the kit, and every lens', async () => {
  const page = await readFile(new URL('../../../../docs/connectors.md', import.meta.url), 'utf8')
  // A name counts as named in code: `name`, name(…), kit.name, or in a list such as `text`, `longText`.
  const isNamed = (name: string) => new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\`|\\b(?:kit|is)\\.${name}\\b`).test(page)
  expect([...Object.keys(kit), ...Object.keys(kit.is)].filter((name) => !isNamed(name))).toEqual([])
})
