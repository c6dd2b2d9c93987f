import type { Readable } from 'node:stream'
import { ObstacleError, RetryableError } from '../../errors.ts'
import { callTool, type ToolRequest } from '../../outbound/call-tool.ts'
import type { Account } from '../contract.ts'
import { breaksProtocol } from './break-protocol.ts'
import { answers } from './schema.ts'
import type { WireContent } from './to-wire.ts'

export interface SentRecord extends WireContent {
  external_id: string
  revision: number
  version?: string
}

export type Api = ReturnType<typeof createApi>

const usersPerPage = 200

/** The six requests of docs/destination-protocol.md. What comes back has the shape that the protocol promises, or it throws. */
export function createApi({ access, outbound, signal }: Account) {
  const base = String(access.instanceUrl).replace(/\/+$/, '')
  const call = async (path: string, request: Omit<ToolRequest, 'signal'>, expected: readonly number[] = []) => {
    const { status, json } = await callTool<unknown>(
      outbound,
      `${base}${path}`,
      { ...request, headers: { authorization: `Bearer ${access.token}`, ...request.headers }, signal },
      [404, 422, ...expected],
    )
    if (status === 404) throw notThere(path)
    if (status === 422) {
      throw new ObstacleError(
        'protocol_broken',
        'operator',
        `The destination says that our request breaks the protocol: ${sentenceOf(json)}`,
      )
    }
    return { status, json }
  }
  const records = (entity: string, act = '') => `/records/${encodeURIComponent(entity)}${act}`

  return {
    describe: async () => answers.describe.read((await call('/describe', {})).json),

    async users(cursor: string | null) {
      const after = cursor === null ? '' : `&after=${encodeURIComponent(cursor)}`
      return answers.users.read((await call(`/users?limit=${usersPerPage}${after}`, {})).json)
    },

    /** One result for each record, in the same order; null when the batch is too large for the destination. */
    async write(entity: string, batch: readonly SentRecord[]) {
      const { status, json } = await call(records(entity), { method: 'PUT', json: { records: batch } }, [413])
      if (status === 413) return null
      const { results } = answers.write.read(json)
      requireOrder('PUT /records', batch, results)
      return results
    },

    async find(entity: string, keys: readonly string[]) {
      const { json } = await call(records(entity, '/find'), { method: 'POST', json: { external_ids: keys } })
      const { records: found } = answers.find.read(json)
      const asked = new Set(keys)
      // Each is struck off when it comes, so that neither strangers nor doubles pass.
      for (const { external_id } of found) {
        if (!asked.delete(external_id)) {
          throw breaksProtocol(`POST /records/…/find answered ${external_id} twice or unasked`)
        }
      }
      return found
    },

    async remove(entity: string, batch: readonly { external_id: string; version?: string; revision?: number }[]) {
      const { json } = await call(records(entity, '/delete'), { method: 'POST', json: { records: batch } })
      const { results } = answers.remove.read(json)
      requireOrder('POST /records/…/delete', batch, results)
      return results
    },

    /** Null when the destination stopped reading because the file is too large. */
    async putFile(parameters: Record<string, string>, headers: Record<string, string>, body: Readable) {
      const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      const { status, json } = await call(`/files?${query.join('&')}`, { method: 'PUT', headers, body }, [413])
      return status === 413 ? null : answers.file.read(json)
    },
  }
}

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

/** Without a description nobody is there at all; otherwise the destination does not know what it has described itself. */
function notThere(path: string): RetryableError {
  const [what = ''] = path.split('?')
  if (what !== '/describe') return breaksProtocol(`${what} is answered with 404`)
  const message =
    'There is no destination at its address any more (404). Please check the address and connect it again.'
  return new RetryableError('the destination answered 404', {
    obstacle: new ObstacleError('address_wrong', 'customer', message),
  })
}

/** The sentence in the body of an error, if it holds one; it comes from outside, so it is cut. */
function sentenceOf(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : null
  return typeof message === 'string' ? message.slice(0, 300) : 'it did not say why.'
}
