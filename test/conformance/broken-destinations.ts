import {
  changeTexts,
  describeOtherwise,
  isDelete,
  isFile,
  isFind,
  isWrite,
  mapGot,
  mapSent,
  parse,
} from './change-messages.ts'
import type { Tamper } from './tampering-proxy.ts'

/** Ways to break the protocol, each with its own state. */
export const broken = {
  doublesOnRetry(): Tamper {
    const times = new Map<string, number>()
    return async (exchange, forward) => {
      if (!isWrite(exchange)) return forward()
      const sent = parse(exchange.body).records
      if (!Array.isArray(sent)) return forward()
      const renamed = mapSent(exchange, (record) => {
        const time = (times.get(record.external_id) ?? 0) + 1
        times.set(record.external_id, time)
        return time === 1 ? record : { ...record, external_id: `${record.external_id}.${time}`.slice(-255) }
      })
      return mapGot(await forward(renamed), (result, index) => ({
        ...result,
        external_id: sent[index]?.external_id ?? '',
      }))
    }
  },

  forgetsEmptiedFields(): Tamper {
    const known = new Map<string, Record<string, unknown>>()
    return (exchange, forward) => {
      if (!isWrite(exchange)) return forward()
      const merged = mapSent(exchange, (record) => {
        const filled = Object.entries(record.fields ?? {}).filter(([, value]) => value !== null)
        const fields = { ...known.get(record.external_id), ...Object.fromEntries(filled) }
        known.set(record.external_id, fields)
        return { ...record, fields }
      })
      return forward(merged)
    }
  },

  findsInAnotherShape: (): Tamper => async (exchange, forward) => {
    const answer = await forward()
    if (!isFind(exchange) || answer.status !== 200) return answer
    return { status: 200, body: JSON.stringify({ data: parse(answer.body).records }) }
  },

  findsNothing: (): Tamper => async (exchange, forward) => {
    const answer = await forward()
    return isFind(exchange) && answer.status === 200 ? { status: 200, body: '{"records":[]}' } : answer
  },

  refusesWholeBatches: (): Tamper => async (exchange, forward) => {
    const answer = await forward()
    const { results = [] } = parse(answer.body)
    if (!isWrite(exchange) || results.length < 2) return answer
    return results.some(({ result }) => result === 'refused') ? { status: 422, body: '{"error":"invalid"}' } : answer
  },

  takesUnknownRelations: (): Tamper => async (exchange, forward) =>
    mapGot(await forward(), (result) =>
      isWrite(exchange) && result.code === 'unknown_relation'
        ? { external_id: result.external_id, result: 'created', id: '1', version: '1' }
        : result,
    ),

  hasOneVersionForAll: (): Tamper => async (exchange, forward) => {
    if (!isDelete(exchange)) {
      return mapGot(await forward(), (got) => (got.result === 'refused' ? got : { ...got, version: 'v1' }))
    }
    const other = parse(exchange.body).records?.filter(({ version }) => version !== undefined && version !== 'v1')
    const changed = mapSent(exchange, ({ external_id, version }) => ({
      external_id,
      ...(version !== undefined && version !== 'v1' && { version }),
    }))
    return forward(other?.length === 0 ? changed : {})
  },

  deletesWhateverTheVersion: (): Tamper => (exchange, forward) =>
    isDelete(exchange) ? forward(mapSent(exchange, ({ version: _version, ...rest }) => rest)) : forward(),

  answersInAnotherOrder: (): Tamper => async (exchange, forward) => {
    const answer = await forward()
    const { results } = parse(answer.body)
    return isWrite(exchange) && results ? { ...answer, body: JSON.stringify({ results: results.reverse() }) } : answer
  },

  cutsLongTexts: () => changeTexts((text) => text.slice(0, 60_000)),
  losesEmoji: () => changeTexts((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  cleansMarkup: () => changeTexts((text) => text.replaceAll('<script>', '')),
  trims: () => changeTexts((text) => text.trim()),

  takesAnyToken: (): Tamper => (exchange, forward) =>
    forward(exchange.isCut ? undefined : { headers: { ...exchange.headers, authorization: 'Bearer token' } }),

  failsOnBadJson: (): Tamper => async (_exchange, forward) => {
    const answer = await forward()
    return answer.status === 400 ? { status: 500, body: '{}' } : answer
  },

  knowsEveryEntity:
    (): Tamper =>
    async ({ path }, forward) =>
      path.includes('no_such_entity') ? { status: 200, body: '{"results":[],"records":[]}' } : forward(),

  keepsHalfFiles: (): Tamper => (exchange, forward) => (isFile(exchange) ? forward({}) : forward()),

  losesTheLastByte: (): Tamper => (exchange, forward) =>
    isFile(exchange) && !exchange.isCut ? forward({ body: exchange.body.subarray(0, -1) }) : forward(),

  describesNoLimits: () => describeOtherwise(({ limits: _limits, ...rest }) => rest),
}
