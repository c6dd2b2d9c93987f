import type { Tamper } from './tampering-proxy.ts'

/** The highest id of a ticket that the desk begins with. */
const seededTickets = 120

/**
 * The desk with only its first tickets, those that a test adds, and their comments, for tests that migrate all of it,
 * request by request.
 */
export const smallDesk =
  (tickets: number, added = 0): Tamper =>
  async ({ method, path }, pass) => {
    const answer = await pass()
    const [, name = ''] = /^\/api\/v1\/(\w+)$/.exec(path) ?? []
    if (method !== 'GET' || answer.status !== 200 || name === '') return answer
    const json = JSON.parse(String(answer.body)) as { data?: Record<string, number>[]; counts?: object }
    const isKept = (id: number) => id <= tickets || id > seededTickets
    const isThere = (record: Record<string, number>) =>
      name === 'tickets'
        ? isKept(Number(record.id))
        : name === 'comments'
          ? isKept(Number(record.ticket_id))
          : !['categories', 'articles'].includes(name)
    const counts = { ...json.counts, tickets: tickets + added, categories: 0, articles: 0 }
    const changed = { ...json, ...(json.data && { data: json.data.filter(isThere) }), ...(json.counts && { counts }) }
    return { ...answer, body: JSON.stringify(changed) }
  }
