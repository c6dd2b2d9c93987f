import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './run-child.ts'

/** Serves partners' endpoints in a separate process. They answer at once, and count the messages. */
export type ServeEndpoints = { start: number } | { count: true }

export interface Counted {
  /** The number of different messages. A repeated message counts once. */
  messages: number
  /** The time of the last message, in milliseconds since 1970. */
  lastAt: number
}

const seen = new Set<string>()
let lastAt = 0

answerParent(async (question: ServeEndpoints, cleanup): Promise<string[] | Counted> => {
  if ('count' in question) return { messages: seen.size, lastAt }
  return Promise.all(
    Array.from({ length: question.start }, async () => {
      const server = createServer((request, response) => {
        request.resume().on('end', () => {
          seen.add(String(request.headers['webhook-id']))
          lastAt = performance.timeOrigin + performance.now()
          response.writeHead(204).end()
        })
      })
      cleanup.defer(async () => {
        server.closeAllConnections()
        server.close()
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }),
  )
})
