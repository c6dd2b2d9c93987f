import { type Got, isFile, isWrite, mapGot, mapSent, parse, type Sent } from './change-messages.ts'
import type { Answer, Exchange, Tamper } from './tampering-proxy.ts'
import { untilQuiet } from './until-quiet.ts'

type Forward = Parameters<Tamper>[1]

const without = ({ version: _version, ...rest }: Sent): Sent => rest
const withoutParameter = ({ query }: Exchange) => {
  const parameters = new URLSearchParams(query)
  parameters.delete('version')
  return { query: parameters.toString() }
}
const sentOf = (exchange: Exchange): Got[] => {
  const { records } = parse(exchange.body)
  return isWrite(exchange) && Array.isArray(records) ? records : []
}

/** The version that the destination has of the request's first record; undefined if it has no such record. */
async function storedVersion(exchange: Exchange, forward: Forward): Promise<string | undefined> {
  const external_ids = sentOf(exchange).map(({ external_id }) => external_id)
  const found = await forward({
    method: 'POST',
    path: `${exchange.path}/find`,
    body: Buffer.from(JSON.stringify({ external_ids })),
  })
  return parse(found.body).records?.find(({ external_id }) => external_id === external_ids[0])?.version
}

const answerAll = (exchange: Exchange, result: string): Answer => {
  const results = sentOf(exchange).map(({ external_id }) => ({ external_id, result }))
  return { status: 200, body: JSON.stringify({ results }) }
}

/** Destinations that declare conditional writes and break them. */
export const brokenConditions = {
  ignoresVersions: (): Tamper => (exchange, forward) => {
    if (isFile(exchange) && !exchange.isCut) return forward(withoutParameter(exchange))
    return isWrite(exchange) ? forward(mapSent(exchange, without)) : forward()
  },

  ignoresVersionsOfFiles: (): Tamper => (exchange, forward) =>
    isFile(exchange) && !exchange.isCut ? forward(withoutParameter(exchange)) : forward(),

  /** Checks the version only of existing records. */
  createsWhatIsMissing: (): Tamper => async (exchange, forward) => {
    const [{ version } = {}] = sentOf(exchange)
    if (version === undefined || (await storedVersion(exchange, forward)) !== undefined) return forward()
    return forward(mapSent(exchange, without))
  },

  /** Writes nothing, and reports success. */
  callsChangedUpdated: (): Tamper => async (exchange, forward) =>
    mapGot(await forward(), (got) =>
      isWrite(exchange) && got.result === 'changed'
        ? { external_id: got.external_id, result: 'updated', id: '1', version: '1' }
        : got,
    ),

  knowsNoVersion: (): Tamper => (exchange, forward) =>
    isWrite(exchange)
      ? forward(mapSent(exchange, (one) => (one.version ? { ...one, version: 'none' } : one)))
      : forward(),

  /** Compares first and writes later, without a lock. */
  looksBeforeItWrites(): Tamper {
    let looked = 0
    return async (exchange, forward) => {
      const [{ version } = {}] = sentOf(exchange)
      if (version === undefined) return forward()
      if ((await storedVersion(exchange, forward)) !== version) return forward()
      looked += 1
      await untilQuiet(() => looked)
      return forward(mapSent(exchange, without))
    }
  },

  /** Checks only the version, so it does not store the revision. */
  forgetsRevisionsOfChanged: (): Tamper => async (exchange, forward) => {
    const [{ version } = {}] = sentOf(exchange)
    if (version === undefined || sentOf(exchange).length > 1) return forward()
    const stored = await storedVersion(exchange, forward)
    return stored === undefined || stored === version ? forward() : answerAll(exchange, 'changed')
  },
}
