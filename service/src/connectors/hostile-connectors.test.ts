import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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

test('an answer loses NUL, which no database keeps', async () => {
  const una = { id: '1', name: 'U\0na', email: null, isActive: true }
  const reader = await openReader({ users: async () => ({ items: [una], next: null }) })
  expect((await reader.users(null)).items).toEqual([{ ...una, name: 'Una' }])
})

test('a lead to nothing is a fault', async () => {
  const reader = await openReader({ follow: () => ({ url: 'https://a.example', to: [{}] }) })
  expect(() => reader.follow?.('https://a.example', null)).toThrow(`${fault}follow answered with`)
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

test('after a call of a reader has timed out, no further request of it leaves, whatever signal it passes', async () => {
  const sent: string[] = []
  const outbound = {
    request: async (url: string) => void sent.push(url),
    stream: async (url: string) => void sent.push(url),
  }
  let late: unknown
  const open = (theirs: Account) => ({
    count: async () => {
      await new Promise((done) => setTimeout(done, 300))
      const { signal } = new AbortController()
      late = await Promise.allSettled([
        theirs.outbound.request('https://desk.example/late', { signal, method: 'POST' }),
        theirs.outbound.stream('https://desk.example/late', { signal }),
      ])
      return {}
    },
  })
  const side = { requires: [], checkAccount: async () => ({ name: 'Odd' }), open }
  const { source } = limitCalls({ tool: 'odd', source: side } as unknown as Connector, { callMs: 50 })
  const reader = (await source?.open({ ...account, outbound } as unknown as Account, 'helpdesk')) as Reader
  await expect(reader.count()).rejects.toThrow('count did not end')
  await vi.waitFor(() => expect(late).toBeDefined())
  expect(late).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  expect(sent).toEqual([])
})

test.each([
  ['a proxy', () => new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : fail()) })],
  ['an object whose read throws', () => Object.defineProperties({}, { read: { get: fail }, write: { get: fail } })],
])('a connector that opens an account as %s is named', async (_, make) => {
  const { source, destination } = limitCalls(
    {
      tool: 'odd',
      source: { requires: [], checkAccount: fail, open: make },
      destination: { requires: [], checkAccount: fail, open: async () => make() },
    } as unknown as Connector,
    { home: import.meta.dirname },
  )
  await expect(source?.open(account, 'helpdesk')).rejects.toThrow(`${fault}open failed at hostile-connectors.test.ts`)
  await expect(destination?.open(account, 'helpdesk')).rejects.toThrow(`${fault}open failed at`)
})

test.each([
  ['at an entity', { kind: 'tickets', mark: 'm', destinationId: null, version: null }, 'of the kind tickets'],
  ['without a mark', { kind: 'labels', mark: '', destinationId: null, version: null }, 'whose mark is no text'],
  ['with a number as its id', { kind: 'labels', mark: 'm', destinationId: 7, version: null }, 'whose destinationId'],
  ['that is nothing', null, 'that is no object'],
])('a note about a side record %s is a fault, and changes nothing', async (_, note, words) => {
  const noted: unknown[] = []
  const sides = { note: async (...records: unknown[]) => void noted.push(...records), forget: fail, list: fail }
  const open = (theirs: Account) => ({ count: async () => theirs.sides?.note(note as never) })
  const side = { requires: [], checkAccount: async () => ({ name: 'Odd' }), open }
  const { source } = limitCalls({ tool: 'odd', source: side } as unknown as Connector)
  const reader = (await source?.open({ ...account, sides } as unknown as Account, 'helpdesk')) as Reader
  await expect(reader.count()).rejects.toThrow(words)
  expect(noted).toEqual([])
})

test.each([
  ['throws', fail],
  ['answers nothing', () => undefined],
  ['answers without a token address', () => ({ issuer: 'a', authorization: 'https://a.example' })],
  [
    'loops',
    () => {
      for (;;);
    },
  ],
])('an oauth.at that %s is named', async (_, at) => {
  const oauth = { isPerInstance: false, scopes: [], at, isGrantLost: () => 'perhaps' }
  const side = { requires: ['token'], oauth, checkAccount: fail, open: fail }
  const limited = (busyMs: number) =>
    limitCalls({ tool: 'odd', source: side } as unknown as Connector, { home: import.meta.dirname, busyMs }).source
      ?.oauth
  expect(() => limited(50)?.at(null)).toThrow(`${fault}oauth.at `)
  expect(() => limited(60_000)?.isGrantLost?.({})).toThrow(`${fault}oauth.isGrantLost answered with`)
})

const opened = async (answer: unknown, callMs = 5_000) => {
  const side = { requires: [], checkAccount: fail, open: () => ({ openFile: async () => answer }) }
  const { source } = limitCalls({ tool: 'odd', source: side } as unknown as Connector, {
    home: import.meta.dirname,
    callMs,
  })
  const reader = (await source?.open(account, 'helpdesk')) as Reader
  return reader.openFile({ entity: 'attachments', sourceId: '1', fields: {} })
}
const file = (body: Readable) => ({ size: null, contentType: null, body })

test('of an opened file only its bytes, size and type are used', async () => {
  const answer = { ...file(Readable.from([Buffer.from('a'), Buffer.from('b')])), key: 'other', destinationId: '5' }
  const { body, ...rest } = await opened(answer)
  expect(rest).toEqual({ size: null, contentType: null })
  expect(await text(body)).toBe('ab')
})

test.each([
  ['that stops', () => new Readable({ read() {} }), 'openFile streamed no byte for 1 s'],
  ['of objects', () => Readable.from([{ a: 1 }]), 'openFile streams something else than bytes'],
  [
    'that fails with a mistake',
    () =>
      new Readable({
        read() {
          this.destroy(new TypeError('no part'))
        },
      }),
    'openFile failed at hostile-connectors.test.ts',
  ],
])('a file %s is the fault of its connector', async (_, make, words) => {
  const body = make()
  const lent = await opened(file(body), 50)
  await expect(text(lent.body)).rejects.toThrow(`${fault}${words}`)
  expect(body.destroyed).toBe(true)
})

test('a file that nobody reads is closed with its stream', async () => {
  const body = new Readable({ read() {} })
  const lent = await opened(file(body))
  lent.body.destroy()
  await vi.waitFor(() => expect(body.destroyed).toBe(true))
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
  ['losses that throw', `[{ key: 'a', losses: new Proxy([], { get() { throw new Error('a trap') } }) }]`],
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
    waits_in_the_service: `import { isMainThread } from 'node:worker_threads'
      if (isMainThread) await new Promise(() => {})
      export default {}`,
    limits_of_symbols: declared(`tool: 'c', limits: [{ name: Symbol('a') }]`),
  }
  const places = await Promise.all(Object.entries(hostile).map(([name, code]) => place(name, code)))
  const { leftOut, outside } = await loadConnectors([...places, await place('fine', declared(`tool: 'fine'`))], {
    busyMs: 200,
    loadMs: 10_000,
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
