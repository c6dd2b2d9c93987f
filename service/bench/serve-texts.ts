import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FamilyRecord } from '../src/families/record.ts'
import { hostileTexts, largeTexts } from './hostile-texts.ts'
import { answerParent } from './run-child.ts'

export interface ServeTexts {
  texts: number
  /** The number of additional texts of 10 MB. */
  large: number
}

/** Serves tickets with one hostile text each. */
answerParent(async ({ texts, large }: ServeTexts, cleanup) => {
  const tickets = [...hostileTexts(texts), ...largeTexts(large)].map(
    (description, index): FamilyRecord => ({
      entity: 'tickets',
      sourceId: String(index),
      fields: { subject: `Text ${index}`, description },
    }),
  )
  const answer = (url: URL) => {
    if (url.pathname === '/count') return { tickets: tickets.length }
    const ids = url.searchParams.get('ids')?.split(',')
    if (ids) return { items: tickets.filter(({ sourceId }) => ids.includes(sourceId)), warnings: [], next: null }
    const from = Number(url.searchParams.get('from'))
    const to = from + Number(url.searchParams.get('limit'))
    const next = to < tickets.length ? String(to) : null
    return { items: tickets.slice(from, to), warnings: [], next }
  }
  const server = createServer((request, response) => {
    const url = new URL(String(request.url), 'http://texts.example')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(url)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.defer(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
