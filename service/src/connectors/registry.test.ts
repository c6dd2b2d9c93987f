import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  await import(${JSON.stringify(new URL('./registry.ts', import.meta.url).href)})
  console.log(JSON.stringify(loaded))`

test('the registry alone loads no code that reads or writes records', { timeout: 60_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  const loaded: string[] = JSON.parse(stdout)
  expect(loaded.some((url) => url.endsWith('/connectors/helpdesk/zendesk/index.ts'))).toBe(true)
  expect(loaded.filter((url) => /\/connectors\/.*\/(reader|writer|open-upload|examine-upload)\.ts$/.test(url))).toEqual(
    [],
  )
})
