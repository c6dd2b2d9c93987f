import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { hasChromium, launchBrowser } from '../support/browser.ts'
import { run } from '../support/program.ts'
import { startTestService, type TestService } from '../support/service.ts'

// An empty project of a partner that has only Node and our tarball: no registry, none of our TypeScript.
const limit = { timeout: 900_000 }
let service: TestService
let home = ''
let project = ''
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  home = await mkdtemp(join(tmpdir(), 'wherry-sdk-'))
  project = join(home, 'project')
})
afterAll(async () => {
  await service.close()
  await rm(home, { recursive: true, force: true })
})

async function succeed(command: string, args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, {
    cwd,
    env: {
      // Packing uses the compiler of the checkout.
      PATH: `${join(checkoutDir, 'node_modules/.bin')}:${process.env.PATH}`,
      HOME: home,
      npm_config_cache: join(home, 'cache'),
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_update_notifier: 'false',
    },
  })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`)
  return stdout
}

const program = `
import { createHmac } from 'node:crypto'
import { createWherry, verifyWebhook, WebhookVerificationError, WherryError } from '@wherry/sdk'

const [baseUrl, apiToken] = process.argv.slice(2)
const wherry = createWherry({ baseUrl, apiToken })
const created = await wherry.createImport({ source_tool: 'fernhill', destination_username: 'jane' })
const listed = await wherry.listImports('jane')
const refused = await wherry.createImport({ source_tool: 'nothing' }).catch((error) => error)
const secret = 'whsec_' + Buffer.alloc(32, 1).toString('base64')
const body = JSON.stringify({ id: created.id, sequence: 1, timestamp: Date.now() })
const sign = (text) => createHmac('sha256', secret).update(text).digest('hex')
const message = await verifyWebhook(body, { 'x-authorization-content-sha256': sign(body) }, secret)
const forged = await verifyWebhook(body + ' ', { 'x-authorization-content-sha256': sign(body) }, secret).catch((error) => error)
console.log(JSON.stringify({
  sameImport: listed[0].id === created.id && message.id === created.id,
  refused: refused instanceof WherryError && refused.fields,
  forged: forged instanceof WebhookVerificationError && forged.reason,
}))
`

const typed = `
import { createWherry, type Import, verifyWebhook, type WebhookMessage } from '@wherry/sdk'
const wherry = createWherry({ baseUrl: 'https://import.example.com/api/v2.1', apiToken: 'wht_x' })
export const imp: Promise<Import> = wherry.getImport('imp_1')
export const message: Promise<WebhookMessage> = verifyWebhook('{}', new Headers(), 'whsec_x')
// @ts-expect-error There is no such property.
export const wrong = wherry.createImport({ source: 'fernhill' })
`

test('the packed SDK is plain JavaScript with types, and works in an empty project', limit, async () => {
  // A copy, so that packing leaves nothing behind in the checkout.
  const copy = join(home, 'sdk')
  await cp(join(checkoutDir, 'sdk'), copy, { recursive: true, filter: (path) => !/node_modules|\/dist$/.test(path) })
  await cp(join(checkoutDir, 'tsconfig.json'), join(home, 'tsconfig.json'))
  await succeed('npm', ['pack', '--pack-destination', home], copy)
  const tarball = (await readdir(home)).find((name) => name.endsWith('.tgz'))
  expect(tarball).toBe('wherry-sdk-0.1.0.tgz')

  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"name":"empty","private":true}')
  await succeed('npm', ['install', '--offline', '--no-audit', '--no-fund', join(home, String(tarball))], project)
  const installed = join(project, 'node_modules/@wherry/sdk')
  expect(await readdir(join(project, 'node_modules/@wherry'))).toEqual(['sdk'])
  expect((await readdir(installed)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  const files = await readdir(join(installed, 'dist'))
  expect(files.filter((name) => !/\.(js|d\.ts)$/.test(name) || name.includes('.test.'))).toEqual([])
  expect(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies')

  await writeFile(join(project, 'main.mjs'), program)
  const { api_token: apiToken } = await service.createPartner()
  const printed = await succeed(process.execPath, ['main.mjs', `${service.origin}/api/v2.1`, apiToken], project)
  expect(JSON.parse(printed)).toEqual({
    sameImport: true,
    refused: { source_tool: ['is not supported'] },
    forged: 'wrong_signature',
  })

  await writeFile(join(project, 'typed.ts'), typed)
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'] }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
  expect(await succeed('tsc', ['-p', '.'], project)).toBe('')
})

/** The same checks for a page, with signatures made by the browser's own functions. */
const inBrowser = (apiToken: string) => `(async () => {
  const { createWherry, verifyWebhook, WebhookVerificationError, WherryError } = await import('/packed-sdk/index.js')
  const wherry = createWherry({ baseUrl: location.origin + '/api/v2.1', apiToken: ${JSON.stringify(apiToken)} })
  const created = await wherry.createImport({ source_tool: 'fernhill' })
  const refused = await wherry.createImport({ source_tool: 'nothing' }).catch((error) => error)
  const secret = 'whsec_' + btoa('x'.repeat(32))
  const body = JSON.stringify({ id: created.id, sequence: 1, timestamp: Date.now() })
  const bytes = (text) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signed = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(body)))
  const headers = { 'x-authorization-content-sha256': Array.from(signed, (byte) => byte.toString(16).padStart(2, '0')).join('') }
  const message = await verifyWebhook(body, headers, secret)
  const forged = await verifyWebhook(body + ' ', headers, secret).catch((error) => error)
  return {
    sameImport: message.id === created.id,
    refused: refused instanceof WherryError && refused.fields,
    forged: forged instanceof WebhookVerificationError && forged.reason,
  }
})()`

test.skipIf(!hasChromium)('the packed SDK works in a browser unchanged', limit, async () => {
  const browser = await launchBrowser(service.origin)
  try {
    const { page, strayRequests, close } = await browser.visit('/docs/')
    await page.route(`${service.origin}/packed-sdk/*`, async (route) => {
      const name = new URL(route.request().url()).pathname.replace('/packed-sdk/', '')
      const body = await readFile(join(project, 'node_modules/@wherry/sdk/dist', name), 'utf8')
      await route.fulfill({ contentType: 'text/javascript', body })
    })
    const { api_token: apiToken } = await service.createPartner()
    expect(await page.evaluate(inBrowser(apiToken))).toEqual({
      sameImport: true,
      refused: { source_tool: ['is not supported'] },
      forged: 'wrong_signature',
    })
    expect(strayRequests).toEqual([])
    await close()
  } finally {
    await browser.close()
  }
})
