import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { RequestError, ValidationError } from '../errors.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { arrangeUpload } from '../uploads/arrange-upload.ts'
import { awaitReading } from '../uploads/await-reading.ts'
import { addFile, removeFile } from '../uploads/change-files.ts'
import { findIntake } from '../uploads/find-intake.ts'
import { finishUpload } from '../uploads/finish-upload.ts'
import { receivePart } from '../uploads/receive-part.ts'
import { startUpload } from '../uploads/start-upload.ts'
import { findUploads, partBytes, requireUpload, type UploadRow } from '../uploads/upload-rows.ts'
import { admitAction, admitByCookie } from './admit-by-cookie.ts'
import type { PortalImportRow } from './find-portal-import.ts'
import type { PortalParts } from './portal-parts.ts'
import { presentUpload, problemsOf } from './present-upload.ts'
import { readTableChoices, readUploadRequest } from './read-upload-request.ts'
import type { PortalUpload } from './upload-contract.ts'

/** Time that an answer waits for the files to be read; small files are read by then. */
const patienceMs = 10_000
const maxTablesBytes = 1024 * 1024

type WithId = { Params: { id: string } }
type WithUpload = { Params: { id: string; upload: string } }
type WithFile = { Params: { id: string; upload: string; file: string } }

/** Receives the files of an import whose source is files, part by part, and shows their tables. */
export async function registerUploadRoutes(app: FastifyInstance, parts: PortalParts): Promise<void> {
  const { db, keyRing } = parts
  const schema = { hide: true }
  const bodyLimit = 16 * 1024
  const present = async (imp: PortalImportRow, upload: UploadRow): Promise<PortalUpload> => {
    const { changes } = await findNewest(db, imp.id)
    return presentUpload(upload, summaryOf(parts, imp, upload), imp.family, changes)
  }

  app.get<WithId>('/portal/imports/:id/uploads', { schema }, async (request) => {
    const imp = await admitByCookie(parts, request)
    const uploads = await findUploads(db, keyRing, { importId: imp.id })
    return { uploads: await Promise.all(uploads.map((upload) => present(imp, upload))) }
  })

  app.post<WithId>('/portal/imports/:id/uploads', { schema, bodyLimit }, async (request, reply) => {
    const imp = await admitAction(parts, request)
    const uploadId = await startUpload(parts, { importId: imp.id, ...readUploadRequest(request.body) })
    return reply.code(201).send(await present(imp, await requireUpload(db, keyRing, { importId: imp.id, uploadId })))
  })

  app.get<WithUpload>('/portal/imports/:id/uploads/:upload', { schema }, async (request) => {
    const imp = await admitByCookie(parts, request)
    return present(imp, await requireUpload(db, keyRing, { importId: imp.id, uploadId: request.params.upload }))
  })

  app.post<WithUpload>('/portal/imports/:id/uploads/:upload/files', { schema, bodyLimit }, async (request, reply) => {
    const imp = await admitAction(parts, request)
    const ids = { importId: imp.id, uploadId: request.params.upload }
    await addFile(parts, { ...ids, ...readUploadRequest(request.body) })
    return reply.code(201).send(await present(imp, await requireUpload(db, keyRing, ids)))
  })

  const answerWhenRead = async (imp: PortalImportRow, uploadId: string, reply: FastifyReply) => {
    await awaitReading(db, uploadId, patienceMs)
    const upload = await requireUpload(db, keyRing, { importId: imp.id, uploadId })
    if (upload.state === 'refused') throw refusal(upload, summaryOf(parts, imp, upload))
    return reply.code(upload.state === 'reading' ? 202 : 200).send(await present(imp, upload))
  }

  app.post<WithUpload>('/portal/imports/:id/uploads/:upload/finish', { schema }, async (request, reply) => {
    const imp = await admitAction(parts, request)
    const { upload: uploadId } = request.params
    await finishUpload(parts, { importId: imp.id, uploadId })
    return answerWhenRead(imp, uploadId, reply)
  })

  app.delete<WithFile>('/portal/imports/:id/uploads/:upload/files/:file', { schema }, async (request, reply) => {
    const imp = await admitAction(parts, request)
    const { upload: uploadId, file } = request.params
    await removeFile(parts, { importId: imp.id, uploadId, file: readNumber(file) ?? -1 })
    const [isLeft] = await findUploads(db, keyRing, { importId: imp.id, uploadId })
    return isLeft ? answerWhenRead(imp, uploadId, reply) : reply.code(204).send()
  })

  const tablesOptions = { schema, bodyLimit: maxTablesBytes }
  app.put<WithUpload>('/portal/imports/:id/uploads/:upload/tables', tablesOptions, async (request, reply) => {
    const imp = await admitAction(parts, request)
    const { upload: uploadId } = request.params
    await arrangeUpload(parts, { importId: imp.id, uploadId, choices: readTableChoices(request.body) })
    return answerWhenRead(imp, uploadId, reply)
  })

  await app.register(async (scope) => registerContentRoute(scope, parts))
}

function summaryOf({ connectors }: PortalParts, imp: PortalImportRow, { findings }: UploadRow) {
  return findings === null ? null : findIntake(connectors, imp.source_tool).summarize(findings)
}

function refusal(upload: UploadRow, summary: ReturnType<typeof summaryOf>): ValidationError {
  return new ValidationError({
    upload: problemsOf(upload, summary).map(({ file, message, fix }) => `${file}: ${message} ${fix}`),
  })
}

type WithOffset = WithUpload & { Querystring: { file?: string; offset?: string } }

/** In a scope of its own: only here is a body a stream of bytes. */
function registerContentRoute(scope: FastifyInstance, parts: PortalParts): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  const options = { schema: { hide: true }, bodyLimit: partBytes + 1 }
  scope.put<WithOffset>('/portal/imports/:id/uploads/:upload/content', options, async (request) => {
    const { id: importId } = await admitAction(parts, request)
    const length = readNumber(request.headers['content-length'])
    if (length === null) throw new RequestError('bad_request', 'The header Content-Length is missing.')
    const offset = readNumber(request.query.offset)
    if (offset === null) throw new ValidationError({ offset: ['must be a whole number'] })
    const file = request.query.file === undefined ? 0 : readNumber(request.query.file)
    if (file === null) throw new ValidationError({ file: ['must be the number of a file of this upload'] })
    const body = request.body as Readable | undefined
    if (!body) throw new ValidationError({ length: ['must not be 0'] })
    try {
      const { upload: uploadId } = request.params
      return { received: await receivePart(parts, { importId, uploadId, file, offset, length, body }) }
    } catch (error) {
      // The rest of the body is thrown away, so that the answer reaches the sender.
      body.resume()
      throw error
    }
  })
}

function readNumber(text: unknown): number | null {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null
}
