import { ConnectorFaultError } from '../../errors.ts'
import type { Account, Connector, Reader, Writer } from '../contract/contract.ts'
import { vetPages } from '../vet-pages.ts'

/** Long enough for a batch at the slowest pace that a tool can require. Each request also has its own limit. */
const callMs = 10 * 60_000
/**
 * Transfers of files have no limit here, because large files take long. `callTool` ends a request that makes no
 * progress.
 */
const unlimited = new Set(['openFile', 'writeFile', 'uploadFile'])

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
  'uploadFile',
  'find',
  'remove',
  'asStored',
  'preflight',
  'restore',
  'removeSides',
] as const satisfies (keyof Writer)[]

/**
 * Returns the same connector with a time limit on its calls and a check of its pages. The reader and the writer may be
 * any objects, also class instances.
 */
export function limitCalls(connector: Connector, limitMs = callMs): Connector {
  const { tool, source, destination } = connector
  /** After a call timed out, its further requests are not sent and nobody waits for them. */
  const open = async <T extends object, N extends keyof T & string>(
    account: Account,
    names: readonly N[],
    side: (account: Account) => T | Promise<T>,
  ): Promise<T> => {
    const given = new AbortController()
    const giveUp = (fault: ConnectorFaultError) => given.abort(fault)
    const limited = { ...account, signal: AbortSignal.any([account.signal, given.signal]) }
    const opened = await within(tool, 'open', limitMs, Promise.resolve(side(limited)), giveUp)
    return Object.fromEntries(
      names.flatMap((name) => {
        const call: unknown = opened[name]
        if (typeof call !== 'function') return []
        const act = (...args: unknown[]) => {
          if (given.signal.aborted) throw given.signal.reason
          const answer: unknown = call.apply(opened, args)
          if (!(answer instanceof Promise) || unlimited.has(name)) return answer
          return within(tool, name, limitMs, answer, giveUp)
        }
        return [[name, act]]
      }),
    ) as T
  }
  return {
    ...connector,
    ...(source && {
      source: {
        ...source,
        checkAccount: (account) => within(tool, 'checkAccount', limitMs, source.checkAccount(account)),
        open: async (account, family) =>
          vetPages(tool, await open(account, readerCalls, (limited) => source.open(limited, family))),
      },
    }),
    ...(destination && {
      destination: {
        ...destination,
        checkAccount: (account) => within(tool, 'checkAccount', limitMs, destination.checkAccount(account)),
        open: (account, family) => open(account, writerCalls, (limited) => destination.open(limited, family)),
      },
    }),
  }
}

async function within<T>(
  tool: string,
  name: string,
  limitMs: number,
  answer: Promise<T>,
  giveUp: (fault: ConnectorFaultError) => void = () => {},
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    const fault = new ConnectorFaultError(tool, `${name} did not end within ${Math.ceil(limitMs / 1000)} s`)
    timer = setTimeout(() => {
      reject(fault)
      giveUp(fault)
    }, limitMs)
  })
  try {
    return await Promise.race([answer, limit])
  } finally {
    clearTimeout(timer)
  }
}
