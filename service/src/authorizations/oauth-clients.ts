import { audit } from '../audit.ts'
import type { Connector, OAuthOffer } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'

/** Our registration at a tool. */
export interface OAuthClient {
  clientId: string
  /** Null for a client without a secret: PKCE proves each sign-in, if the tool supports it. */
  secret: string | null
}

export interface NewOAuthClient extends OAuthClient {
  tool: string
  /** Address of the instance; null for a tool with one service for all. */
  instance: string | null
}

const placeOf = (tool: string, instance: string) => `oauth_clients.sealed_secret/${tool}/${instance}`

export async function setOAuthClient(
  db: Db,
  { keyRing, connectors }: { keyRing: KeyRing; connectors: readonly Connector[] },
  client: NewOAuthClient,
): Promise<{ tool: string; instance: string; client_id: string }> {
  const { tool, clientId, secret } = client
  const instance = readInstance(offerOf(connectors, tool), tool, client.instance)
  if (clientId.trim() === '') throw new OperatorError('--client-id must not be blank.')
  const sealed_secret = secret === null ? null : keyRing.seal(secret, placeOf(tool, instance))
  const values = { client_id: clientId, sealed_secret, updated_at: new Date() }
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('oauth_clients')
      .values({ tool, instance, ...values })
      .onConflict((conflict) => conflict.columns(['tool', 'instance']).doUpdateSet(values))
      .execute()
    await audit(tx, { actor: 'operator', act: 'oauth client set', subject: tool, details: { instance } })
  })
  return { tool, instance, client_id: clientId }
}

export async function removeOAuthClient(db: Db, tool: string, instance: string | null): Promise<{ removed: string }> {
  return db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('oauth_clients')
      .where('tool', '=', tool)
      .where('instance', '=', instance === null ? '' : instance.replace(/\/+$/, ''))
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) {
      throw new OperatorError(`There is no such client for ${tool}. "wherry connector oauth list" shows them.`)
    }
    await audit(tx, { actor: 'operator', act: 'oauth client removed', subject: tool, details: { instance } })
    return { removed: tool }
  })
}

/** Lists the clients without their secrets. */
export async function listOAuthClients(db: Db) {
  return db
    .selectFrom('oauth_clients')
    .select((eb) => [
      'tool',
      'instance',
      'client_id',
      eb('sealed_secret', 'is not', null).as('has_secret'),
      'updated_at',
    ])
    .orderBy('tool')
    .orderBy('instance')
    .execute()
}

export async function findOAuthClient(
  db: Db,
  keyRing: KeyRing,
  tool: string,
  instance: string,
): Promise<OAuthClient | null> {
  const row = await db
    .selectFrom('oauth_clients')
    .select(['client_id', 'sealed_secret'])
    .where('tool', '=', tool)
    .where('instance', '=', instance)
    .executeTakeFirst()
  if (!row) return null
  const secret = row.sealed_secret && keyRing.open(row.sealed_secret, placeOf(tool, instance))
  return { clientId: row.client_id, secret }
}

function offerOf(connectors: readonly Connector[], tool: string): OAuthOffer {
  const connector = connectors.find((candidate) => candidate.tool === tool)
  const offer = connector?.source?.oauth ?? connector?.destination?.oauth
  if (offer) return offer
  const able = connectors.filter(({ source, destination }) => source?.oauth ?? destination?.oauth)
  throw new OperatorError(
    `Nobody signs in to ${tool} by OAuth 2 here. Tools that can: ${able.map((one) => one.tool).join(', ') || 'none'}.`,
  )
}

function readInstance(offer: OAuthOffer, tool: string, text: string | null): string {
  if (!offer.isPerInstance) {
    if (text === null) return ''
    throw new OperatorError(`${tool} has one service for all: leave out --instance.`)
  }
  const url = text !== null && URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new OperatorError('--instance must be the address of the instance, such as https://desk.example.com.')
  }
  return url.href.replace(/\/+$/, '')
}
