import { audit } from '../audit.ts'
import type { Connector } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { families as allFamilies, type Family, isFamily } from '../families/index.ts'
import { newId } from '../ids.ts'
import type { KeyRing } from '../key-ring.ts'
import type { AddressGuard } from '../outbound/address-guard.ts'
import { issueSecret } from '../webhooks/rotate-secret.ts'
import { requireTargetUrl } from '../webhooks/target-url.ts'
import { issueToken } from './issue-token.ts'
import { requirePlainText } from './plain-text.ts'

export interface NewPartner {
  name: string
  destination: string
  families?: string[]
  webhookUrl?: string
}

/** The secrets, which are shown only here. */
export interface CreatedPartner {
  id: string
  api_token: string
  webhook_secret: string
}

export async function createPartner(
  db: Db,
  { connectors, keyRing, guard }: { connectors: readonly Connector[]; keyRing: KeyRing; guard?: AddressGuard },
  input: NewPartner,
): Promise<CreatedPartner> {
  const name = input.name.trim()
  requirePlainText('--name', name, 200)
  const connector = findDestination(connectors, input.destination)
  const families = chooseFamilies(connector, input.families)
  if (input.webhookUrl !== undefined) requireTargetUrl('--webhook-url', input.webhookUrl, guard ?? null)

  const id = newId('prt')
  const { apiToken, webhookSecret } = await db.transaction().execute(async (tx) => {
    await tx.insertInto('partners').values({ id, name, destination_tool: connector.tool, families }).execute()
    const webhookSecret = await issueSecret(tx, keyRing, id)
    if (input.webhookUrl !== undefined) {
      await tx.insertInto('webhook_targets').values({ partner_id: id, url: input.webhookUrl }).execute()
    }
    await audit(tx, {
      actor: 'operator',
      act: 'partner created',
      subject: id,
      details: { name, destination: connector.tool, families },
    })
    return { webhookSecret, apiToken: (await issueToken(tx, { partnerId: id, label: null })).api_token }
  })
  return { id, api_token: apiToken, webhook_secret: webhookSecret }
}

function findDestination(connectors: readonly Connector[], name: string): Connector {
  const destinations = connectors.filter((connector) => connector.destination)
  const connector = destinations.find(({ tool }) => tool === name.trim().toLowerCase())
  if (connector) return connector
  const offered = destinations.map(({ tool }) => tool).join(', ')
  throw new OperatorError(`--destination "${name}" is not a tool that data can be moved to. Choose one of: ${offered}.`)
}

function chooseFamilies(connector: Connector, wanted: string[] | undefined): Family[] {
  const chosen = wanted ?? [...connector.families]
  if (chosen.length === 0) throw new OperatorError('--families must name at least one family.')
  const wrong = chosen.filter((family) => !isFamily(family) || !connector.families.includes(family))
  if (wrong.length > 0) {
    const offered = allFamilies.filter((family) => connector.families.includes(family)).join(', ')
    throw new OperatorError(
      `--families must name families of ${connector.label}: ${offered}. Not: ${wrong.join(', ')}.`,
    )
  }
  return [...new Set(chosen as Family[])]
}
