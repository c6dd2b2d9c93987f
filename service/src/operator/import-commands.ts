import type { Command } from 'commander'
import type { Config } from '../config.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { issueLink } from '../imports/issue-link.ts'
import { loadInstallation } from '../installation.ts'
import { loadKeyRing } from '../key-ring.ts'
import { portalAddress } from '../portal-link.ts'
import type { WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const

/** What an operator does to the access to one import. */
export function addImportCommands(imports: Command, withDatabase: WithDatabase, config: () => Config): void {
  imports
    .command('link <import>')
    .description('issue a new portal link: the old one opens nothing any more, and everybody is signed out')
    .option('--revoke', 'issue none: no link opens the portal until this command is run without --revoke')
    .option(...json)
    .action(withDatabase((db, id: string, { revoke }: { revoke?: boolean }) => link(db, config(), id, revoke === true)))
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
