import { PassThrough, type Readable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { AccountRefusedError, ConnectorFaultError, RetryableError } from '../../errors.ts'
import type { Account, Connector, CountOthers, OutgoingFile, Reader, Writer } from '../contract/contract.ts'
import { type CallLimits, limitCalls } from './limit-calls.ts'

afterEach(() => {
  vi.useRealTimers()
})

const account = { signal: new AbortController().signal } as Account
const home = import.meta.dirname

const connect = (parts: object, limits: CallLimits = {}) => {
  const side = { requires: [], checkAccount: async () => ({ name: 'Odd' }), open: () => parts }
  return limitCalls({ tool: 'odd', source: side, destination: side } as unknown as Connector, { home, ...limits })
}
const openReader = async (reader: object, limits?: CallLimits) =>
  (await connect(reader, limits).source?.open(account)) as Reader
const openWriter = async (writer: object, limits?: CallLimits) =>
  (await connect(writer, limits).destination?.open(account)) as Writer
const fault = 'the connector for odd does not keep its contract: '

test.each([
  ['before its first await', async () => (null as unknown as string).length],
  ['later', async () => Promise.resolve(null as unknown as string).then((none) => none.length)],
  ['without a promise', () => (null as unknown as string).length],
])('a mistake in the code of a connector %s is its fault, and the line is named', async (_when, count) => {
  const reader = await openReader({ count })
  const failed = reader.count()
  await expect(failed).rejects.toThrow(ConnectorFaultError)
  await expect(failed).rejects.toThrow(/count failed at limit-calls\.test\.ts:\d+:\d+: Cannot read properties of null/)
})

test('an error that the engine knows, and one of the service itself, pass unchanged', async () => {
  const lost = new (class LeaseLostError extends Error {})('no longer ours')
  lost.stack = 'Error: no longer ours\n    at confirm (/srv/wherry/engine/lease.ts:1:1)\n    at async count (/x.ts:1:1)'
  for (const error of [new RetryableError('no answer'), new AccountRefusedError('wrong key'), lost]) {
    const reader = await openReader({ count: () => Promise.reject(error) })
    await expect(reader.count()).rejects.toBe(error)
  }
})

test('a connector that throws a text is told so', async () => {
  const reader = await openReader({ count: () => Promise.reject('no') })
  await expect(reader.count()).rejects.toThrow(`${fault}count threw something that is no error: no`)
})

test('a loop that never waits is ended, and the process runs on', async () => {
  const endless = () => {
    for (;;);
  }
  const reader = await openReader({ count: endless, follow: endless }, { busyMs: 50 })
  expect(() => reader.follow?.('https://a.example', null)).toThrow(`${fault}follow kept the process busy for 0.05 s`)
  await expect((await openReader({ count: endless }, { busyMs: 50 })).count()).rejects.toThrow('count kept the process')
})

test('an answer that can be awaited and is no promise has the same time limit', async () => {
  // biome-ignore lint/suspicious/noThenProperty: a query of a database library is such an answer.
  const reader = await openReader({ count: () => ({ then: () => {} }) }, { callMs: 20 })
  await expect(reader.count()).rejects.toThrow('count did not end')
})

test.each([undefined, null, {}])('a connector that opens an account as %j is named', async (opened) => {
  const { source, destination } = connect(opened as unknown as object)
  const reader = await source?.open(account)
  await expect(reader?.read('tickets', null, {})).rejects.toThrow(`${fault}open answered without read`)
  const writer = await destination?.open(account)
  await expect(writer?.describe()).rejects.toThrow(`${fault}open answered without describe`)
})

test('a source that says it finds deletions needs the calls for it', async () => {
  const source = { requires: [], checkAccount: async () => ({ name: '' }), tellsDeleted: ['tickets'], open: () => ({}) }
  const { source: limited } = limitCalls({ tool: 'odd', source } as unknown as Connector)
  await expect(limited?.open(account)).rejects.toThrow('open answered without findIds, which source.tellsDeleted needs')
})

test('a file that is never opened is a fault', async () => {
  const reader = await openReader({ openFile: () => new Promise(() => {}) }, { callMs: 20 })
  await expect(reader.openFile({ entity: 'attachments', sourceId: '1', fields: {} })).rejects.toThrow(
    'openFile did not',
  )
})

const file = (body: Readable) => ({ key: 'a', body }) as unknown as OutgoingFile

test('the time limit of a file begins anew with each of its pieces', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const body = new PassThrough()
  const pieces: string[] = []
  const writeFile = async (_entity: string, { body: sent }: OutgoingFile) => {
    for await (const piece of sent) pieces.push(String(piece))
    return new Promise(() => {})
  }
  const writer = await openWriter({ writeFile }, { callMs: 1000 })
  const failed = expect(writer.writeFile('attachments', file(body))).rejects.toThrow('writeFile did not end within 1 s')
  for (const piece of ['a', 'b', 'c']) {
    body.write(piece)
    await vi.waitFor(() => expect(pieces.at(-1)).toBe(piece))
    vi.advanceTimersByTime(900)
  }
  vi.advanceTimersByTime(100)
  await failed
  body.end()
})

test.each([
  ['a number beyond all limits', () => Number.POSITIVE_INFINITY],
  ['no number', () => Number.NaN],
  ['less than nothing', () => -1],
  ['a text', () => '5'],
  ['nothing', () => undefined],
])('a cost that is %s is a fault of the connector', (_, cost) => {
  const limits = [{ name: 'points', perMs: 1_000, limit: 5, cost }]
  const [bucket] = limitCalls({ tool: 'odd', limits } as unknown as Connector).limits ?? []
  const request = { method: 'GET', url: new URL('https://odd.example') }
  expect(() => bucket?.cost?.(request)).toThrow(`${fault}cost answered with a wrong value`)
})

test('a proper cost passes, and a bucket without one keeps the default', () => {
  const limits = [
    { name: 'points', perMs: 1_000, limit: 5, cost: () => 0.5 },
    { name: 'requests', perMs: 1_000, limit: 5 },
  ]
  const [points, requests] = limitCalls({ tool: 'odd', limits } as unknown as Connector).limits ?? []
  expect(points?.cost?.({ method: 'GET', url: new URL('https://odd.example') })).toBe(0.5)
  expect(requests).toEqual(limits[1])
})

test('a connector can ask what others added, but not for what is no record, and not after its time', async () => {
  const asked: unknown[] = []
  const countOthers: CountOthers = async (some) => {
    asked.push(some)
    return some.map(() => 1)
  }
  const ticket = { key: 'a', destinationId: '1', parent: null, version: 'v' }
  const given = [{ key: 'a', destinationId: '1', inside: { ids: [['m']], own: 0 } }]
  const removing = (ask: unknown): Pick<Writer, 'remove'> => ({
    async remove(_, records, count) {
      const [others] = (await count?.(ask as typeof given)) ?? []
      return records.map(({ key }) => ({ key, result: 'kept', message: `${others}` }))
    },
  })
  const good = await openWriter(removing(given))
  expect(await good.remove('tickets', [ticket], countOthers)).toMatchObject([{ message: '1' }])
  expect(asked).toEqual([given])
  const odd = await openWriter(removing([{ key: 'a' }]))
  await expect(odd.remove('tickets', [ticket], countOthers)).rejects.toThrow(`${fault}remove asked countOthers for`)
  expect(asked).toHaveLength(1)
  const ended = Promise.withResolvers<void>()
  let late: Promise<unknown> = Promise.resolve()
  const slow = await openWriter(
    {
      remove(_: string, __: unknown, count: CountOthers) {
        late = ended.promise.then(() => count(given))
        return late
      },
    },
    { callMs: 20 },
  )
  await expect(slow.remove('tickets', [ticket], countOthers)).rejects.toThrow('remove did not end')
  ended.resolve()
  await expect(late).rejects.toThrow()
  expect(asked).toHaveLength(1)
})
