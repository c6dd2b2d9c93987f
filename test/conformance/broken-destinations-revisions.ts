import { setTimeout as sleep } from 'node:timers/promises'
import { isDelete, isFile, isWrite, mapGot, mapSent, parse, type Sent } from './change-messages.ts'
import type { Exchange, Tamper } from './tampering-proxy.ts'
import { untilQuiet } from './until-quiet.ts'

const without = ({ revision: _revision, ...rest }: Sent): Sent => rest
const withoutParameter = ({ query }: Exchange) => {
  const parameters = new URLSearchParams(query)
  parameters.delete('revision')
  return { query: parameters.toString() }
}
const sentOf = ({ body }: Exchange) => parse(body).records ?? []

/** Removes the revision from incoming records that `isForgotten` selects. */
const forgets =
  (isForgotten: (exchange: Exchange, record: Sent) => boolean): Tamper =>
  (exchange, forward) =>
    isWrite(exchange) || isDelete(exchange)
      ? forward(mapSent(exchange, (record) => (isForgotten(exchange, record) ? without(record) : record)))
      : forward()

/** Destinations that declare revisions and break them. */
export const brokenRevisions = {
  forgetsRevisions(): Tamper {
    const records = forgets(() => true)
    return (exchange, forward) =>
      isFile(exchange) && !exchange.isCut ? forward(withoutParameter(exchange)) : records(exchange, forward)
  },

  forgetsRevisionsOfFiles: (): Tamper => (exchange, forward) =>
    isFile(exchange) && !exchange.isCut ? forward(withoutParameter(exchange)) : forward(),

  deletesWhateverTheRevision: () => forgets(isDelete),

  /** Ignores an outdated record, and reports it as written. */
  callsOutdatedUpdated: (): Tamper => async (exchange, forward) =>
    mapGot(await forward(), (got) =>
      isWrite(exchange) && got.result === 'outdated'
        ? { external_id: got.external_id, result: 'updated', id: '1', version: '1' }
        : got,
    ),

  takesTheSameRevision(): Tamper {
    const newest = new Map<string, number>()
    return forgets((exchange, { external_id, revision = 0 }) => {
      const isSame = isWrite(exchange) && newest.get(external_id) === revision
      newest.set(external_id, Math.max(revision, newest.get(external_id) ?? 0))
      return isSame
    })
  },

  /** Forgets the revision when the record is deleted. */
  forgetsWithTheRecord(): Tamper {
    const deleted = new Set<string>()
    return forgets((exchange, { external_id }) => {
      if (isDelete(exchange)) deleted.add(external_id)
      return isWrite(exchange) && deleted.has(external_id)
    })
  },

  forgetsRefusedRevisions(): Tamper {
    const refused = new Set<string>()
    const forget = forgets((_exchange, { external_id }) => refused.has(external_id))
    return async (exchange, forward) => {
      const answer = await forget(exchange, forward)
      for (const { external_id, result } of parse(answer.body).results ?? []) {
        if (result === 'refused') refused.add(external_id)
      }
      return answer
    }
  },

  /** Reads first and writes later, without a lock. */
  looksBeforeItWrites(): Tamper {
    const newest = new Map<string, number>()
    let looked = 0
    return async (exchange, forward) => {
      const [{ external_id = '', revision = 0 } = {}] = sentOf(exchange)
      if (!isWrite(exchange) || revision === 0) return forward()
      const known = newest.get(external_id) ?? 0
      if (known >= revision) return forward()
      looked += 1
      await untilQuiet(() => looked)
      // The lowest revision takes the longest.
      await sleep(600 / revision)
      newest.set(external_id, revision)
      return forward(mapSent(exchange, without))
    }
  },
}
