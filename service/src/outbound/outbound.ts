import type { lookup } from 'node:dns'
import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import type { AllowedNetwork } from '../config.ts'
import { type AddressGuard, createAddressGuard } from './address-guard.ts'
import type { AnswerRoom } from './answer-room.ts'
import { decodeBody } from './decode-body.ts'
import { noteSent } from './track-sends.ts'

/** Longer answers are not decoded on the event loop. Decoding this many bytes takes a few milliseconds. */
const longAnswer = 1024 * 1024
/** Size of the pieces of a long answer. Each piece has its own memory, so that it can be transferred to a thread. */
const pieceBytes = 1024 * 1024

interface AnswerHead {
  status: number
  statusText: string
  headers: Record<string, string | string[] | undefined>
}

export interface OutboundAnswer extends AnswerHead {
  /** At most `maxBytes` of the body; the rest is not read. */
  pieces: Uint8Array<ArrayBuffer>[]
  /** The body as text. Empty above `longAnswer` bytes, which are not decoded on the event loop. */
  body: string
  /** True if the body was longer than `maxBytes`. */
  isCut: boolean
}

export interface OutboundStream extends AnswerHead {
  /** As it was sent, perhaps compressed. The caller must read the body to its end, or destroy it. */
  body: Readable
}

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array | Readable
  signal: AbortSignal
  /** Called after the connection is open and before a byte is sent. If it throws, nothing is sent. */
  beforeStart?: (() => void) | undefined
  /** Called when the request begins to wait for its turn. The returned function ends the wait. */
  onWait?: (() => () => void) | undefined
}

/** The only HTTP client for addresses outside. It does not follow redirects; it returns them like any other answer. */
export interface Outbound {
  guard: AddressGuard
  request(url: string, options: OutboundRequest & { maxBytes?: number; room?: AnswerRoom }): Promise<OutboundAnswer>
  stream(url: string, options: OutboundRequest): Promise<OutboundStream>
  close(): Promise<void>
}

export function createOutbound(allowedNetworks: readonly AllowedNetwork[], resolve?: typeof lookup): Outbound {
  const guard = createAddressGuard(allowedNetworks, resolve)
  const agent = new AskingAgent({
    connect: (options, callback) => {
      // The guard checks the address when the socket is opened, so a name that resolves differently later gains
      // nothing.
      const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80))
      buildConnector({ timeout: 5_000, lookup: guard.lookupFor(port) })(options, callback)
    },
    headersTimeout: 90_000,
    bodyTimeout: 60_000,
    keepAliveTimeout: 4_000,
    maxHeaderSize: 32 * 1024,
  })
  const stream: Outbound['stream'] = async (address, { onWait: _, ...options }) => {
    const url = new URL(address)
    guard.vetUrl(url)
    // Without `beforeStart` the start of the request is unknown, so it counts as sent from here on.
    if (!options.beforeStart && options.method !== undefined && options.method !== 'GET') noteSent()
    const answer = await request(url, { ...options, dispatcher: agent })
    return {
      status: answer.statusCode,
      statusText: STATUS_CODES[answer.statusCode] ?? '',
      headers: answer.headers,
      body: answer.body,
    }
  }
  return {
    guard,
    stream,
    async request(address, { maxBytes = 64 * 1024, room, ...options }) {
      const { body, ...head } = await stream(address, options)
      return { ...head, ...(await readUpTo(decodeBody(body, head.headers), maxBytes, room)) }
    },
    close: () => agent.destroy(),
  }
}

/** Calls `beforeStart` of a request once its connection is open. */
class AskingAgent extends Agent {
  override dispatch(
    { beforeStart, ...options }: Agent.DispatchOptions & Pick<OutboundRequest, 'beforeStart'>,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    if (!beforeStart) return super.dispatch(options, handler)
    return super.dispatch(options, {
      onRequestStart(controller, context) {
        beforeStart()
        handler.onRequestStart?.(controller, context)
      },
      onResponseStart: (...answer) => handler.onResponseStart?.(...answer),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...failure) => handler.onResponseError?.(...failure),
    })
  }
}

async function readUpTo(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
  room: AnswerRoom | undefined,
): Promise<Pick<OutboundAnswer, 'pieces' | 'body' | 'isCut'>> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  let piece = new Uint8Array(0)
  let filled = 0
  for await (const chunk of stream) {
    const taken = chunk.subarray(0, maxBytes - length)
    length += chunk.length
    // The stream pauses while we wait for room.
    await room?.grow(Math.min(length, maxBytes))
    for (let at = 0; at < taken.length; ) {
      if (filled === piece.length) {
        // Most answers are short, so the first piece is small and later ones are large.
        piece = new Uint8Array(pieces.length === 0 ? Math.max(taken.length, 16 * 1024) : pieceBytes)
        pieces.push(piece)
        filled = 0
      }
      const some = taken.subarray(at, at + piece.length - filled)
      piece.set(some, filled)
      filled += some.length
      at += some.length
    }
    // Leaving the loop destroys the stream and closes the connection.
    if (length > maxBytes) break
  }
  if (pieces.length > 0) pieces[pieces.length - 1] = piece.subarray(0, filled)
  const body = length > longAnswer ? '' : Buffer.concat(pieces).toString('utf8')
  return { pieces, body, isCut: length > maxBytes }
}
