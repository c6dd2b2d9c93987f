import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { putIntoLanguage } from './page-words.ts'

/**
 * Serves the page and its assets. The page is the same for every address, and gets its content from the JSON routes.
 */
export async function registerPageRoutes(app: FastifyInstance, { webDist }: { webDist: string }): Promise<void> {
  await app.register(fastifyStatic, { root: webDist, serve: false })
  await app.register(fastifyStatic, {
    root: join(webDist, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    // A flat folder of files; anything else is not found, like every other path that is not there.
    allowedPath: (path) => /^\/\w[\w.-]*$/.test(path),
    // Their names change with their content.
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    setHeaders: (reply) => reply.header('Vary', 'Accept-Encoding'),
  })
  const sendPage = (file: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    const page = await readFile(join(webDist, file), 'utf8').catch(() => null)
    if (page === null) return reply.callNotFound()
    return reply
      .header('Vary', 'Accept-Language')
      .type('text/html; charset=utf-8')
      .send(putIntoLanguage(page, request.headers['accept-language']))
  }
  for (const path of ['/imports/:id', '/imports/:id/:token', '/imports/:id/:token/']) {
    app.get(path, { schema: { hide: true } }, sendPage('index.html'))
  }
  app.get('/', { schema: { hide: true } }, sendPage('home.html'))
  // Browsers ask for the second name on pages that name no icon, such as an answer of the API.
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply.type('image/svg+xml').sendFile('favicon.svg', { maxAge: '1d' }),
    )
  }
}
