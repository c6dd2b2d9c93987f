import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createBrowser } from '../browse-records.ts'
import type { EntityRules } from '../entities.ts'
import { HarbourError, notFound } from '../errors.ts'
import { isFileEntity } from '../files.ts'
import { inTransaction } from '../open-database.ts'
import { customFieldsOf, fieldsOf } from '../rows.ts'
import type { FileStore } from '../store-files.ts'
import type { RecordStore } from '../store-records.ts'
import { fileHeaders } from './file-headers.ts'
import { html } from './html.ts'
import { addImportRoutes, type ImportOptions } from './import-routes.ts'
import { FAVICON, type Page, renderPage } from './layout.ts'
import { listPage, overviewPage, type PageContext, recordPage } from './record-pages.ts'
import { requireOwnPage } from './require-own-page.ts'
import { titleFieldOf } from './show-value.ts'

export interface PageOptions {
  db: DatabaseSync
  store: RecordStore
  files: FileStore
  entities: Readonly<Record<string, EntityRules>>
  /** The account that the pages show. */
  account: string
  accountName: string
  publicUrl: () => string
  /** Null when Harbour has no account at Wherry. */
  imports: ImportOptions | null
}

// Pages load nothing from other sites and run no scripts, so the content of a record cannot do so either.
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

/** Sends a page. `policy` replaces single rules of the content security policy. */
export type SendPage = (reply: FastifyReply, page: Page, policy?: Readonly<Record<string, string>>) => FastifyReply

type ById = { Params: { entity: string; id: string } }

/** Adds the pages that show the records. They need no password, because Harbour listens on this machine only. */
export function addPageRoutes(app: FastifyInstance, options: PageOptions): void {
  const { db, store, files, entities, account, publicUrl } = options
  const browser = createBrowser(db, account)
  const style = ['style.css', 'imports.css']
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('')
  const context = (): PageContext => ({ browser, entities, publicUrl: publicUrl() })
  const send: SendPage = (reply, page, policy = {}) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', writePolicy({ ...POLICY, ...policy }))
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .send(renderPage(page, options.accountName))
  const rulesOf = (entity: string): EntityRules => {
    const rules = Object.hasOwn(entities, entity) ? entities[entity] : undefined
    if (!rules) throw notFound('This page')
    return rules
  }
  const rowOf = (entity: string, id: string) => {
    const row = /^\d{1,15}$/.test(id) ? browser.byId(entity, Number(id)) : undefined
    if (!row) throw notFound('This page')
    return row
  }

  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof HarbourError)) throw error
    const body = html`<h1>${error.status === 404 ? 'Not found' : 'Not saved'}</h1><p>${error.message} <a href="/">Overview</a></p>`
    return send(reply.code(error.status), { title: 'Not found', section: '', body })
  })
  app.setNotFoundHandler(() => {
    throw notFound('This page')
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  app.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style))
  app.get('/favicon.svg', (_request, reply) => reply.type('image/svg+xml').send(FAVICON))
  app.get('/', (_request, reply) => send(reply, overviewPage(context())))
  addImportRoutes(app, options.imports, send)
  app.get<{ Params: { id: string } }>('/files/:id', ({ params }, reply) => {
    const row = /^\d{1,15}$/.test(params.id) ? browser.fileById(Number(params.id)) : undefined
    if (!row) throw notFound('This page')
    return reply.headers(fileHeaders(row)).send(files.open(row))
  })
  app.get<{ Params: { entity: string }; Querystring: { after?: string } }>('/:entity', ({ params, query }, reply) =>
    send(reply, listPage(context(), params.entity, rulesOf(params.entity), Number(query.after) || 0)),
  )
  app.get<ById>('/:entity/:id', ({ params: { entity, id } }, reply) => {
    const rules = rulesOf(entity)
    return send(reply, recordPage(context(), rowOf(entity, id), rules))
  })

  /** People can edit a record's title field here. An edit gives the record a new version. */
  app.post<ById & { Body: { value?: unknown } | null }>('/:entity/:id', (request, reply) => {
    const { entity, id } = request.params
    requireOwnPage(request)
    const rules = rulesOf(entity)
    const name = titleFieldOf(rules)
    const value = request.body?.value
    if (name === undefined || isFileEntity(entity) || typeof value !== 'string' || value.trim() === '') {
      throw new HarbourError(422, 'blank', 'There was nothing to save.')
    }
    inTransaction(db, () => {
      const row = rowOf(entity, id)
      const fields = { ...fieldsOf(row), [name]: value.slice(0, 1000) }
      const content = { fields, customFields: customFieldsOf(row), createdAt: null, updatedAt: null }
      store.replace({ account, requestId: request.id }, row, rules, content, 'edit')
    })
    return reply.redirect(`/${entity}/${id}`, 303)
  })
}

function writePolicy(rules: Readonly<Record<string, string>>): string {
  return Object.entries(rules)
    .map(([rule, value]) => `${rule} ${value}`)
    .join('; ')
}
