import { AccountRefusedError, ObstacleError } from '../../../errors.ts'
import type { Account, AccountInfo, Connector, Source } from '../../contract/contract.ts'
import { models } from './schema.ts'
import { openAccount } from './tryton.ts'
import { words } from './words.ts'

const both: Pick<Source, 'requires' | 'checkAccount'> = { requires: ['instanceUrl', 'username', 'token'], checkAccount }

/** Tryton 6.0: parties, opportunities, and their notes and files. `token` is the password. */
export const tryton: Connector = {
  tool: 'tryton',
  label: 'Tryton',
  families: ['crm'],
  movesBetweenInstances: true,
  words,
  source: {
    ...both,
    tellsDeleted: [...Object.keys(models), 'pipelines', 'stages'],
    open: async (account) => (await import('./reader.ts')).openTryton(account),
    skips: ['files_elsewhere', 'invoices', 'notes_elsewhere', 'products', 'sales'],
    warns: ['field_unreadable', 'file_lost', 'required_empty'],
  },
  destination: { ...both, open: async (account) => (await import('./writer.ts')).openTrytonWriter(account) },
}

async function checkAccount(account: Account): Promise<AccountInfo> {
  try {
    const tryton = openAccount(account)
    const hasParties = await tryton.has('party.party')
    if (!hasParties) throw new AccountRefusedError('This Tryton has no parties: its module "party" is not active.')
    // A user without rights can sign in, too. This read fails for such a user.
    await tryton.count('party.party', [])
    return { name: await tryton.name(), id: `${tryton.database}/${(await tryton.preferences()).company ?? ''}` }
  } catch (error) {
    if (error instanceof ObstacleError) throw new AccountRefusedError(error.message, { cause: error })
    throw error
  }
}
