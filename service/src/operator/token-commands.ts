import type { Command } from 'commander'
import { OperatorError } from '../errors.ts'
import { listTokens, showPartner } from '../partners/find-partners.ts'
import { issueToken } from '../partners/issue-token.ts'
import { requirePlainText } from '../partners/plain-text.ts'
import { revokeToken } from '../partners/revoke-token.ts'
import { readExpiry } from '../partners/token-expiry.ts'
import { readScopes, tokenScopes } from '../partners/token-scopes.ts'
import type { WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const

interface IssueOptions {
  partner: string
  label?: string
  expires?: string
  scopes?: string
}

export function addTokenCommands(program: Command, withDatabase: WithDatabase): void {
  const token = program.command('token').description('API tokens of partners')
  token
    .command('issue')
    .description('issue one more token; it is shown only once')
    .requiredOption('--partner <partner>', 'id of the partner')
    .option('--label <label>', 'purpose of the token')
    .option(
      '--expires <when>',
      'its last day (UTC), such as 2027-01-31, or a number of days, such as 90d; default: never',
    )
    .option(
      '--scopes <list>',
      `what it may do, separated by commas: ${Object.keys(tokenScopes).join(', ')}; default: all`,
    )
    .option(...json)
    .action(
      withDatabase(async (db, { partner: partnerId, label, expires, scopes }: IssueOptions) => {
        const limits = { expiresAt: readExpiry(expires), scopes: readScopes(scopes) }
        const { disabled_at } = await showPartner(db, partnerId)
        if (disabled_at !== null) throw new OperatorError(`Partner ${partnerId} is disabled: its tokens are refused.`)
        if (label !== undefined) requirePlainText('--label', label, 200)
        return issueToken(db, { partnerId, label: label ?? null, ...limits })
      }),
    )
  token
    .command('list')
    .description('list tokens with scopes, expiry and last use; never the tokens themselves')
    .option('--partner <partner>', 'only tokens of this partner')
    .option(...json)
    .action(
      withDatabase(async (db, { partner: partnerId }: { partner?: string }) => {
        if (partnerId !== undefined) await showPartner(db, partnerId)
        return listTokens(db, partnerId)
      }),
    )
  token
    .command('revoke <token>')
    .description('refuse this token from now on')
    .option(...json)
    .action(withDatabase((db, id: string) => revokeToken(db, id)))
}
