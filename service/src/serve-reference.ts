import type { FastifyInstance, FastifyReply } from 'fastify'
import { type ReferencePage, referencePath, referenceScriptPath } from './reference-page.ts'
import { runInThread } from './threads/run-in-thread.ts'

/** Few people read the page, and those who do ask for both parts of it within seconds. */
const keptMs = 60_000
const cpuMs = 60_000

/** Serves the page that shows the API to people. It is made when somebody asks for it, and forgotten after a while. */
export function serveReference(app: FastifyInstance, descriptionUrl: string): void {
  const load = rememberFor(keptMs, async () => {
    const module = new URL('./make-reference.ts', import.meta.url).href
    const args = [descriptionUrl, 'Wherry partner API']
    return (await runInThread({ module, name: 'makeReference', args, cpuMs, isHeavy: true })) as ReferencePage
  })
  const serve = (path: string, contentType: string, take: (page: ReferencePage) => string | Buffer) =>
    app.get(path, { schema: { hide: true }, onRequest: guardPage }, async (_request, reply) => {
      const page = await load()
      return reply.header('Content-Type', contentType).send(take(page))
    })
  app.get(referencePath, { schema: { hide: true }, onRequest: guardPage }, (_request, reply) =>
    reply.redirect(`${referencePath}/`, 301),
  )
  serve(`${referencePath}/`, 'text/html; charset=utf-8', ({ html }) => html)
  serve(referenceScriptPath, 'application/javascript; charset=utf-8', ({ script }) =>
    Buffer.from(script.buffer, script.byteOffset, script.byteLength),
  )
}

/** The page's own script is inline; nothing may be asked of any other host. */
async function guardPage(_request: unknown, reply: FastifyReply): Promise<void> {
  reply.header(
    'Content-Security-Policy',
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'",
  )
}

/** One making at a time, whoever asks. A failed one is not remembered. */
function rememberFor<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  let timer: NodeJS.Timeout | undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      made = null
    }, ms).unref()
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}
