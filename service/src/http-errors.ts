import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseUnavailable } from './db/open-database.ts'
import { ConnectorFaultError, type PublicErrorCode, publicErrors, RequestError, ValidationError } from './errors.ts'

/** Turns an error into an answer. A surface with errors of its own answers these first, and then calls this. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ValidationError) {
    if (error.cause instanceof ConnectorFaultError) request.log.error({ err: error.cause }, 'a connector failed')
    return reply.code(422).send(error.fields)
  }
  if (error instanceof RequestError) {
    return send(reply.headers(error.headers), error.code, error.message, error.status)
  }
  if (isDatabaseUnavailable(error)) {
    request.log.warn({ err: error }, 'the database is unavailable')
    reply.header('Retry-After', '5')
    return send(reply, 'unavailable', 'The service cannot reach its database at the moment. Please try again shortly.')
  }
  if ('statusCode' in error && error.statusCode !== undefined && error.statusCode < 500) {
    return send(reply, 'bad_request', 'The request cannot be read: its headers or its body are malformed.')
  }
  request.log.error({ err: error }, 'a request failed on our side')
  return send(reply, 'internal', `This failed on our side. Please quote the reference ${request.id} to support.`)
}

function send(
  reply: FastifyReply,
  code: PublicErrorCode,
  message: string,
  status: number = publicErrors[code].status,
): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send({ error: code, message })
}

const unanswered = new WeakMap<Socket, Set<ServerResponse>>()
const newestRequest = new WeakMap<Socket, IncomingMessage>()

/** Remembers which requests of a connection have no answer yet; `answerClientError` needs to know. */
export function watchUnanswered(server: Server): void {
  server.on('request', (request, response) => {
    newestRequest.set(request.socket, request)
    const waiting = unanswered.get(request.socket) ?? new Set()
    unanswered.set(request.socket, waiting.add(response))
    response.on('close', () => waiting.delete(response))
  })
}

/**
 * Answers bytes that are no HTTP request, and closes the connection: nothing that follows on it can be trusted. Complete
 * requests before these bytes are carried out, and get their own answers first.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const newest = newestRequest.get(socket)
  const hasAnswer = newest && ![...(unanswered.get(socket) ?? [])].some((response) => response.req === newest)
  // The request was answered before its body was complete. A client would take a second answer for that of another request.
  if (hasAnswer && !newest.complete) {
    socket.destroy()
    return
  }
  const whole = [...(unanswered.get(socket) ?? [])].filter((response) => response.req.complete)
  let left = whole.length
  if (left === 0) refuse(socket, error)
  for (const response of whole) {
    response.on('close', () => {
      left--
      if (left === 0) refuse(socket, error)
    })
  }
}

function refuse(socket: Socket, error: Error & { code?: string }): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const message =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request took too long to arrive.' : 'This is not valid HTTP.'
  const body = JSON.stringify({ error: 'bad_request' satisfies PublicErrorCode, message })
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
