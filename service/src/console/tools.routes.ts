import type { FastifyInstance } from 'fastify'
import { redirectUriAt } from '../authorizations/begin-sign-in.ts'
import { listOAuthClients, removeOAuthClient, setOAuthClient } from '../authorizations/oauth-clients.ts'
import { admitConnector, listSetAside } from '../engine/set-aside.ts'
import { ValidationError } from '../errors.ts'
import { readObject, readTexts } from '../portal/read-body.ts'
import { addRoute, type ConsoleParts } from './console-parts.ts'
import { readQuery } from './read-query.ts'
import { viewTools } from './view-tools.ts'

const longestSecret = 2_000

/** Tools with their limits and health, and the OAuth clients for customers' sign-in. */
export function registerToolRoutes(app: FastifyInstance, parts: ConsoleParts): void {
  const { db, connectors, keyRing, leftOut, origin } = parts
  addRoute(app, 'GET', '/tools', 'read', async () => ({
    tools: await viewTools(db, connectors),
    left_out: leftOut,
    set_aside: await listSetAside(db),
    oauth_clients: await listOAuthClients(db),
    redirect_uri: redirectUriAt(origin()),
  }))

  addRoute(app, 'POST', '/tools/:tool/admit', 'own', ({ params: { tool = '' } }) => admitConnector(db, tool))

  addRoute(app, 'PUT', '/tools/:tool/oauth', 'own', async ({ params: { tool = '' }, body }) => {
    const { client_id, instance } = readTexts(body, ['client_id', 'instance'])
    if (client_id === null) throw new ValidationError({ client_id: ['must be given'] })
    const secret = readSecret(body)
    const kept = await setOAuthClient(db, { keyRing, connectors }, { tool, instance, clientId: client_id, secret })
    return { ...kept, redirect_uri: redirectUriAt(origin()) }
  })

  addRoute(app, 'DELETE', '/tools/:tool/oauth', 'own', ({ params: { tool = '' }, query }) =>
    removeOAuthClient(db, tool, readQuery(query, ['instance']).instance),
  )
}

/** Reads a client secret without trimming it. A public client has none (null). */
function readSecret(body: unknown): string | null {
  const { client_secret: secret = null } = readObject(body)
  if (secret === null || secret === '') return null
  if (typeof secret !== 'string' || secret.length > longestSecret || /[\r\n]/.test(secret)) {
    throw new ValidationError({ client_secret: [`must be one line of at most ${longestSecret} characters`] })
  }
  return secret
}
