import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { redirectUriAt } from '../../service/src/authorizations/begin-sign-in.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { type VendorName, vendorNames } from './vendors.ts'

const page = await readFile('docs/sign-ins.md', 'utf8')

test.each(vendorNames)(
  'the page says how to register a client at %s, with every permission that we ask for',
  (tool) => {
    const known = connectors.find((one) => one.tool === (tool satisfies VendorName))
    const [, section = ''] = page.split(`## ${known?.label}\n`)
    const own = section.split('\n## ')[0] ?? ''
    expect(own).toContain(`npx wherry connector oauth set ${tool} `)
    const scopes = [...(known?.source?.oauth?.scopes ?? []), ...(known?.destination?.oauth?.scopes ?? [])]
    const isNamed = (scope: string) =>
      own.includes(`\`${scope}\``) || own.includes(`\`${scope.replace(':read', ':full')}\``)
    expect(scopes.filter((scope) => !isNamed(scope))).toEqual([])
    expect(own.includes('--instance')).toBe(known?.source?.oauth?.isPerInstance)
  },
)

test('the page names the redirect address', () => {
  expect(page).toContain(redirectUriAt('https://import.example.com'))
})
