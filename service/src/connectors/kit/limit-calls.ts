import type { Readable } from 'node:stream'
import { ConnectorFaultError } from '../../errors.ts'
import type { LimitBucket } from '../../outbound/limits.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { tapBytes } from '../../outbound/tap-bytes.ts'
import { limitTime } from '../../text/limit-time.ts'
import type {
  Account,
  AccountInfo,
  Connector,
  CountOthers,
  OAuthEndpoints,
  OutgoingFile,
  Reader,
  SideRecords,
  Source,
  Writer,
} from '../contract/contract.ts'
import { takeAnswer } from '../vet-answers.ts'
import { vetPages } from '../vet-pages.ts'
import { wrongInSide } from '../vet-sides.ts'
import { digestOf } from './keys.ts'
import { lendFile, type OpenedFile } from './lend-file.ts'
import { toFault } from './to-fault.ts'

/** Long enough for a batch at the slowest pace that a tool can require. Each request also has its own limit. */
const callMs = 10 * 60_000
/** Nothing else runs in this process while a call computes. */
const busyMs = 30_000

export interface CallLimits {
  callMs?: number
  busyMs?: number
  /** The connector's own folder. An error that comes from there, and that the engine does not know, is its fault. */
  home?: string | null
}

const readerCalls = {
  count: 'needed',
  countSkipped: 'optional',
  countWithheld: 'optional',
  users: 'needed',
  customFields: 'needed',
  read: 'needed',
  readSome: 'optional',
  findIds: 'optional',
  findGone: 'optional',
  after: 'optional',
  follow: 'optional',
  openFile: 'needed',
} as const satisfies Record<keyof Reader, 'needed' | 'optional'>
const writerCalls = {
  describe: 'needed',
  users: 'needed',
  write: 'needed',
  writeFile: 'needed',
  uploadFile: 'optional',
  find: 'needed',
  remove: 'needed',
  asStored: 'needed',
  lossesOf: 'optional',
  preflight: 'optional',
  restore: 'optional',
  removeSides: 'optional',
} as const satisfies Record<keyof Writer, 'needed' | 'optional'>

/** Calls that may answer without a promise. */
const atOnce = new Set<string>(['after', 'follow', 'asStored'])

/**
 * Returns the same connector with a time limit on its calls and a check of its answers. The reader and the writer may
 * be any objects, also class instances.
 */
export function limitCalls(connector: Connector, limits: CallLimits = {}): Connector {
  const { tool, source, destination, limits: buckets } = connector
  const begin = (giveUp?: (fault: ConnectorFaultError) => void) => startCall(tool, limits, giveUp)
  /** After a call timed out, its further requests are not sent and nobody waits for them. */
  const open = async <T extends object>(
    account: Account,
    calls: Readonly<Record<keyof T & string, 'needed' | 'optional'>>,
    side: (account: Account) => T | Promise<T>,
  ): Promise<T> => {
    const given = new AbortController()
    const run = begin((fault) => given.abort(fault))
    const limited = lendAccount(account, tool, given.signal)
    const withMembers = (opened: unknown) => ({ opened, members: membersOf(opened, Object.keys(calls)) })
    const { opened, members } = (await run('open', () => {
      const answer = side(limited)
      return isThenable(answer) ? Promise.resolve(answer).then(withMembers) : withMembers(answer)
    })) as ReturnType<typeof withMembers>
    const bound = Object.entries(calls).flatMap(([name, need]) => {
      const call = members[name]
      if (typeof call !== 'function' && need === 'optional') return []
      const act = (...args: unknown[]) => {
        if (given.signal.aborted) throw given.signal.reason
        if (typeof call !== 'function') throw new ConnectorFaultError(tool, `open answered without ${name}`)
        return run(name, (alive) => call.apply(opened, lendArgs(name, args, { tool, alive, signal: given.signal })))
      }
      return [[name, atOnce.has(name) ? act : async (...args: unknown[]) => act(...args)]]
    })
    return Object.fromEntries(bound) as T
  }
  const checkAccount = (side: Pick<Source, 'checkAccount'>) => async (account: Account) => {
    const given = new AbortController()
    const limited = lendAccount(account, tool, given.signal)
    try {
      return (await begin()('checkAccount', () => side.checkAccount(limited))) as AccountInfo
    } finally {
      given.abort(new ConnectorFaultError(tool, 'checkAccount sent a request after its end'))
    }
  }
  const vetCost = (bucket: LimitBucket): LimitBucket =>
    bucket.cost ? { ...bucket, cost: (request) => begin()('cost', () => bucket.cost?.(request)) as number } : bucket
  const vetOffer = ({ oauth }: Pick<Source, 'oauth'>): Pick<Source, 'oauth'> =>
    oauth
      ? {
          oauth: {
            ...oauth,
            at: (place) => begin()('oauth.at', () => oauth.at(place)) as OAuthEndpoints,
            ...(oauth.isGrantLost && {
              isGrantLost: (answer) => begin()('oauth.isGrantLost', () => oauth.isGrantLost?.(answer)) as boolean,
            }),
          },
        }
      : {}
  return {
    ...connector,
    ...(buckets && { limits: buckets.map(vetCost) }),
    ...(source && {
      source: {
        ...source,
        ...vetOffer(source),
        checkAccount: checkAccount(source),
        open: async (account, family) => {
          const reader = await open<Reader>(account, readerCalls, (limited) => source.open(limited, family))
          const lacks = source.tellsDeleted?.length
            ? (['findIds', 'findGone'] as const).find((name) => !reader[name])
            : null
          if (lacks)
            throw new ConnectorFaultError(tool, `open answered without ${lacks}, which source.tellsDeleted needs`)
          return vetPages(tool, reader, family)
        },
      },
    }),
    ...(destination && {
      destination: {
        ...destination,
        ...vetOffer(destination),
        checkAccount: checkAccount(destination),
        open: (account, family) => open<Writer>(account, writerCalls, (limited) => destination.open(limited, family)),
      },
    }),
  }
}

/** Any call of a reader or a writer may be a property that runs code of the connector. */
const membersOf = (opened: unknown, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, (opened as Record<string, unknown> | null | undefined)?.[name]]))

/**
 * The account as a connector gets it. A changed credential changes nothing here, and a request of another import never
 * goes through a client that a connector has changed or closed. Once `giveUp` is aborted, the connector can send and
 * note nothing any more, whatever signal it passes.
 */
function lendAccount(account: Account, tool: string, giveUp: AbortSignal): Account {
  const { access, outbound, signal, sides } = account
  const lent: Outbound = {
    guard: outbound?.guard,
    async request(...given) {
      giveUp.throwIfAborted()
      return outbound.request(...given)
    },
    async stream(...given) {
      giveUp.throwIfAborted()
      return outbound.stream(...given)
    },
    close: async () => {},
  }
  return {
    ...account,
    access: structuredClone(access),
    outbound: lent,
    signal: AbortSignal.any([signal, giveUp]),
    ...(sides && { sides: lendSides(sides, tool, giveUp) }),
  }
}

/** Notes of a connector become rows of the ledger, so none of them may look like a record of the source. */
function lendSides(sides: SideRecords, tool: string, giveUp: AbortSignal): SideRecords {
  const { inTurn } = sides
  return {
    async note(...records) {
      giveUp.throwIfAborted()
      const wrong = records.map(wrongInSide).find((one) => one !== null)
      if (wrong) throw new ConnectorFaultError(tool, `sides.note got ${wrong}`)
      return sides.note(...records)
    },
    async forget(...records) {
      giveUp.throwIfAborted()
      return sides.forget(...records)
    },
    list: (kind, marks) => sides.list(kind, marks),
    ...(inTurn && {
      async inTurn(name, act) {
        giveUp.throwIfAborted()
        return inTurn(digestOf(String(name)), act)
      },
    }),
  }
}

/** Runs calls of a connector. `act` calls `alive` while a long transfer makes progress. */
function startCall(
  tool: string,
  { callMs: mostMs = callMs, busyMs: mostBusyMs = busyMs, home = null }: CallLimits,
  giveUp: (fault: ConnectorFaultError) => void = () => {},
) {
  const expire = (what: string) => {
    const fault = new ConnectorFaultError(tool, what)
    giveUp(fault)
    return fault
  }
  return (name: string, act: (alive: () => void) => unknown): unknown => {
    let timer: NodeJS.Timeout | undefined
    const vet = (given: unknown): unknown => {
      const taken = takeAnswer(name, given)
      if ('wrong' in taken) throw new ConnectorFaultError(tool, `${name} answered with ${taken.wrong}`)
      if (name === 'openFile') return lendFile(taken.answer as OpenedFile, { tool, home, idleMs: mostMs })
      return name === 'write' ? blameOutcomes(taken.answer) : taken.answer
    }
    const blameOutcomes = (outcomes: unknown) =>
      Array.isArray(outcomes)
        ? outcomes.map((one) =>
            one?.result === 'failed' ? { ...one, error: toFault(tool, name, one.error, home) } : one,
          )
        : outcomes
    const blame = (error: unknown): never => {
      throw toFault(tool, name, error, home)
    }
    const begun = limitTime(mostBusyMs, () => attempt(() => act(() => timer?.refresh())))
    if (begun === null) throw expire(`${name} kept the process busy for ${mostBusyMs / 1000} s`)
    if ('error' in begun) return blame(begun.error)
    if (!begun.isLater) return vet(begun.answer)
    const { promise: expired, reject } = Promise.withResolvers<never>()
    timer = setTimeout(() => reject(expire(`${name} did not end within ${Math.ceil(mostMs / 1000)} s`)), mostMs)
    return Promise.race([begun.answer, expired])
      .finally(() => clearTimeout(timer))
      .then(vet, blame)
  }
}

/** An error is an answer here: the thread that limits the time would change its text. */
function attempt(act: () => unknown): { answer: unknown; isLater: boolean } | { error: unknown } {
  try {
    const answer = act()
    return { answer, isLater: isThenable(answer) }
  } catch (error) {
    return { error }
  }
}

const isThenable = (answer: unknown): boolean =>
  typeof (answer as PromiseLike<unknown> | null | undefined)?.then === 'function'

/** A connector may change what it is given, so it gets a copy. */
function lendArgs(
  name: string,
  args: unknown[],
  { tool, alive, signal }: { tool: string; alive: () => void; signal: AbortSignal },
): unknown[] {
  if (name === 'writeFile' || name === 'uploadFile') return tapFile(args, alive)
  const [entity, records, countOthers] = args as Parameters<Writer['remove']>
  if (name !== 'remove' || !countOthers) return structuredClone(args)
  const counting: CountOthers = async (given) => {
    signal.throwIfAborted()
    const taken = takeAnswer('countOthers', given)
    if ('wrong' in taken) throw new ConnectorFaultError(tool, `remove asked countOthers for ${taken.wrong}`)
    return countOthers(taken.answer as typeof given)
  }
  return [entity, structuredClone(records), counting]
}

/** A large file takes long. The limit holds for the time in which no byte of it moves. */
function tapFile([entity, file]: unknown[], alive: () => void): unknown[] {
  const { body, ...rest } = file as OutgoingFile
  return [entity, { ...structuredClone(rest), body: tapBytes(body as Readable, { onPiece: alive }) }]
}
