import { describeOtherwise, isDelete, isFile, isFind, isWrite, mapGot, mapSent, parse } from './change-messages.ts'
import type { Exchange, Tamper } from './tampering-proxy.ts'

const isMedia = ({ path }: Exchange) => path.startsWith('/records/media')
const withQuery = ({ query }: Exchange, change: (parameters: URLSearchParams) => void) => {
  const parameters = new URLSearchParams(query)
  change(parameters)
  return { query: parameters.toString() }
}
/** Changes the fields of every found record. */
const changeFound =
  (change: (fields: Record<string, unknown>, exchange: Exchange) => Record<string, unknown>): (() => Tamper) =>
  () =>
  async (exchange, forward) => {
    const answer = await forward()
    if (!isFind(exchange)) return answer
    return mapGot(answer, (got) => ({ ...got, fields: change(got.fields ?? {}, exchange) }))
  }
const takes =
  (code: string): (() => Tamper) =>
  () =>
  async (exchange, forward) => {
    const answer = await forward()
    if (isWrite(exchange)) {
      return mapGot(answer, ({ external_id, ...got }) =>
        got.code === code ? { external_id, result: 'created', id: '1', version: '1' } : { external_id, ...got },
      )
    }
    const { size, sha256 } = { size: 13, sha256: 'a'.repeat(64) }
    const isTaken = isFile(exchange) && answer.body.includes(`"${code}"`)
    return isTaken
      ? { ...answer, body: JSON.stringify({ result: 'created', id: '1', version: '1', size, sha256 }) }
      : answer
  }

/** More ways to break the protocol: files, empty and unknown values. */
export const brokenFiles = {
  takesUnknownUsers: takes('unknown_user'),
  makesFilesOfRecords: takes('unknown_file'),

  losesPrivacy: (): Tamper => (exchange, forward) =>
    isFile(exchange) && !exchange.isCut
      ? forward(withQuery(exchange, (parameters) => parameters.delete('private')))
      : forward(),

  losesTimesOfFiles: (): Tamper => (exchange, forward) =>
    isFile(exchange) && !exchange.isCut
      ? forward(withQuery(exchange, (parameters) => parameters.delete('created_at')))
      : forward(),

  /** Treats all files as one entity. */
  takesFilesForAnything: (): Tamper => (exchange, forward) => {
    const entity = new URLSearchParams(exchange.query).get('entity')
    if (!isFile(exchange) || exchange.isCut || entity === 'attachments') return forward()
    return forward(withQuery(exchange, (parameters) => parameters.set('entity', 'attachments')))
  },

  /** Reports success without writing the fields. */
  forgetsFollowingFields: (): Tamper => (exchange, forward) =>
    isMedia(exchange) && isWrite(exchange)
      ? forward(mapSent(exchange, (record) => ({ ...record, fields: {} })))
      : forward(),

  keepsFollowingFields(): Tamper {
    const followed = new Map<string, Buffer>()
    return async (exchange, forward) => {
      const answer = await forward()
      const sent = parse(exchange.body).records
      if (isMedia(exchange) && isWrite(exchange) && sent?.[0]) followed.set(sent[0].external_id, exchange.body)
      if (isMedia(exchange) && isDelete(exchange))
        for (const { external_id } of sent ?? []) followed.delete(external_id)
      const body = followed.get(new URLSearchParams(exchange.query).get('external_id') ?? '')
      if (!isFile(exchange) || exchange.isCut || !body) return answer
      const headers = { ...exchange.headers, 'content-type': 'application/json' }
      const again = await forward({ path: '/records/media', query: '', headers, body })
      const version = parse(again.body).results?.[0]?.version
      return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), version }) }
    }
  },

  /** Empties the fields that are missing from the second request. */
  emptiesTheRestOfFiles: changeFound((fields, exchange) => {
    const { file_name, ...rest } = fields
    return isMedia(exchange) && 'alt' in fields ? rest : fields
  }),

  answersMoreFields: changeFound((fields) => ({ ...fields, color: 'red' })),
  fillsDefaults: changeFound((fields, { path }) =>
    path.includes('/tickets/') ? { status: 'new', ...fields } : fields,
  ),
  sortsLists: changeFound((fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
    ),
  ),

  failsOnNoRecords: (): Tamper => async (exchange, forward) => {
    const answer = await forward()
    const { records } = parse(exchange.body)
    return isWrite(exchange) && records?.length === 0 && answer.status === 200 ? { status: 422, body: '{}' } : answer
  },

  findsTwice: (): Tamper => async (exchange, forward) => {
    const answer = await forward()
    const { external_ids: asked = [] } = parse(exchange.body) as { external_ids?: string[] }
    if (!isFind(exchange) || asked.length !== 2 || asked[0] !== asked[1]) return answer
    const { records = [] } = parse(answer.body)
    return { ...answer, body: JSON.stringify({ records: [...records, ...records] }) }
  },

  describesTooLittle: () =>
    describeOtherwise((description) => {
      delete description.entities.comments?.fields.ticket
      return description
    }),
}
