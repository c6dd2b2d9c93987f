import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { obstacleCodes } from '../../service/src/errors.ts'

const page = readFileSync(join(checkoutDir, 'docs/operations.md'), 'utf8')
const rows = [...page.matchAll(/^\| `([a-z_]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map((match) => ({
  code: String(match[1]),
  means: String(match[2]),
  acts: String(match[3]),
  todo: String(match[4]),
}))

/**
 * The places in the code that name who must act: `new ObstacleError('code', 'who', …)` and `{ code: 'code', must_act:
 * 'who' }`.
 */
function findUses(): { code: string; acts: string }[] {
  const files = globSync('service/src/**/*.ts', { cwd: checkoutDir, exclude: (name) => name.endsWith('.test.ts') })
  const texts = files.map((file) => readFileSync(join(checkoutDir, file), 'utf8'))
  const patterns = [
    /ObstacleError\(\s*['`]([a-z_]+|\$\{role\}_[a-z_]+)['`],\s*'(customer|operator|nobody)'/g,
    /code: '([a-z_]+)', must_act: '(customer|operator|nobody)'/g,
  ]
  const found = texts.flatMap((text) => patterns.flatMap((pattern) => [...text.matchAll(pattern)]))
  return found.flatMap(([, code = '', acts = '']) =>
    code.startsWith('$')
      ? ['source', 'destination'].map((role) => ({ code: code.replace(/^\$\{role\}/, role), acts }))
      : [{ code, acts }],
  )
}

test('docs/operations.md lists every obstacle once, in the order of the code', () => {
  expect(rows.map(({ code }) => code)).toEqual([...obstacleCodes])
  for (const { means, todo } of rows) expect(Math.min(means.length, todo.length)).toBeGreaterThan(10)
})

test('every obstacle exists in the code, and the page names the same person who must act', () => {
  const uses = findUses()
  expect([...new Set(uses.map(({ code }) => code))].sort()).toEqual([...obstacleCodes])
  for (const { code, acts } of uses) {
    const row = rows.find((one) => one.code === code)
    expect({ code, acts: row?.acts.includes(acts) }).toEqual({ code, acts: true })
  }
})
