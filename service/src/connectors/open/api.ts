import type { Readable } from 'node:stream'
import { ObstacleError, RetryableError } from '../../errors.ts'
import type { Account } from '../contract/contract.ts'
import { bearer, instance, openHttp, type Query, type Sending } from '../kit/http.ts'
import { breaksProtocol } from './break-protocol.ts'
import { answers, type KeptResult, type WriteResult } from './schema.ts'
import type { WireContent } from './to-wire.ts'

export interface SentRecord extends WireContent {
  external_id: string
  revision: number
  version?: string
  /** Records inside this one. The destination writes each of them after it. */
  parts?: (SentRecord & { entity: string })[]
}

export type Api = ReturnType<typeof createApi>

const usersPerPage = 200

/** The six requests of docs/destination-protocol.md. An answer that does not have the protocol's shape throws. */
export function createApi(account: Account) {
  const http = openHttp(account, {
    label: 'The destination',
    base: instance,
    signIn: bearer,
    answers: { 404: 'refused', 413: 'refused', 422: 'refused' },
  })
  const read = async (path: string, query: Query = {}) => {
    const { status, json } = await http.look(path, [404, 422], query)
    return meant(path, status, json)
  }
  /** Returns null if the request is too large for the destination. */
  const send = async (method: 'PUT' | 'POST', path: string, sending: Sending) => {
    const { status, json } = await http.send(method, path, sending)
    return status === 413 ? null : { json: meant(path, status, json) }
  }
  const ask = async (path: string, json: unknown) => {
    const answer = await send('POST', path, { json })
    if (!answer) throw new RetryableError('the destination answered 413')
    return answer.json
  }
  const records = (entity: string, act = '') => `/records/${encodeURIComponent(entity)}${act}`

  return {
    describe: async () => answers.describe.read(await read('/describe')),

    users: async (cursor: string | null) =>
      answers.users.read(await read('/users', { limit: usersPerPage, after: cursor })),

    /** Returns one result per record, in the same order. Null if the batch is too large for the destination. */
    async write(entity: string, batch: readonly SentRecord[]) {
      const answer = await send('PUT', records(entity), { json: { records: batch } })
      if (!answer) return null
      const { results } = answers.write.read(answer.json)
      requireOrder('PUT /records', batch, results)
      for (const [index, result] of results.entries()) {
        const parts = batch[index]?.parts
        if (parts && isKept(result)) requireOrder('PUT /records, inside a record,', parts, result.parts ?? [])
      }
      return results
    },

    async find(entity: string, keys: readonly string[]) {
      const { records: found } = answers.find.read(await ask(records(entity, '/find'), { external_ids: keys }))
      const asked = new Set(keys)
      // Each id is deleted from `asked` when it arrives, so an unrequested or repeated record is an error.
      for (const { external_id } of found) {
        if (!asked.delete(external_id)) {
          throw breaksProtocol(`POST /records/…/find answered ${external_id} twice or unasked`)
        }
      }
      return found
    },

    async remove(entity: string, batch: readonly { external_id: string; version?: string; revision?: number }[]) {
      const { results } = answers.remove.read(await ask(records(entity, '/delete'), { records: batch }))
      requireOrder('POST /records/…/delete', batch, results)
      return results
    },

    /** Returns null if the destination stopped reading because the file is too large. */
    async putFile(parameters: Record<string, string>, headers: Record<string, string>, body: Readable) {
      const answer = await send('PUT', '/files', { query: parameters, headers, body })
      return answer && answers.file.read(answer.json)
    },
  }
}

/** Only a record that was written has results for the records inside it. */
export const isKept = (result: WriteResult): result is KeptResult =>
  result.result === 'created' || result.result === 'updated'

function requireOrder(
  what: string,
  sent: readonly { external_id: string }[],
  results: readonly { external_id: string }[],
): void {
  if (results.length !== sent.length) {
    throw breaksProtocol(`${what} answered ${results.length} results for ${sent.length} records`)
  }
  const wrong = sent.findIndex(({ external_id }, index) => results[index]?.external_id !== external_id)
  if (wrong !== -1) {
    throw breaksProtocol(`${what} answered result ${wrong} for another record`)
  }
}

function meant(path: string, status: number, json: unknown): unknown {
  if (status === 404) throw notThere(path)
  if (status !== 422) return json
  const message = `The destination says that our request breaks the protocol: ${sentenceOf(json)}`
  throw new ObstacleError('protocol_broken', 'operator', message)
}

/**
 * The error for a 404. For `/describe`, there is no destination at the address. For other paths, the destination breaks
 * the protocol.
 */
function notThere(path: string): RetryableError {
  if (path !== '/describe') return breaksProtocol(`${path} is answered with 404`)
  const message =
    'There is no longer a destination at its address (404). Please check the address and connect it again.'
  return new RetryableError('the destination answered 404', {
    obstacle: new ObstacleError('address_wrong', 'customer', message),
  })
}

/** The message in the body of an error, if there is one. It comes from outside, so it is shortened. */
function sentenceOf(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : null
  return typeof message === 'string' ? message.slice(0, 300) : 'it did not say why.'
}
