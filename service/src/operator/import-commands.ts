import type { Command } from 'commander'
import { eraseWithdrawn } from '../authorizations/revoke-access.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { issueLink } from '../imports/issue-link.ts'
import { loadInstallation } from '../installation.ts'
import { loadKeyRing } from '../load-key-ring.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { portalAddress } from '../portal-link.ts'
import { eraseImport, previewErasure } from '../retention/erase-import.ts'
import type { LoadTools, WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const

/** What an operator does to the access to one import, and to its data. */
export function addImportCommands(
  imports: Command,
  withDatabase: WithDatabase,
  tools: LoadTools,
  config: () => Config,
): void {
  imports
    .command('link <import>')
    .description('issue a new portal link: the old one opens nothing any more, and everybody is signed out')
    .option('--revoke', 'issue none: no link opens the portal until this command is run without --revoke')
    .option(...json)
    .action(withDatabase((db, id: string, { revoke }: { revoke?: boolean }) => link(db, config(), id, revoke === true)))
  imports
    .command('erase <import>')
    .description(
      'erase all personal data of an import; status, counts, times and the audit log stay, and so do invoices and payments',
    )
    .option('--yes', 'erase; without it, show what would be erased')
    .option(...json)
    .action(
      withDatabase((db, id: string, { yes }: { yes?: boolean }) =>
        yes === true ? erase(db, config(), tools, id) : previewErasure(db, id),
      ),
    )
}

async function link(db: Db, config: Config, importId: string, revokes: boolean) {
  // Loaded before anything is changed: with the wrong keys no new link could be told.
  const { links } = await loadInstallation(db, loadKeyRing(config))
  const issued = await issueLink(db, importId, { actor: 'operator', revokes })
  if (!issued) {
    throw new OperatorError(`There is no import ${importId}, or it has ended. "wherry import show" tells.`)
  }
  const { id, link_version, ended_sessions } = issued
  const origin = config.origin ?? `http://localhost:${config.port}`
  return { id, link_version, redirect_url: revokes ? null : portalAddress(links, issued, origin), ended_sessions }
}

async function erase(db: Db, config: Config, tools: LoadTools, importId: string) {
  const keyRing = loadKeyRing(config)
  const connectors = await tools()
  const erased = await eraseImport(db, importId)
  // Now, and not when a worker comes: there may be none.
  const outbound = createOutbound(config.allowedNetworks)
  try {
    await eraseWithdrawn({ db, keyRing, connectors, outbound }, importId)
  } finally {
    await outbound.close()
  }
  return erased
}
