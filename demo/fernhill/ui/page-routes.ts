import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { attachmentBody, attachmentHeaders } from '../attachment-bytes.ts'
import { DeskError, notFound } from '../errors.ts'
import { parseId } from '../query-parameters.ts'
import type { Records } from '../records.ts'
import * as directory from './directory-pages.ts'
import { html } from './html.ts'
import { FAVICON, type PageParts, renderPage } from './layout.ts'
import { ticketListPage, ticketPage } from './ticket-pages.ts'

// Pages load nothing from other sites and run no scripts, so the content of a message cannot do so either.
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const SHEETS = ['frame.css', 'lists.css', 'ticket.css']

type ById = { Params: { id: string } }
type Search = { Querystring: Record<string, unknown> }

/** The read-only pages. They need no key, because the desk listens on this machine only. */
export function addPageRoutes(app: FastifyInstance, records: Records, publicUrl: () => string): void {
  const style = SHEETS.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n')
  const send = (reply: FastifyReply, page: PageParts) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .send(renderPage(page))

  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof DeskError)) throw error
    return send(reply.code(error.status), {
      title: 'Not found',
      section: '/',
      body: html`<h1>Not found</h1><p class="empty">${error.message} <a href="/">All tickets</a></p>`,
    })
  })
  app.setNotFoundHandler(() => {
    throw notFound('This page')
  })

  app.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style))
  app.get('/favicon.svg', (_request, reply) => reply.type('image/svg+xml').send(FAVICON))

  app.get<Search>('/', ({ query }, reply) => {
    const filter = { status: text(query.status), search: text(query.q).slice(0, 200), before: count(query.before) }
    return send(reply, ticketListPage(records, { ...filter, before: filter.before || Number.MAX_SAFE_INTEGER }))
  })
  app.get('/tickets', (_request, reply) => reply.redirect('/'))
  app.get<ById>('/tickets/:id', ({ params }, reply) =>
    send(reply, ticketPage(records, parseId(params.id, 'This ticket'), publicUrl())),
  )
  app.get<Search>('/contacts', ({ query }, reply) =>
    send(reply, directory.contactListPage(records, count(query.after))),
  )
  app.get<ById>('/contacts/:id', ({ params }, reply) =>
    send(reply, directory.contactPage(records, parseId(params.id, 'This contact'))),
  )
  app.get('/organizations', (_request, reply) => send(reply, directory.organizationListPage(records)))
  app.get<ById>('/organizations/:id', ({ params }, reply) =>
    send(reply, directory.organizationPage(records, parseId(params.id, 'This organization'))),
  )
  app.get('/articles', (_request, reply) => send(reply, directory.articleListPage(records)))
  app.get<ById>('/articles/:id', ({ params }, reply) =>
    send(reply, directory.articlePage(records, parseId(params.id, 'This article'), publicUrl())),
  )
  app.get<ById>('/attachments/:id', (request, reply) => {
    const row = records.row('attachments', parseId(request.params.id, 'This attachment'))
    if (!row) throw notFound('This attachment')
    return reply.headers(attachmentHeaders(row)).send(attachmentBody(row, records.storedBytes(row.id)))
  })
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Reads a position in a list. An invalid value means the beginning. */
function count(value: unknown): number {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : 0
}
