import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { RequestError } from '../errors.ts'
import { findNewestRun } from '../imports/find-newest-run.ts'
import { findTwin } from '../imports/warn-of-twin.ts'
import { keepCurrent, noteSeen } from '../portal-sessions.ts'
import { admitByCookie } from './admit-by-cookie.ts'
import { findPortalImport } from './find-portal-import.ts'
import { presentFor } from './keep-look-only.ts'
import type { PortalParts } from './portal-parts.ts'
import { presentPortalImport } from './present-portal-import.ts'
import { createImportWatch } from './watch-imports.ts'

const lookMs = 1_000
/** Proxies close a connection on which nothing is sent. */
const heartbeatMs = 15_000
const mostPerImport = 20
/** A session can end in another process, so the database is asked: one statement for all streams of this process. */
const sessionLookMs = 5_000
/** Ends a stream. The page then asks once more, and gets the reason. */
const over = 'event: over\ndata: {}\n\n'

/** The import as server-sent events: once at the beginning, and whenever something has changed. */
export function registerLiveRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db, connectors } = parts
  const open = new Map<ServerResponse, { importId: string; sessionId: string }>()
  const watch = createImportWatch(async (importId) => {
    const imp = await findPortalImport(parts, importId)
    if (!imp || imp.ended_as) return null
    const [run, twin] = await Promise.all([findNewestRun(parts, importId), findTwin(parts, importId)])
    return { link: imp.link_version, body: presentPortalImport(imp, run, twin, connectors) }
  }, lookMs)

  const endSignedOut = async () => {
    if (open.size === 0) return
    const followed = [...open]
    const sessionIds = [...new Set(followed.map(([, { sessionId }]) => sessionId))]
    const current = await keepCurrent(db, sessionIds)
    for (const [stream, { sessionId }] of followed) if (!current.has(sessionId)) stream.end(over)
    await noteSeen(db, sessionIds)
  }
  // While the database is unavailable, streams stay open.
  const looks = setInterval(() => void endSignedOut().catch(() => {}), sessionLookMs)
  looks.unref()

  // A connection that never ends would hold up the end of the service.
  app.addHook('preClose', async () => {
    clearInterval(looks)
    for (const stream of open.keys()) stream.end()
  })

  app.get<{ Params: { id: string } }>(
    '/portal/imports/:id/events',
    { schema: { hide: true } },
    async (request, reply) => {
      const imp = await admitByCookie(parts, request)
      const openHere = [...open.values()].filter(({ importId }) => importId === imp.id).length
      if (openHere >= mostPerImport) {
        throw new RequestError('rate_limited', 'This import is open in too many windows.', { 'Retry-After': '60' })
      }
      reply.hijack()
      // Nothing else ends the turn of an answer that is written by hand.
      request.endTurn?.()
      const { raw: stream } = reply
      stream.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'Content-Type': 'text/event-stream',
        // Keeps a proxy from collecting events before it passes them on.
        'X-Accel-Buffering': 'no',
      })
      stream.flushHeaders()
      // An earlier answer on this connection has set a time limit. A stream has none.
      request.raw.socket.setTimeout(0)
      open.set(stream, { importId: imp.id, sessionId: imp.session.id })
      // A slow reader gets the newest state once it has read the last one, and skips the states between.
      let newest: string | null = null
      const say = (text: string) => {
        newest = stream.writableNeedDrain ? text : null
        if (newest === null) stream.write(text)
      }
      stream.on('drain', () => newest !== null && say(newest))
      const heartbeat = setInterval(() => stream.writableNeedDrain || stream.write(': still here\n\n'), heartbeatMs)
      const leave = watch.follow(imp.id, (seen) => {
        // An answer from just before a new link may arrive after it, so only a later version ends a stream.
        if (!seen || seen.link > imp.link_version) stream.end(over)
        else say(`data: ${JSON.stringify(presentFor(imp.session, seen.body))}\n\n`)
      })
      stream.on('close', () => {
        clearInterval(heartbeat)
        leave()
        open.delete(stream)
      })
    },
  )
}
