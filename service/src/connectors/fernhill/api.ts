import type { Static } from 'typebox'
import { RetryableError } from '../../errors.ts'
import { askForLess } from '../../outbound/ask-for-less.ts'
import { callTool } from '../../outbound/call-tool.ts'
import { downloadFile } from '../../outbound/download-file.ts'
import type { OutboundStream } from '../../outbound/outbound.ts'
import type { Account } from '../contract.ts'
import { accountSchema, type ListName, parsePage, parseWhole, type RawPage, type RawRecord, schemas } from './schema.ts'

/** Where in a list, and what of it. */
export interface ListPosition {
  after: string | null
  since?: string | undefined
  ids?: readonly string[]
}

/** The API of one desk: requests and paging, raw pages out. See demo/fernhill/README.md. */
export interface FernhillApi {
  account(): Promise<Static<typeof accountSchema>>
  list(name: ListName, position: ListPosition): Promise<RawPage>
  commentsOf(ticketId: string, position: ListPosition): Promise<RawPage>
  /** Every record of a list, for lists that stay small. */
  listAll(name: ListName): Promise<RawRecord[]>
  /** Also finds an agent who has left; null when there never was one. */
  agent(id: number): Promise<Static<typeof schemas.agents> | null>
  /** Whether the desk says that it has no such record. */
  isGone(name: ListName, id: string): Promise<boolean>
  content(attachmentId: string): Promise<OutboundStream>
}

/** Against a list whose cursors lead in a circle. */
const maxPagesOfSmallList = 1_000

export function createFernhillApi({ access, outbound, signal }: Account, pageSize: number): FernhillApi {
  const origin = `${access.instanceUrl?.replace(/\/+$/, '')}/api/v1`
  const request = { headers: { authorization: `Bearer ${access.token}` }, signal }
  const get = (path: string, expected: number[] = []) =>
    callTool<unknown>(outbound, `${origin}${path}`, request, expected)

  const page = (path: string, position: ListPosition, expected: number[] = []) =>
    askForLess(pageSize, (size) => pageOf(path, size, position, expected))
  const pageOf = async (path: string, size: number, { after, since, ids }: ListPosition, expected: number[]) => {
    const query = new URLSearchParams({ limit: String(size) })
    if (after !== null) query.set('after', after)
    if (since !== undefined) query.set('updated_since', since)
    if (ids !== undefined) query.set('ids', ids.join(','))
    const { status, json } = await get(`${path}?${query}`, expected)
    return status === 404 ? { data: [], next: null } : parsePage(json)
  }
  const list: FernhillApi['list'] = (name, position) => page(`/${name}`, position)

  return {
    list,
    // A ticket that is gone has no comments.
    commentsOf: (ticketId, position) => page(`/tickets/${encodeURIComponent(ticketId)}/comments`, position, [404]),
    async account() {
      return parseWhole(accountSchema, (await get('/account')).json, 'an account')
    },
    async listAll(name) {
      const records: RawRecord[] = []
      let after: string | null = null
      for (let pages = 0; pages < maxPagesOfSmallList; pages += 1) {
        const page: RawPage = await list(name, { after })
        records.push(...page.data)
        if (page.next === null) return records
        after = page.next
      }
      throw new RetryableError(`the list of ${name} of a Fernhill Desk does not end`)
    },
    async agent(id) {
      const { status, json } = await get(`/agents/${id}`, [404])
      return status === 404 ? null : parseWhole(schemas.agents, json, 'an agent')
    },
    isGone: async (name, id) => (await get(`/${name}/${id}`, [403, 404])).status === 404,
    content: (attachmentId) =>
      downloadFile(outbound, `${origin}/attachments/${encodeURIComponent(attachmentId)}/content`, request),
  }
}
