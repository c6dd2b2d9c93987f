import type { Tamper } from '../../engine/tampering-proxy.ts'

const deskTickets = 8

/** The desk with only its first tickets, because every record takes its own requests. */
export const smallDesk: Tamper = async ({ method, path }, pass) => {
  const answer = await pass()
  const [, name = ''] = /^\/api\/v1\/(\w+)$/.exec(path) ?? []
  if (method !== 'GET' || answer.status !== 200 || name === '') return answer
  const json = JSON.parse(String(answer.body)) as { data?: Record<string, number>[]; counts?: object }
  const isThere = (record: Record<string, number>) =>
    name === 'tickets'
      ? Number(record.id) <= deskTickets
      : name === 'comments'
        ? Number(record.ticket_id) <= deskTickets
        : !['categories', 'articles'].includes(name)
  const counts = { ...json.counts, tickets: deskTickets, categories: 0, articles: 0 }
  const changed = { ...json, ...(json.data && { data: json.data.filter(isThere) }), ...(json.counts && { counts }) }
  return { ...answer, body: JSON.stringify(changed) }
}
