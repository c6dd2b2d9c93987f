import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance, FastifyReply } from 'fastify'

const docsPrefix = '/docs'

export interface RenderedDocs {
  page: Uint8Array
  /** The program that shows the description in the browser. */
  script: Uint8Array
}

/** The page's own script is inline; nothing may be asked of any other host. */
const contentPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'"

/** The description of the API, and the page for people that shows it. */
export function registerDocs(app: FastifyInstance): void {
  const hidden = { schema: { hide: true } }
  const readDocs = createReadDocs()
  const send = (reply: FastifyReply, type: string, body: Uint8Array) =>
    reply.header('Content-Security-Policy', contentPolicy).type(type).send(Buffer.from(body.buffer))

  app.get('/api/openapi.json', hidden, async () => app.swagger())
  app.get(docsPrefix, hidden, async (_request, reply) => reply.redirect(`${docsPrefix}/`, 301))
  app.get(`${docsPrefix}/`, hidden, async (_request, reply) =>
    send(reply, 'text/html; charset=utf-8', (await readDocs()).page),
  )
  app.get(`${docsPrefix}/js/scalar.js`, hidden, async (_request, reply) =>
    send(reply, 'application/javascript; charset=utf-8', (await readDocs()).script),
  )
}

/** The page takes 30 MB to make and 5 MB to keep, so it is made for its first reader, in a thread that ends afterwards. */
function createReadDocs(): () => Promise<RenderedDocs> {
  let docs: Promise<RenderedDocs> | null = null
  return () => {
    docs ??= render().catch((error) => {
      docs = null
      throw error
    })
    return docs
  }
}

async function render(): Promise<RenderedDocs> {
  const thread = new Worker(new URL('./render-docs.ts', import.meta.url), { workerData: { docsPrefix } })
  try {
    const [docs] = (await once(thread, 'message')) as [RenderedDocs]
    return docs
  } finally {
    await thread.terminate()
  }
}
