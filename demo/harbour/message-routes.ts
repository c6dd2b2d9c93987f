import type { FastifyInstance } from 'fastify'
import { verifyWebhook } from '../../sdk/src/index.ts'
import { HarbourError } from './errors.ts'
import type { Message, MessageBox } from './keep-messages.ts'

/** The webhook target: Wherry sends a message for every change of an import's status. */
export const MESSAGES_PATH = '/webhooks/wherry'

const MAX_BYTES = 256 * 1024

export function addMessageRoutes(app: FastifyInstance, box: MessageBox, secret: string): void {
  // The signature covers the raw bytes, so nothing may parse the body before the check.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) => done(null, body))

  app.post<{ Body: string | null }>(MESSAGES_PATH, async (request, reply) => {
    let content: unknown
    try {
      content = await verifyWebhook(request.body ?? '', request.headers, secret)
    } catch {
      box.keepRefused()
      throw new HarbourError(401, 'unauthorized', 'This message is not signed with our secret, or too old.')
    }
    box.keep(readMessage(content))
    return reply.code(204).send()
  })
}

function readMessage(content: unknown): Message {
  const { id, status, sequence, request } = (typeof content === 'object' ? (content ?? {}) : {}) as Record<
    string,
    unknown
  >
  if (typeof id !== 'string' || typeof status !== 'string' || !Number.isSafeInteger(sequence)) {
    throw new HarbourError(422, 'invalid_request', 'The message must have id, status and sequence.')
  }
  const wish = request === 'sponsorship' ? ': the customer asks Harbour to pay' : ''
  return { import: id, status: `${status}${wish}`, sequence: Number(sequence) }
}
