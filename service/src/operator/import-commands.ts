import type { Command } from 'commander'
import { sealAll } from '../audit-chain.ts'
import { readExport } from '../audit-read.ts'
import { verifyChain } from '../audit-verify.ts'
import type { RenewParts } from '../authorizations/renew-grant.ts'
import { eraseWithdrawn } from '../authorizations/revoke-access.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { issueLink } from '../imports/issue-link.ts'
import { loadInstallation } from '../installation.ts'
import { loadKeyRing } from '../load-key-ring.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { portalAddress } from '../portal-link.ts'
import { eraseAgain, findMissingErasures } from '../retention/erase-again.ts'
import { eraseImport, previewErasure } from '../retention/erase-import.ts'
import { addRecordCommands } from './record-commands.ts'
import type { LoadTools, WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const

/** Commands for the access to one import, and for its data. */
export function addImportCommands(
  imports: Command,
  withDatabase: WithDatabase,
  tools: LoadTools,
  config: () => Config,
): void {
  addRecordCommands(imports, withDatabase)
  imports
    .command('link <import>')
    .description('issue a new portal link; the old link stops working, and everybody is signed out')
    .option(
      '--revoke',
      'revoke the link and issue none; no link opens the portal until you run this command without --revoke',
    )
    .option(...json)
    .action(withDatabase((db, id: string, { revoke }: { revoke?: boolean }) => link(db, config(), id, revoke === true)))
  imports
    .command('erase [import]')
    .description(
      'erase all personal data of an import; status, counts, times and the audit log stay, and so do invoices and payments',
    )
    .option('--from-audit <file>', 'after a restore: repeat the erasures that this export of the audit log lists')
    .option('--yes', 'erase; without it, show what would be erased')
    .option(...json)
    .action(
      withDatabase((db, id: string | undefined, { fromAudit, yes }: { fromAudit?: string; yes?: boolean }) => {
        const connect = { db, config: config(), tools }
        if ((id === undefined) === (fromAudit === undefined)) {
          throw new OperatorError('Name one import, or give --from-audit with an export of the audit log.')
        }
        if (fromAudit !== undefined) return eraseFromAudit(connect, fromAudit, yes === true)
        return yes === true ? erase(connect, String(id)) : previewErasure(db, String(id))
      }),
    )
}

async function link(db: Db, config: Config, importId: string, revokes: boolean) {
  // Loaded before any change: with wrong keys the new link could not be printed.
  const { links } = await loadInstallation(db, loadKeyRing(config))
  const issued = await issueLink(db, importId, { actor: 'operator', revokes })
  if (!issued) {
    throw new OperatorError(`There is no open import ${importId}. "wherry import show" says whether it has ended.`)
  }
  const { id, link_version, ended_sessions } = issued
  const origin = config.origin ?? `http://localhost:${config.port}`
  return { id, link_version, redirect_url: revokes ? null : portalAddress(links, issued, origin), ended_sessions }
}

interface Connect {
  db: Db
  config: Config
  tools: LoadTools
}

async function erase(connect: Connect, importId: string) {
  return withOutbound(connect, async (parts) => {
    const erased = await eraseImport(connect.db, importId)
    // Erased now, because there may be no worker.
    await eraseWithdrawn(parts, importId)
    return erased
  })
}

async function eraseFromAudit(connect: Connect, file: string, isSure: boolean) {
  // A damaged export could lack an erasure, so it is verified first.
  await verifyChain(readExport(file))
  await sealAll(connect.db)
  const found = await findMissingErasures(connect.db, readExport(file))
  const { imports, credentials, texts } = found.missing
  const told = { imports: [...imports.keys()], credentials: [...credentials.keys()], texts: [...texts.keys()] }
  if (!isSure) {
    const next = `wherry import erase --from-audit ${file} --yes`
    return { would_erase_again: told, not_in_this_database: found.notHere, next }
  }
  await withOutbound(connect, (parts) => eraseAgain(parts, found))
  return { erased_again: told, not_in_this_database: found.notHere }
}

/** Loads keys and connectors before anything is erased. */
async function withOutbound<T>({ db, config, tools }: Connect, act: (parts: RenewParts) => Promise<T>): Promise<T> {
  const keyRing = loadKeyRing(config)
  const connectors = await tools()
  const outbound = createOutbound(config.allowedNetworks)
  try {
    return await act({ db, keyRing, connectors, outbound })
  } finally {
    await outbound.close()
  }
}
