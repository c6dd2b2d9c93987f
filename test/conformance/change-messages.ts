import type { Answer, Exchange, Tamper } from './tampering-proxy.ts'

export interface Sent {
  external_id: string
  revision?: number
  fields?: Record<string, unknown>
  version?: string
}
export interface Got extends Sent {
  result?: string
  code?: string
  id?: string
}
export interface Described {
  limits?: object
  capabilities: Record<string, boolean>
  entities: Record<string, { fields: Record<string, unknown> }>
}
export interface Parcel {
  records?: Got[]
  results?: Got[]
}

export const isWrite = ({ method, path }: Exchange) => method === 'PUT' && path.startsWith('/records/')
export const isFind = ({ path }: Exchange) => path.endsWith('/find')
export const isDelete = ({ path }: Exchange) => path.endsWith('/delete')
export const isFile = ({ path }: Exchange) => path === '/files'

export const parse = (text: Buffer | string): Parcel => {
  try {
    return JSON.parse(String(text)) as Parcel
  } catch {
    return {}
  }
}
export const mapSent = ({ body }: Exchange, change: (record: Sent) => Sent) => {
  const parcel = parse(body)
  if (!Array.isArray(parcel.records)) return {}
  return { body: Buffer.from(JSON.stringify({ ...parcel, records: parcel.records.map(change) })) }
}
export const mapGot = (answer: Answer, change: (record: Got, index: number) => Got): Answer => {
  const { records, results } = parse(answer.body)
  const changed = { ...(records && { records: records.map(change) }), ...(results && { results: results.map(change) }) }
  return records || results ? { ...answer, body: JSON.stringify(changed) } : answer
}
/** Changes the answer to `describe`. */
export const describeOtherwise =
  (change: (description: Described) => object): Tamper =>
  async ({ path }, forward) => {
    const answer = await forward()
    if (path !== '/describe' || answer.status !== 200) return answer
    return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body) as Described)) }
  }

/** Changes every text of every field in incoming records. */
export const changeTexts = (change: (text: string) => string): Tamper => {
  const one = (value: unknown) => (typeof value === 'string' ? change(value) : value)
  return (exchange, forward) =>
    isWrite(exchange)
      ? forward(
          mapSent(exchange, (record) => ({
            ...record,
            fields: Object.fromEntries(Object.entries(record.fields ?? {}).map(([name, value]) => [name, one(value)])),
          })),
        )
      : forward()
}
