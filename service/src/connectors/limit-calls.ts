import { ConnectorFaultError } from '../errors.ts'
import type { Connector, Reader, Writer } from './contract.ts'

/** Long enough for a batch at the slowest pace that a tool can ask for. Each request has its own limit besides. */
const callMs = 10 * 60_000
/** Files take as long as their bytes need; a request that stands still is ended by `callTool`. */
const unlimited = new Set(['openFile', 'writeFile'])

const readerCalls = [
  'count',
  'countSkipped',
  'countWithheld',
  'users',
  'customFields',
  'read',
  'readSome',
  'findIds',
  'findGone',
  'after',
  'follow',
  'openFile',
] as const satisfies (keyof Reader)[]
const writerCalls = [
  'describe',
  'users',
  'write',
  'writeFile',
  'find',
  'remove',
  'asStored',
  'preflight',
  'restore',
  'removeSides',
] as const satisfies (keyof Writer)[]

/** The same connector, whose calls end at some time. Its reader and writer may be of any making, classes included. */
export function limitCalls(connector: Connector, limitMs = callMs): Connector {
  const { tool, source, destination } = connector
  const wrap = <T extends object, N extends keyof T & string>(side: T, names: readonly N[]): T =>
    Object.fromEntries(
      names.flatMap((name) => {
        const call: unknown = side[name]
        if (typeof call !== 'function') return []
        const act = (...args: unknown[]) => {
          const answer: unknown = call.apply(side, args)
          return answer instanceof Promise && !unlimited.has(name) ? within(tool, name, limitMs, answer) : answer
        }
        return [[name, act]]
      }),
    ) as T
  return {
    ...connector,
    ...(source && {
      source: {
        ...source,
        checkAccount: (account) => within(tool, 'checkAccount', limitMs, source.checkAccount(account)),
        open: (account, family) => wrap(source.open(account, family), readerCalls),
      },
    }),
    ...(destination && {
      destination: {
        ...destination,
        checkAccount: (account) => within(tool, 'checkAccount', limitMs, destination.checkAccount(account)),
        open: (account, family) => wrap(destination.open(account, family), writerCalls),
      },
    }),
  }
}

async function within<T>(tool: string, name: string, limitMs: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    const seconds = Math.ceil(limitMs / 1000)
    timer = setTimeout(() => reject(new ConnectorFaultError(tool, `${name} did not end within ${seconds} s`)), limitMs)
  })
  try {
    return await Promise.race([answer, limit])
  } finally {
    clearTimeout(timer)
  }
}
