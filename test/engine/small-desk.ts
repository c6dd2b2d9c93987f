import type { Tamper } from './tampering-proxy.ts'

/**
 * The desk with only its first tickets and their comments, for tests that migrate all of it, request by request.
 */
export const smallDesk =
  (tickets: number): Tamper =>
  async ({ method, path }, pass) => {
    const answer = await pass()
    const [, name = ''] = /^\/api\/v1\/(\w+)$/.exec(path) ?? []
    if (method !== 'GET' || answer.status !== 200 || name === '') return answer
    const json = JSON.parse(String(answer.body)) as { data?: Record<string, number>[]; counts?: object }
    const isThere = (record: Record<string, number>) =>
      name === 'tickets'
        ? Number(record.id) <= tickets
        : name === 'comments'
          ? Number(record.ticket_id) <= tickets
          : !['categories', 'articles'].includes(name)
    const counts = { ...json.counts, tickets, categories: 0, articles: 0 }
    const changed = { ...json, ...(json.data && { data: json.data.filter(isThere) }), ...(json.counts && { counts }) }
    return { ...answer, body: JSON.stringify(changed) }
  }
