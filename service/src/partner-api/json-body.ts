import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RequestError } from '../errors.ts'

const maxBytes = 64 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    /** The parsed body, for comparing a repeated request with the first. */
    bodyObject: Record<string, unknown> | null
  }
}

/** Parses every body as JSON, under any content type, and refuses other bodies with a 400. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyObject', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) refuseSize()
    const bytes = await readBody(payload)
    if (bytes.length === 0) return undefined
    requireJsonContentType(request.headers['content-type'])
    request.bodyObject = parseObject(bytes)
    return request.bodyObject
  })
}

async function readBody(payload: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of payload) {
      length += chunk.length
      if (length > maxBytes) refuseSize()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof RequestError) throw error
    // The sender hung up. Nobody reads this answer, but the log must not show it as our fault.
    throw new RequestError('bad_request', 'The body ended before it was complete.')
  }
  return Buffer.concat(chunks)
}

/** Refuses at once: node:http reads and drops the rest, so that the sender sees the answer. */
function refuseSize(): never {
  throw new RequestError('bad_request', 'The body is larger than 64 KiB.')
}

function requireJsonContentType(header: string | undefined): void {
  const mediaType = (header || 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!/^application\/([a-z0-9!#$&^_.-]+\+)?json$/.test(mediaType)) {
    throw new RequestError('bad_request', 'The content type must be application/json.')
  }
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new RequestError('bad_request', 'The body is not valid JSON in UTF-8.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RequestError('bad_request', 'The body must be a JSON object.')
  }
  return value as Record<string, unknown>
}
