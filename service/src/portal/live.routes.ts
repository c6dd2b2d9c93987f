import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { RequestError } from '../errors.ts'
import { findNewestRun } from '../imports/find-newest-run.ts'
import { findTwin } from '../imports/warn-of-twin.ts'
import { admitByCookie } from './admit-by-cookie.ts'
import { findPortalImport } from './find-portal-import.ts'
import { readPortalCookie } from './portal-cookie.ts'
import type { PortalParts } from './portal-parts.ts'
import { presentPortalImport } from './present-portal-import.ts'
import { createImportWatch } from './watch-imports.ts'

const lookMs = 1_000
/** Proxies close a connection on which nothing is said. */
const heartbeatMs = 15_000
const mostPerImport = 20

/** The import as server-sent events: once at the beginning, and whenever something has changed. */
export function registerLiveRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db, connectors, links } = parts
  const open = new Map<ServerResponse, string>()
  const watch = createImportWatch(async (importId) => {
    const imp = await findPortalImport(db, importId)
    if (!imp || imp.ended_as) return null
    const [run, twin] = [await findNewestRun(db, importId), await findTwin(db, importId)]
    return { link: imp.link_version, body: presentPortalImport(imp, run, twin, connectors) }
  }, lookMs)

  // A connection that never ends would hold up the end of the service.
  app.addHook('preClose', async () => {
    for (const stream of open.keys()) stream.end()
  })

  app.get<{ Params: { id: string } }>(
    '/portal/imports/:id/events',
    { schema: { hide: true } },
    async (request, reply) => {
      const imp = await admitByCookie(parts, request)
      const isHere = [...open.values()].filter((id) => id === imp.id).length
      if (isHere >= mostPerImport) {
        throw new RequestError('rate_limited', 'This import is open in too many windows.', { 'Retry-After': '60' })
      }
      const token = readPortalCookie(request, imp.id, parts.isSecure(request)) ?? ''
      reply.hijack()
      // Nothing else ends the turn of an answer that is written by hand.
      request.endTurn?.()
      const { raw: stream } = reply
      stream.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'Content-Type': 'text/event-stream',
        // Or a proxy would collect events before it passes them on.
        'X-Accel-Buffering': 'no',
      })
      stream.flushHeaders()
      // An answer before this one on the same connection had its time limited; this one may take for ever.
      request.raw.socket.setTimeout(0)
      open.set(stream, imp.id)
      // Only the newest state matters: a slow reader gets it when it has taken what came before, and skips the rest.
      let newest: string | null = null
      const say = (text: string) => {
        newest = stream.writableNeedDrain ? text : null
        if (newest === null) stream.write(text)
      }
      stream.on('drain', () => newest !== null && say(newest))
      const heartbeat = setInterval(() => stream.writableNeedDrain || stream.write(': still here\n\n'), heartbeatMs)
      const leave = watch.follow(imp.id, (seen) => {
        // The page asks once more, and is told why.
        if (!seen || !links.isToken({ ...imp, link_version: seen.link }, token)) stream.end('event: over\ndata: {}\n\n')
        else say(`data: ${JSON.stringify(seen.body)}\n\n`)
      })
      stream.on('close', () => {
        clearInterval(heartbeat)
        leave()
        open.delete(stream)
      })
    },
  )
}
