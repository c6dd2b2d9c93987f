import { type Got, isDelete, isFind, isWrite, mapGot, mapSent, parse, type Sent } from './change-messages.ts'
import type { Exchange, Tamper } from './tampering-proxy.ts'

interface Part extends Sent {
  entity: string
  created_at?: string
}
type Carrier = Sent & { parts?: Part[] }
type Told = Got & { parts?: Got[] }

/** Reads the records with parts from a request; some checks send bodies that are no records. */
const carriersOf = (exchange: Exchange): Carrier[] => {
  const { records } = parse(exchange.body)
  return isWrite(exchange) && Array.isArray(records) ? (records as Carrier[]) : []
}
const hasParts = (exchange: Exchange) => carriersOf(exchange).some((one) => Array.isArray(one?.parts))
/** Changes the parts of records in requests, and their results in answers. */
const tamperParts =
  (
    change: (parts: Part[], carrier: Carrier) => Part[],
    tell: (told: Got[], sent: readonly Part[]) => Got[] = (told) => told,
  ): Tamper =>
  async (exchange, forward) => {
    if (!hasParts(exchange)) return forward()
    const sent = new Map(carriersOf(exchange).map(({ external_id, parts = [] }) => [external_id, parts]))
    const changed = mapSent(exchange, (one: Carrier) => ({
      ...one,
      ...(one.parts && { parts: change(one.parts, one) }),
    }))
    return mapGot(await forward(changed), (got: Told) => ({
      ...got,
      ...(got.parts && { parts: tell(got.parts, sent.get(got.external_id) ?? []) }),
    }))
  }
const claimed = ({ external_id }: Sent): Got => ({
  external_id,
  result: 'created',
  id: `x${external_id}`,
  version: '1',
})

/** Destinations that declare `carries` and break it. */
export const brokenCarriers = {
  /** Drops the last part, and claims that it was written. */
  dropsTheLast: (): Tamper =>
    tamperParts(
      (parts) => parts.slice(0, -1),
      (told, sent) => [...told, ...sent.slice(told.length).map(claimed)],
    ),

  dropsAllSilently: (): Tamper => async (exchange, forward) => {
    if (!hasParts(exchange)) return forward()
    const changed = mapSent(exchange, ({ parts: _parts, ...one }: Carrier) => one)
    return forward(changed)
  },

  /** Returns one result too few. */
  tellsOfFewer: (): Tamper =>
    tamperParts(
      (parts) => parts,
      (told) => told.slice(1),
    ),

  /** Creates every part twice. */
  doublesThem(): Tamper {
    const times = new Map<string, number>()
    const again = (key: string, time: number) => (time === 0 ? key : `${key}#${time}`)
    const keyOf = (key: string) => key.split('#')[0] ?? key
    const allOf = (key: string) => Array.from({ length: times.get(key) ?? 1 }, (_, time) => again(key, time))
    const named = tamperParts(
      (parts) =>
        parts.map((part) => {
          const time = times.get(part.external_id) ?? 0
          times.set(part.external_id, time + 1)
          return { ...part, external_id: again(part.external_id, time) }
        }),
      (told) => told.map((one) => ({ ...one, external_id: keyOf(one.external_id) })),
    )
    return async (exchange, forward) => {
      if (hasParts(exchange)) return named(exchange, forward)
      if (isFind(exchange)) {
        const { external_ids = [] } = JSON.parse(String(exchange.body)) as { external_ids?: string[] }
        const body = Buffer.from(JSON.stringify({ external_ids: external_ids.flatMap(allOf) }))
        return mapGot(await forward({ body }), (one) => ({ ...one, external_id: keyOf(one.external_id) }))
      }
      if (!isDelete(exchange)) return forward()
      const { records = [] } = parse(exchange.body)
      const all = records.flatMap((one) => allOf(one.external_id).map((external_id) => ({ ...one, external_id })))
      const answer = await forward({ body: Buffer.from(JSON.stringify({ records: all })) })
      const { results = [] } = parse(answer.body)
      return { ...answer, body: JSON.stringify({ results: results.filter((one) => !one.external_id.includes('#')) }) }
    }
  },

  /** Each part gets the text and time of another. */
  mixesTheirOrder: (): Tamper =>
    tamperParts((parts) =>
      parts.map((part, index) => {
        const { fields, created_at } = parts[parts.length - 1 - index] ?? part
        return { ...part, ...(fields && { fields }), ...(created_at !== undefined && { created_at }) }
      }),
    ),

  tellsInAnotherOrder: (): Tamper =>
    tamperParts(
      (parts) => parts,
      (told) => told.toReversed(),
    ),

  /** Forgets the parts' times. */
  forgetsTheirTimes: (): Tamper => tamperParts((parts) => parts.map(({ created_at: _time, ...part }) => part)),

  /** Refuses all parts because of one refused part. */
  refusesAllForOne: (): Tamper => async (exchange, forward) => {
    if (!hasParts(exchange)) return forward()
    const isStray = (part: Part, carrier: Carrier) =>
      Object.values(part.fields ?? {}).every((one) => one !== carrier.external_id)
    const refusal = ({ external_id }: Sent) => ({ external_id, result: 'refused', code: 'invalid', message: 'no' })
    const spoiled = new Set<string>()
    const changed = mapSent(exchange, (one: Carrier) => {
      if (!one.parts?.some((part) => isStray(part, one))) return one
      spoiled.add(one.external_id)
      const { parts: _parts, ...rest } = one
      return rest
    })
    const sent = carriersOf(exchange)
    return mapGot(await forward(changed), (got: Told) =>
      spoiled.has(got.external_id)
        ? { ...got, parts: sent.find((one) => one.external_id === got.external_id)?.parts?.map(refusal) ?? [] }
        : got,
    )
  },
}
