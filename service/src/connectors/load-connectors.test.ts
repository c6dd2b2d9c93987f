import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConnectorFaultError } from '../errors.ts'
import type { Account, Connector } from './contract.ts'
import { limitCalls } from './limit-calls.ts'
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
const account = {} as Account

test('a folder that exports a connector is loaded beside ours, with the kit handed in', async () => {
  const { connectors, leftOut } = await loadConnectors([await place('acme', good('acme'))])
  expect(leftOut).toEqual([])
  expect(connectors.slice(0, registry.length)).toEqual(registry)
  const acme = connectors.find(({ tool }) => tool === 'acme')
  expect(await acme?.source?.checkAccount(account)).toEqual({ name: 'function' })
  expect(await acme?.source?.open(account).count()).toEqual({ tickets: 1 })
})

test('each connector that cannot be used is left out with the reason, and the others are loaded', async () => {
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

test('none of our own declarations contradicts itself', () => {
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
  const { source } = limitCalls(hanging, 20)
  await expect(source?.checkAccount(account)).rejects.toThrow(ConnectorFaultError)
  await expect(source?.open(account).count()).rejects.toThrow('count did not end')
})
