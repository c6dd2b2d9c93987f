import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './run-child.ts'

/** Serves a help desk of any size with Fernhill Desk's API, and with little work per record. */
export interface ServeDesk {
  tickets: number
  commentsPerTicket: number
  /** Whether the first comment of each ticket has a file. */
  hasFiles?: boolean
}

const pageSize = 100
const day = '2026-03-01T09:30:00.000Z'
const stamps = { created_at: day, updated_at: day }
const text =
  '<p>The rake arrived <b>bent</b>, and the handle came loose on the second day. Please see <a href="https://example.com/photos">the photos</a>.</p><p>Kind regards</p>'

const file = Buffer.alloc(4_000, 'A bent rake. ')

answerParent(async ({ tickets, commentsPerTicket, hasFiles = false }: ServeDesk, cleanup) => {
  const comments = tickets * commentsPerTicket
  const fileOf = (comment: number) => Math.ceil(comment / commentsPerTicket)
  const makeFile = (id: number) => ({
    id,
    ...stamps,
    comment_id: (id - 1) * commentsPerTicket + 1,
    file_name: `rake-${id}.txt`,
    content_type: 'text/plain',
    size: file.length,
    inline: false,
    url: `https://desk.example/attachments/${id}`,
  })
  const lists: Record<string, { total: number; make(id: number): object }> = {
    agents: {
      total: 1,
      make: (id) => ({ id, ...stamps, name: 'Sam Reed', email: 'sam@example.com', group_ids: [], deleted: false }),
    },
    organizations: { total: 1, make: (id) => ({ id, ...stamps, name: 'Greenfield', domains: [], notes: '' }) },
    contacts: {
      total: 1,
      make: (id) => ({
        id,
        ...stamps,
        name: 'Ann Lee',
        emails: ['ann@example.com'],
        phones: [],
        // Some tools refuse a ticket whose requester does not belong to its organization.
        organization_id: 1,
      }),
    },
    tickets: {
      total: tickets,
      make: (id) => ({
        id,
        ...stamps,
        number: 1000 + id,
        subject: `Rake number ${id} arrived bent`,
        description: text,
        comment_count: commentsPerTicket,
        status: 'open',
        priority: 'normal',
        type: 'question',
        channel: 'email',
        requester_id: 1,
        organization_id: 1,
        tags: ['returns', 'tools'],
        custom_fields: {},
        url: `https://desk.example/tickets/${1000 + id}`,
      }),
    },
    comments: {
      total: comments,
      make: (id) => ({
        id,
        ...stamps,
        ticket_id: Math.ceil(id / commentsPerTicket),
        author_type: 'contact',
        author_id: 1,
        public: true,
        body: text,
        attachments: hasFiles && id % commentsPerTicket === 1 % commentsPerTicket ? [makeFile(fileOf(id))] : [],
      }),
    },
  }
  lists.attachments = { total: hasFiles ? tickets : 0, make: makeFile }
  const list = (name: string, query: URLSearchParams) => {
    const { total, make } = lists[name] ?? { total: 0, make: () => ({}) }
    const after = Number(query.get('after') ?? 0)
    const asked = query.get('ids')?.split(',').map(Number)
    const ids = asked
      ? asked.filter((id) => id > after && id <= total).sort((a, b) => a - b)
      : Array.from({ length: Math.min(pageSize, Math.max(0, total - after)) }, (_, index) => after + index + 1)
    const page = ids.slice(0, pageSize)
    const last = page.at(-1) ?? total
    return { data: page.map(make), next: !asked && last < total ? String(last) : null }
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://desk')
    const [, , , name = '', id, part] = url.pathname.split('/')
    const answer = () => {
      if (name === 'account') {
        return {
          name: 'Bench',
          counts: {
            tickets,
            comments,
            contacts: 1,
            organizations: 1,
            groups: 0,
            categories: 0,
            articles: 0,
            attachments: hasFiles ? tickets : 0,
          },
        }
      }
      if (part === 'comments') {
        const first = (Number(id) - 1) * commentsPerTicket
        const ids = Array.from({ length: commentsPerTicket }, (_, index) => first + index + 1)
        return { data: ids.map((comment) => lists.comments?.make(comment)), next: null }
      }
      if (id === undefined) return list(name, url.searchParams)
      const { total = 0, make } = lists[name] ?? {}
      return Number(id) <= total ? (make?.(Number(id)) ?? null) : null
    }
    if (part === 'content') {
      response.setHeader('content-type', 'text/plain')
      return void response.end(file)
    }
    const found = answer()
    if (found === null) response.statusCode = 404
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(found))
  })
  cleanup.defer(async () => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
