import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { vetOutcomes } from '../engine/vet-outcomes.ts'
import { ConnectorFaultError } from '../errors.ts'
import type { Account, Connector, OutgoingRecord, Reader, Writer } from './contract/contract.ts'
import { limitCalls } from './kit/limit-calls.ts'
import { loadConnectors } from './load-connectors.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const account = { signal: new AbortController().signal } as Account
const fault = 'the connector for odd does not keep its contract: '
const odd = (parts: object) => {
  const side = { requires: [], checkAccount: async () => ({ name: 'Odd' }), open: () => parts, ...parts }
  const connector = { tool: 'odd', source: side, destination: side } as unknown as Connector
  return limitCalls(connector, { home: import.meta.dirname, callMs: 5_000 })
}
const openReader = async (reader: object) => (await odd(reader).source?.open(account)) as Reader
const openWriter = async (writer: object) => (await odd(writer).destination?.open(account)) as Writer

const fail = (): never => {
  throw new Error('a trap')
}
const trap = () => new Proxy({}, { get: fail, getPrototypeOf: fail, has: fail, ownKeys: fail })
const circular = new Error('round')
circular.cause = circular

const thrown: [string, () => unknown][] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['a symbol', () => Symbol('odd')],
  ['an object without a prototype', () => Object.create(null)],
  ['an object that cannot become a text', () => ({ toString: fail })],
  ['a proxy', trap],
  ['an error whose stack cannot be read', () => Object.defineProperty(new Error('x'), 'stack', { get: fail })],
  ['an error whose cause cannot be read', () => Object.defineProperty(new Error('x'), 'cause', { get: fail })],
  ['an error whose message is an object', () => Object.assign(new TypeError('x'), { message: { a: 1 } })],
]

test.each(thrown)('a connector that throws %s is named', async (_, make) => {
  for (const reader of [
    { count: () => Promise.reject(make()) },
    {
      count: () => {
        throw make()
      },
    },
  ]) {
    const failed = (await openReader(reader)).count()
    await expect(failed).rejects.toThrow(ConnectorFaultError)
    await expect(failed).rejects.toThrow(`${fault}count `)
  }
})

test('an error that is its own cause is the fault of its connector', async () => {
  await expect((await openReader({ count: () => Promise.reject(circular) })).count()).rejects.toThrow(
    `${fault}count failed at hostile-connectors.test.ts`,
  )
})

const answers: [string, () => unknown][] = [
  ['a proxy', trap],
  ['a list of proxies', () => [trap()]],
  ['a value that throws', () => Object.defineProperty({}, 'tickets', { get: fail, enumerable: true })],
  ['something that cannot be awaited', () => Object.defineProperty({}, 'then', { get: fail })],
  ['a promise as a value', () => ({ tickets: Promise.resolve(1) })],
  ['a function as a value', () => ({ tickets: () => 1 })],
]

test.each(answers)('a connector that answers with %s is named', async (_, make) => {
  for (const answer of [make, async () => make()]) {
    const count = (await openReader({ count: answer })).count()
    await expect(count).rejects.toThrow(ConnectorFaultError)
    await expect(count).rejects.toThrow(`${fault}count `)
    await expect(odd({ checkAccount: answer }).source?.checkAccount(account)).rejects.toThrow(`${fault}checkAccount `)
    await expect((await openReader({ read: answer })).read('tickets', null, {})).rejects.toThrow(`${fault}read`)
    const writer = await openWriter({ find: answer, describe: answer, asStored: answer })
    await expect(writer.find('tickets', [])).rejects.toThrow(`${fault}find `)
    await expect(writer.describe()).rejects.toThrow(`${fault}describe `)
    if (answer === make) expect(() => writer.asStored('tickets', {} as never)).toThrow(`${fault}asStored `)
  }
})

test.each([
  ['a large integer', 1n],
  ['a date', new Date(0)],
  ['a map', new Map()],
])('a record with %s as a value is reported with its place', async (_, value) => {
  const page = {
    items: [{ entity: 'tickets', sourceId: '1', fields: { tags: ['a', value] } }],
    warnings: [],
    next: null,
  }
  const reader = await openReader({ read: async () => page })
  await expect(reader.read('tickets', null, {})).rejects.toThrow(
    `${fault}read answered with a value that is no plain data at items.0.fields.tags.1`,
  )
})

test('an answer that changes each time it is read is read once', async () => {
  let reads = 0
  const answer = Object.defineProperty({}, 'tickets', { get: () => ++reads, enumerable: true })
  const counted = await (await openReader({ count: async () => answer })).count()
  expect(counted.tickets).toBe(counted.tickets)
})

test('a connector that changes its account changes only its own copy, and closes nothing', async () => {
  const sent: string[] = []
  const outbound = {
    request: async (url: string) => void sent.push(url),
    close: async () => void sent.push('closed'),
  }
  const ours = { ...account, access: { token: 'ours', more: { key: 'ours' } }, outbound } as unknown as Account
  const spoil = async ({ access, outbound: theirs }: Account) => {
    await theirs.request('https://desk.example', { signal: account.signal })
    await theirs.close()
    theirs.request = async (url) => sent.push(`stolen ${url}`) as never
    access.token = 'theirs'
    if (access.more) access.more.key = 'theirs'
    return { name: 'Odd' }
  }
  await odd({ checkAccount: spoil }).source?.checkAccount(ours)
  await odd({ open: spoil }).source?.open(ours, 'helpdesk')
  await ours.outbound.request('https://other.example', { signal: account.signal })
  expect(sent).toEqual(['https://desk.example', 'https://desk.example', 'https://other.example'])
  expect(ours.access).toEqual({ token: 'ours', more: { key: 'ours' } })
})

test('no connector changes the kit of another', async () => {
  const changes = declared(`tool: 'changes', label: (() => { kit.openHttp = () => {}; return 'Odd' })()`)
  const adds = declared(`tool: 'adds', label: (() => { kit.is.text = () => {}; return 'Odd' })()`)
  const { leftOut } = await loadConnectors([await place('changes', changes), await place('adds', adds)])
  expect(leftOut.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('read only property'),
    expect.stringContaining('read only property'),
  ])
})

test('after checkAccount has ended, its requests are stopped', async () => {
  const signals: AbortSignal[] = []
  const checkAccount = async ({ signal }: Account) => {
    signals.push(signal)
    return { name: 'Odd' }
  }
  await odd({ checkAccount }).source?.checkAccount(account)
  expect(signals[0]?.reason).toEqual(new ConnectorFaultError('odd', 'checkAccount sent a request after its end'))
})

const record = (key: string) => ({ key, destinationId: null, fields: { subject: key } }) as unknown as OutgoingRecord
const written = (key: string, destinationId: string) => ({
  key,
  result: 'written',
  destinationId,
  url: null,
  version: null,
})

test('a connector that changes the records it was given changes only its own copies', async () => {
  const records = [record('a'), record('b')]
  const write = async (_: string, given: OutgoingRecord[]) => {
    const [first, second] = given as [OutgoingRecord, OutgoingRecord]
    first.key = 'b'
    second.key = 'a'
    first.fields.subject = 'changed'
    given.pop()
    return [written('b', '2'), written('a', '1')]
  }
  const writer = vetOutcomes('odd', await openWriter({ write }), 'helpdesk')
  const outcomes = await writer.write('tickets', records)
  expect(outcomes.map(({ key }) => key).toSorted()).toEqual(['a', 'b'])
  expect(records).toEqual([record('a'), record('b')])
})

test('a mistake of a connector in an outcome is its fault, and the line is named', async () => {
  const error = new TypeError('no such part')
  const write = async () => [{ key: 'a', result: 'failed', error, isSent: true }]
  const [outcome] = await (await openWriter({ write })).write('tickets', [record('a')])
  expect(outcome).toMatchObject({ error: expect.any(ConnectorFaultError), isSent: true })
  expect(outcome).toMatchObject({ error: { message: expect.stringContaining('write failed at hostile-connectors') } })
})

test.each([
  ['a proxy', `new Proxy({}, { get() { throw new Error('a trap') } })`],
  ['an outcome that throws', `[{ get key() { throw new Error('a trap') } }]`],
  ['null as an outcome', '[null]'],
  ['a list with a hole', '[,]'],
])('a writer that answers with %s is named', async (_, code) => {
  const answer = new Function(`return ${code}`)()
  const write = async () => answer
  const writer = vetOutcomes('odd', await openWriter({ write, remove: write }), 'helpdesk')
  await expect(writer.write('tickets', [record('a')])).rejects.toThrow(`${fault}write`)
  await expect(writer.remove('tickets', [record('a') as never])).rejects.toThrow(`${fault}remove`)
})

async function place(name: string, code: string): Promise<string> {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'index.mjs'), code)
  return join(folder, name)
}

const declared = (parts: string) => `export default (kit) => ({
  label: 'Odd', families: ['helpdesk'], movesBetweenInstances: false,
  source: { requires: ['token'], checkAccount: async () => ({ name: 'x' }), open: () => ({}) }, ${parts} })`

test('declarations that cannot be read are left out with a reason, and the service starts', async () => {
  const hostile = {
    throws_nothing: 'throw Object.create(null)',
    makes_nothing: 'export default () => { throw Object.create(null) }',
    throws_when_read: declared(`get tool() { throw new Error('a trap') }`),
    throws_null_when_read: declared(`tool: 'a', get words() { throw Object.create(null) }`),
    loops_when_read: declared('get tool() { for (;;); }'),
    proxy: `export default () => new Proxy({}, { get(_, name) { if (name === 'then') return; throw new Error('a trap') } })`,
    lens: `export default (kit) => ({ ...kit.defineEntity('helpdesk', 'tickets', { fields: { get subject() { throw new Error('a trap') } } }) })`,
    symbol: declared('tool: Symbol("odd")'),
    families_of_traps: declared(`tool: 'b', families: [{ toString() { throw new Error('a trap') } }]`),
    limits_of_symbols: declared(`tool: 'c', limits: [{ name: Symbol('a') }]`),
  }
  const places = await Promise.all(Object.entries(hostile).map(([name, code]) => place(name, code)))
  const { leftOut, outside } = await loadConnectors([...places, await place('fine', declared(`tool: 'fine'`))], {
    busyMs: 200,
  })
  expect(outside.map(({ tool }) => tool)).toEqual(['fine'])
  expect(leftOut.map(({ place }) => place.split('/').at(-1))).toEqual(Object.keys(hostile))
  for (const { reason } of leftOut) expect(reason).not.toBe('')
})

test.each([
  ['a promise that fails with null', 'void Promise.reject(null)'],
  ['a promise that fails with an object without a prototype', 'void Promise.reject(Object.create(null))'],
  ['a timer that throws null', 'setTimeout(() => { throw null })'],
  ['a timer that throws a text', `setTimeout(() => { throw 'text' })`],
  [
    'an error that cannot be read',
    `void Promise.reject(Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('a trap') } }))`,
  ],
])('the process survives %s', async (_, code) => {
  const at = await place('strays', `export const call = () => { ${code} }`)
  const program = `
    import { surviveStrays } from ${JSON.stringify(join(import.meta.dirname, 'survive-strays.ts'))}
    import { call } from ${JSON.stringify(join(at, 'index.mjs'))}
    surviveStrays([${JSON.stringify(at)}], console.log)
    call()
    setTimeout(() => console.log('still running'), 50)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  expect(stdout).toContain(at)
  expect(stdout).toContain('still running')
})
