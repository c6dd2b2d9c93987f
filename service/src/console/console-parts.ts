import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Connector } from '../connectors/contract/contract.ts'
import type { LoadedConnectors } from '../connectors/load-connectors.ts'
import type { Db } from '../db/open-database.ts'
import type { OperatorRole } from '../db/operator-tables.ts'
import type { RunStarter } from '../imports/start-run.ts'
import type { KeyRing } from '../key-ring.ts'
import type { SignedInOperator } from '../operators/operator-sessions.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { PaymentProviders } from '../payments/provider.ts'
import type { PortalLinks } from '../portal-link.ts'

export interface ConsoleParts {
  db: Db
  keyRing: KeyRing
  connectors: readonly Connector[]
  outbound: Outbound
  starter: RunStarter
  /** All payment providers that can refund, even if they are no longer offered to customers. */
  providers: PaymentProviders
  /** External connectors that could not be loaded, with the reason. */
  leftOut: LoadedConnectors['leftOut']
  links: PortalLinks
  config: Config
  /** The public address of the service. */
  origin: () => string
  /** The folder of the built web part. */
  webDist: string
  isSecure(request: FastifyRequest): boolean
}

/**
 * The right that a route needs. `open`: none, for the sign-in. `read`: reading. `act`: acting on imports and runs.
 * `own`: secrets, money, partners and accounts.
 */
export type Right = 'open' | 'read' | 'act' | 'own'

export const rolesWith: Record<Right, readonly OperatorRole[]> = {
  open: [],
  read: ['owner', 'support', 'reader'],
  act: ['owner', 'support'],
  own: ['owner'],
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator who is signed in to the console; null for all other requests. */
    operator: SignedInOperator | null
  }
  interface FastifyContextConfig {
    right?: Right
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Answer = (request: FastifyRequest<{ Params: Record<string, string>; Querystring: unknown }>) => Promise<unknown>

const maxBytes = 256 * 1024

/** Adds a JSON route for operators with this right. */
export function addRoute(app: FastifyInstance, method: Method, path: string, right: Right, answer: Answer): void {
  app.route({
    method,
    url: `/console/api${path}`,
    schema: { hide: true },
    bodyLimit: maxBytes,
    config: { right },
    handler: async (request, reply) => {
      const result = await answer(request as Parameters<Answer>[0])
      return result === undefined ? reply.code(204).send() : reply.send(result)
    },
  })
}

/** The signed-in operator, for routes that need one. */
export function operatorOf({ operator }: FastifyRequest): SignedInOperator {
  if (!operator) throw new Error('a route of the console was reached without an operator')
  return operator
}
