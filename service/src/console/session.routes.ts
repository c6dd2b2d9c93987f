import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ValidationError } from '../errors.ts'
import { endSession, type Visit } from '../operators/operator-sessions.ts'
import { beginSetup, finishSetup, signIn } from '../operators/sign-in.ts'
import { readObject } from '../portal/read-body.ts'
import { serializeConsoleCookie } from './console-cookie.ts'
import { addRoute, type ConsoleParts, operatorOf } from './console-parts.ts'

const longestText = 500

/** Signs in and out, and sets up an account with the code that `wherry operator create` prints. */
export function registerConsoleSessionRoutes(app: FastifyInstance, parts: ConsoleParts): void {
  const open = { schema: { hide: true }, bodyLimit: 4096, config: { right: 'open' as const } }
  const sendCookie = (request: FastifyRequest, reply: FastifyReply, secret: string) =>
    reply
      .header('Set-Cookie', serializeConsoleCookie(secret, parts.isSecure(request)))
      .code(204)
      .send()

  app.post('/console/api/session', open, async (request, reply) => {
    const [name, password, code] = readSecrets(request.body, ['name', 'password', 'code'])
    return sendCookie(request, reply, await signIn(parts, { name, password, code }, visitOf(request)))
  })

  app.post('/console/api/setup/begin', open, async (request) => {
    const [setupCode] = readSecrets(request.body, ['setup_code'])
    return beginSetup(parts, setupCode, visitOf(request))
  })

  app.post('/console/api/setup', open, async (request, reply) => {
    const [setupCode, password, code] = readSecrets(request.body, ['setup_code', 'password', 'code'])
    return sendCookie(request, reply, await finishSetup(parts, { setupCode, password, code }, visitOf(request)))
  })

  addRoute(app, 'GET', '/session', 'read', async (request) => {
    const { id, name, role, sessionId } = operatorOf(request)
    return { id, name, role, session_id: sessionId }
  })

  app.delete('/console/api/session', { ...open, config: { right: 'read' } }, async (request, reply) => {
    const { id, sessionId } = operatorOf(request)
    await endSession(parts.db, sessionId, id)
    return reply
      .header('Set-Cookie', serializeConsoleCookie('', parts.isSecure(request), 0))
      .code(204)
      .send()
  })
}

const visitOf = (request: FastifyRequest): Visit => ({
  address: request.ip,
  agent: request.headers['user-agent'] ?? '',
})

/**
 * Reads secrets. They are never trimmed, because a password may begin with a space, and never repeated in messages.
 */
function readSecrets<const N extends readonly string[]>(body: unknown, names: N): { [K in keyof N]: string } {
  const values = readObject(body)
  return names.map((name) => {
    const value = values[name]
    if (typeof value !== 'string' || value === '') throw new ValidationError({ [name]: ['must be given'] })
    if (value.length > longestText)
      throw new ValidationError({ [name]: [`must have at most ${longestText} characters`] })
    return name === 'password' ? value : value.trim()
  }) as { [K in keyof N]: string }
}
