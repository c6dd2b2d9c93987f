import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConnectorFaultError } from '../errors.ts'
import type { Account, Connector } from './contract/contract.ts'
import { limitCalls } from './kit/limit-calls.ts'
import { loadConnectors } from './load-connectors.ts'
import { connectors as registry } from './registry.ts'
import { vetDeclaration } from './vet-declaration.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connectors-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function place(name: string, code: string, file = 'index.ts'): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { recursive: true })
  await writeFile(join(path, file), code)
  return path
}

const good = (tool: string) => `
  class Desk { #pages = 1; async count() { return { tickets: this.#pages } } }
  export default (kit: { RetryableError: unknown }) => ({
    tool: '${tool}', label: 'Acme', families: ['helpdesk'], movesBetweenInstances: false,
    source: { requires: ['token'], checkAccount: async () => ({ name: typeof kit.RetryableError }), open: () => new Desk() },
  })`
const side = { requires: ['token'], checkAccount: () => {}, open: () => {} }
const account = { signal: new AbortController().signal } as Account

test('a folder that exports a connector is loaded beside ours, and receives the kit', async () => {
  const { connectors, leftOut } = await loadConnectors([await place('acme', good('acme'))])
  expect(leftOut).toEqual([])
  expect(connectors.slice(0, registry.length)).toEqual(registry)
  const acme = connectors.find(({ tool }) => tool === 'acme')
  expect(await acme?.source?.checkAccount(account)).toEqual({ name: 'function' })
  expect(await (await acme?.source?.open(account))?.count()).toEqual({ tickets: 1 })
})

test('each unusable connector is left out with the reason, and the others are loaded', async () => {
  const bad = {
    throws: [`throw new Error('no licence')`, 'no licence'],
    ends: ['process.exit(3)', 'ended the thread'],
    empty: ['export const nothing = 1', 'exports no connector'],
    taken: [good('redmine'), 'another connector for redmine'],
    odd: [good('Odd Name').replace("['token']", "['passwort']"), 'tool: must be a name'],
    misspelt: [good('misspelt').replace("['helpdesk']", "['help desk']"), 'there is no family help desk'],
  }
  const places = []
  for (const [name, [code]] of Object.entries(bad)) places.push(await place(name, String(code)))
  const { connectors, leftOut } = await loadConnectors([
    ...places,
    join(folder, 'nowhere'),
    await place('fine', good('fine')),
  ])
  expect(connectors.map(({ tool }) => tool)).toEqual([...registry.map(({ tool }) => tool), 'fine'])
  const reasons = Object.fromEntries(leftOut.map(({ place, reason }) => [place.slice(folder.length + 1), reason]))
  for (const [name, [, reason]] of Object.entries(bad)) expect(reasons[name]).toContain(reason)
  expect(reasons.odd).toContain('source.requires: there is no field of an account passwort')
  expect(reasons.nowhere).toContain('no such folder')
})

test('a module that cannot be loaded is named with file and line', async () => {
  const bad = {
    syntax: ['index.ts', `\nexport default (kit) => ({\n  tool: 'x',,\n})`, 'fails at index.ts:3: '],
    plain_syntax: ['index.mjs', `\nexport default (kit) => ({\n  tool: 'x',,\n})`, 'fails at index.mjs:3: '],
    no_file: [
      'index.ts',
      `\nimport { words } from './words.ts'\nexport default words`,
      'fails at index.ts:2: Cannot find',
    ],
    no_package: ['index.ts', `import a from 'no-such-package'\nexport default a`, 'fails at index.ts:1: Cannot find'],
    no_name: ['index.ts', `\nimport { a } from './index.ts'\nexport default a`, 'fails at index.ts:2: The requested'],
    throws: ['index.ts', `\n\nthrow new Error('no licence')`, 'fails at index.ts:3:7: no licence'],
    made: [
      'index.ts',
      `export default () => {\n  throw new Error('no licence')\n}`,
      'fails at index.ts:2:9: no licence',
    ],
    field: [
      'index.ts',
      `\nexport default (kit) => kit.defineEntity('helpdesk', 'tickets', {\n  fields: { nme: kit.is.text('a') } })`,
      'fails at index.ts:2:',
    ],
    nothing: ['index.ts', 'export const a = 1', 'index.ts exports no connector. It needs "export default"'],
    wrong: ['index.ts', good('wrong').replace("['helpdesk']", '[]'), 'the declaration in index.ts is wrong: families:'],
  }
  const places = await Promise.all(
    Object.entries(bad).map(([name, [file, code]]) => place(`at_${name}`, String(code), String(file))),
  )
  const { leftOut, outside } = await loadConnectors([...places, await place('at_fine', good('at_fine'))])
  expect(leftOut.map(({ reason }) => reason)).toEqual(
    Object.values(bad).map(([, , reason]) => expect.stringContaining(String(reason))),
  )
  expect(outside.map(({ tool }) => tool)).toEqual(['at_fine'])
})

test('a connector that loops or ends the process while it is made is left out, and one that is made later is loaded', async () => {
  const { connectors, leftOut } = await loadConnectors(
    [
      await place('made_for_ever', 'export default () => { for (;;) {} }'),
      await place('made_to_exit', 'export default () => process.exit(3)'),
      await place('made_later', good('made_later').replace('export default (', 'export default async (')),
    ],
    { loadMs: 10_000 },
  )
  expect(leftOut.map(({ reason }) => reason)).toEqual([
    'the module fails: it is not loaded within 10 seconds',
    'the module fails: it ended the thread that loaded it',
  ])
  expect(connectors.at(-1)?.tool).toBe('made_later')
})

test.each([
  ['no name', { tool: undefined }, 'tool: must be a name'],
  [
    'a label that fills a page',
    { label: 'x'.repeat(101) },
    'label: must say what people call the tool, in at most 100',
  ],
  ['a family twice', { families: ['helpdesk', 'helpdesk'] }, 'families: helpdesk is there twice'],
  ['moves within a tool that is no destination', { movesBetweenInstances: true }, 'needs a source and a destination'],
  ['neither side', { source: undefined }, 'source: or destination must be there'],
  ['a source that is null', { source: null }, 'source: must be an object'],
  ['a destination that is a text', { destination: 'tickets' }, 'destination: must be an object'],
  ['a text instead of warnings', { source: { ...side, warns: 'x' } }, 'source.warns: must be a list'],
  [
    'a text instead of entities',
    { source: { ...side, tellsDeleted: 'tickets' } },
    'source.tellsDeleted: must be a list',
  ],
  ['no request at once', { source: { ...side, requestsAtOnce: 0 } }, 'source.requestsAtOnce: must be a whole number'],
  ['a number instead of losses', { destination: { ...side, loses: 7 } }, 'destination.loses: must be a list'],
  ['an empty offer', { source: { ...side, oauth: null } }, 'source.oauth: must be an object'],
  ['empty words', { words: { en: { token: null } } }, 'words.en.token: must be texts'],
  ['an empty limit', { limits: [null] }, 'limits.undefined: must have a name'],
  ['a window as a text', { limits: [{ name: 'a', perMs: '1000', limit: 4 }] }, 'limits.a.perMs: must be'],
  ['a misspelt name', { limit: [] }, 'limit: there is no such field'],
  ['a misspelt name of a side', { source: { ...side, warn: [] } }, 'source.warn: there is no such field'],
  ['a name of the other side', { source: { ...side, loses: [] } }, 'source.loses: there is no such field'],
  ['a limit without end', { limits: [{ name: 'a', perMs: 1000, limit: Infinity }] }, 'limits.a.limit: must be'],
])('a declaration with %s is reported with its place', (_what, wrong, problem) => {
  const declared = { tool: 'acme', label: 'Acme', families: ['helpdesk'], movesBetweenInstances: false, source: side }
  expect(vetDeclaration(declared)).toEqual([])
  expect(vetDeclaration({ ...declared, ...wrong }).join('; ')).toContain(problem)
})

test('contradictory credentials are reported with their place', () => {
  const declared = (requires: unknown[], words?: object, oauth?: object) =>
    vetDeclaration({
      tool: 'acme',
      label: 'Acme',
      families: ['helpdesk'],
      movesBetweenInstances: false,
      words,
      source: { requires, oauth, checkAccount: () => {}, open: () => {} },
    }).join('; ')
  const en = { app_key: { label: 'App key' } }
  const key = { name: 'app_key', pattern: '[0-9]+', example: '12', link: '/keys' }
  expect(declared(['instanceUrl', key], { en })).toBe('')
  expect(declared([key], { en })).toContain('source.requires.app_key.link: a path needs the address of an instance')
  expect(declared([{ name: 'token', isSecert: true }])).toContain('source.requires.token.isSecert: there is no such')
  expect(declared([{ name: 'token', isSecret: 'yes' }])).toContain('source.requires.token.isSecret: must be true or')
  expect(declared([{ name: 'token', isOptional: false }])).toContain('source.requires.token.isOptional: must be true')
  expect(declared(['token'], { en: { tokn: { label: 'Key' } } })).toContain('words.en.tokn: no side asks for tokn')
  expect(declared(['token'], { en: { token: { lable: 'Key' } } })).toContain('words.en.token.lable: there is no such')
  expect(declared(['app_key'])).toContain('words.en.app_key.label does not name it either')
  expect(declared(['token', 'token'])).toContain('token is there twice')
  expect(declared([{ name: 'token', pattern: '[' }])).toContain('source.requires.token.pattern: is no regular')
  expect(declared([{ name: 'token', pattern: 'a', example: 'b' }])).toContain('example: does not match the pattern')
  for (const link of ['javascript:alert(1)', 'http://desk.example', '//desk.example', 'keys']) {
    expect(declared([{ name: 'token', link }])).toContain('token.link: must begin with https://')
  }
  expect(declared([{ name: 'token', pattern: 'a)|(b' }])).toContain('source.requires.token.pattern: is no regular')
  expect(declared(['constructor'], { en: { constructor: { label: 'Builder' } } })).toContain('requests use otherwise')
  expect(declared(['token'], { en: null })).toContain('words.en: must be an object')
  expect(declared(['confirm'], { en: { confirm: { label: 'Confirm' } } })).toContain('requests use otherwise')
  expect(declared(['token'], { de: {} })).toContain('words: must have at least en')
  expect(declared(['token'], { en: {}, xx: {} })).toContain('there is no language xx')
  expect(declared(['token'], { en: { token: { label: 1 } } })).toContain('words.en.token: must be texts')
  const offer = { isPerInstance: false, scopes: [], at: () => {} }
  expect(declared(['token'], undefined, { ...offer, regions: ['EU'], keeps: ['api_domain'] })).toBe('')
  expect(declared(['token'], undefined, { ...offer, scope: [] })).toContain('source.oauth.scope: there is no such')
  expect(declared(['token'], undefined, { ...offer, regions: [] })).toContain('oauth.regions: must name some')
  expect(declared(['token'], undefined, { ...offer, keeps: ['__proto__'] })).toContain('oauth.keeps: must be names')
  expect(declared(['username'], undefined, offer)).toContain('must name token where people can sign in')
})

test('impossible limits are reported with their place', () => {
  const declared = (...limits: object[]) =>
    vetDeclaration({
      tool: 'acme',
      label: 'Acme',
      families: ['helpdesk'],
      movesBetweenInstances: false,
      source: { requires: ['token'], checkAccount: () => {}, open: () => {} },
      limits,
    }).join('; ')
  const minute = { name: 'minute', perMs: 60_000, limit: 400 }
  expect(declared(minute, { ...minute, name: 'day', limit: null, learn: () => null })).toBe('')
  expect(declared(minute, minute)).toContain('limits.minute: is there twice')
  expect(declared({ ...minute, limit: 0 })).toContain('limits.minute.limit: must be more than 0')
  expect(declared({ ...minute, limit: null })).toContain('limits.minute.learn: must be there')
  expect(declared({ ...minute, perMs: 5 })).toContain('limits.minute.perMs')
  expect(declared({ ...minute, isAlignd: true })).toContain('limits.minute.isAlignd: there is no such field')
  expect(declared({ ...minute, cost: 5 })).toContain('cost and learn must be functions')
})

test('none of our own declarations has an error', () => {
  expect(registry.flatMap((connector) => vetDeclaration(connector))).toEqual([])
})

test('a call that never ends is an error of the connector', async () => {
  const hanging = {
    tool: 'hanging',
    source: {
      requires: [],
      checkAccount: () => new Promise(() => {}),
      open: () => ({ count: () => new Promise(() => {}) }),
    },
  } as unknown as Connector
  const { source } = limitCalls(hanging, { callMs: 20 })
  await expect(source?.checkAccount(account)).rejects.toThrow(ConnectorFaultError)
  await expect((await source?.open(account))?.count()).rejects.toThrow('count did not end')
})

test('a connector may open an account later, but not never', async () => {
  const opening = (open: () => unknown) =>
    limitCalls({ tool: 'slow', source: { requires: [], checkAccount: () => {}, open } } as unknown as Connector, {
      callMs: 20,
    }).source
  const reader = await opening(async () => ({ count: async () => ({ tickets: 1 }) }))?.open(account)
  expect(await reader?.count()).toEqual({ tickets: 1 })
  await expect(opening(() => new Promise(() => {}))?.open(account)).rejects.toThrow('open did not end')
})

test('after a call timed out it sends no further requests, and no other call starts', async () => {
  let asked = 0
  const looping = {
    tool: 'looping',
    source: {
      requires: [],
      checkAccount: async () => ({ name: 'Loop' }),
      open: ({ signal }: Account) => ({
        async count() {
          for (;;) {
            signal.throwIfAborted()
            asked += 1
            await new Promise((resolve) => setTimeout(resolve, 1))
          }
        },
        users: async () => ({ items: [], next: null }),
      }),
    },
  } as unknown as Connector
  const reader = await limitCalls(looping, { callMs: 50 }).source?.open(account)
  await expect(reader?.count()).rejects.toThrow('count did not end')
  const before = asked
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(asked).toBe(before)
  await expect(async () => reader?.users(null)).rejects.toThrow('count did not end')
})
