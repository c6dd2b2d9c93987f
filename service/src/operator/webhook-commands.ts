import type { Command } from 'commander'
import type { Config } from '../config.ts'
import type { Connector } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { loadKeyRing } from '../load-key-ring.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { showPartner } from '../partners/find-partners.ts'
import { listDeliveries, listTargets, showDelivery } from '../webhooks/operator-view.ts'
import { type Replay, replayDeliveries } from '../webhooks/replay-deliveries.ts'
import { rotateSecret } from '../webhooks/rotate-secret.ts'
import { setTarget } from '../webhooks/set-target.ts'
import { printResult } from './print-result.ts'
import { readLimit } from './read-limit.ts'

/** Loads all connectors, including external ones. */
export type LoadTools = () => Promise<readonly Connector[]>

/** Opens the database for a command, and prints its result. */
export type WithDatabase = <A extends unknown[]>(
  act: (db: Db, ...args: A) => Promise<unknown>,
) => (...args: [...A, Command]) => Promise<void>

interface LogOptions {
  partner?: string
  import?: string
  failed?: boolean
  since?: string
  limit: string
  json?: boolean
}

const json = ['--json', 'print JSON'] as const
const ofPartner = ['--partner <partner>', 'id of the partner'] as const

export function addWebhookCommands(program: Command, withDatabase: WithDatabase, config: () => Config): void {
  const webhook = program.command('webhook').description('webhooks: messages to partners, and their deliveries')
  webhook
    .command('list')
    .description('list every target and its health')
    .option(...json)
    .action(withDatabase((db) => listTargets(db)))
  webhook
    .command('set')
    .description('set the address for a partner’s messages; enables a disabled target again')
    .requiredOption(...ofPartner)
    .requiredOption('--url <url>', 'address that takes POST requests')
    .option(...json)
    .action(
      withDatabase(async (db, { partner, url }: { partner: string; url: string }) => {
        await showPartner(db, partner)
        return setTarget(db, createAddressGuard(config().allowedNetworks), { partnerId: partner, url })
      }),
    )
  webhook
    .command('test')
    .description('send a test message now and show the answer')
    .requiredOption(...ofPartner)
    .option(...json)
    .action(
      withDatabase(async (db, { partner, json: asJson = false }: { partner: string; json?: boolean }) => {
        await showPartner(db, partner)
        // Loaded only here: other commands start faster without this module.
        const { sendTestMessage } = await import('./send-test-message.ts')
        const result = await sendTestMessage(db, config(), partner)
        if (result.arrived) return result
        printResult(result, asJson)
        throw new OperatorError('The test message did not arrive.')
      }),
    )
  webhook
    .command('rotate')
    .description('issue a new secret; it is shown only once')
    .requiredOption(...ofPartner)
    .option('--overlap <hours>', 'how long messages are signed with both secrets; 0 ends the old one at once', '24')
    .option(...json)
    .action(
      withDatabase(async (db, { partner, overlap }: { partner: string; overlap: string }) => {
        await showPartner(db, partner)
        const overlapHours = /^\d+(\.\d+)?$/.test(overlap) ? Number(overlap) : Number.NaN
        return rotateSecret(db, loadKeyRing(config()), { partnerId: partner, overlapHours })
      }),
    )
  webhook
    .command('log [message]')
    .description('list the newest messages, or all attempts of one message')
    .option('--partner <partner>', 'only to this partner')
    .option('--import <import>', 'only of this import')
    .option('--failed', 'only messages that did not arrive: given up, or waiting for another attempt')
    .option('--since <time>', 'only since this time, such as 2026-11-15T08:00Z')
    .option('--limit <n>', 'how many to list', '50')
    .option(...json)
    .action(withDatabase((db, message: string | undefined, options: LogOptions) => showLog(db, message, options)))
  webhook
    .command('replay [message]')
    .description('send one message again, all messages of an import, or all given-up messages; ids stay the same')
    .option('--import <import>', 'all messages of this import')
    .option('--failed', 'all messages to --partner that were given up')
    .option('--partner <partner>', 'with --failed: id of the partner')
    .option(...json)
    .action(
      withDatabase(async (db, message: string | undefined, options: ReplayOptions) => {
        if (options.partner !== undefined) await showPartner(db, options.partner)
        return replayDeliveries(db, readReplay(message, options))
      }),
    )
}

async function showLog(db: Db, message: string | undefined, options: LogOptions) {
  if (message !== undefined) {
    const delivery = await showDelivery(db, message)
    if (options.json) return delivery
    return { ...delivery, tries: delivery.tries.map((one) => ({ ...one, response: oneLine(one.response) })) }
  }
  if (options.partner !== undefined) await showPartner(db, options.partner)
  return listDeliveries(db, {
    partnerId: options.partner ?? null,
    importId: options.import ?? null,
    onlyFailed: options.failed === true,
    since: options.since === undefined ? null : readTime(options.since),
    limit: readLimit(options.limit),
  })
}

/** Shortens an answer for a table. The JSON output contains all of it. */
function oneLine(response: string | null): string | null {
  const text = response?.replace(/\s+/g, ' ').trim() ?? null
  return text !== null && text.length > 80 ? `${text.slice(0, 80)}…` : text
}

export function readTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new OperatorError('--since must be a time such as 2026-11-15T08:00Z.')
  return time
}

interface ReplayOptions {
  import?: string
  failed?: boolean
  partner?: string
}

function readReplay(message: string | undefined, options: ReplayOptions): Replay {
  const { import: importId, failed = false, partner } = options
  const wishes: Replay[] = [
    ...(message === undefined ? [] : [{ id: message }]),
    ...(importId === undefined ? [] : [{ importId }]),
    ...(failed && partner !== undefined ? [{ partnerId: partner }] : []),
  ]
  const [wish, another] = wishes
  if (!wish || another || failed !== (partner !== undefined)) {
    throw new OperatorError('Say what to send again: a message, or --import <import>, or --failed --partner <partner>.')
  }
  return wish
}
