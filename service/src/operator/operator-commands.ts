import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { operatorRoles } from '../db/operator-tables.ts'
import {
  createOperator,
  listOperators,
  resetOperator,
  type SetupCode,
  setOperatorDisabled,
  setOperatorRole,
} from '../operators/manage-operators.ts'
import { endSession, listSessions } from '../operators/operator-sessions.ts'
import type { WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const
const roles = operatorRoles.join(', ')

export function addOperatorCommands(program: Command, withDatabase: WithDatabase, config: () => Config): void {
  const operator = program.command('operator').description('accounts of the console')
  /** The code comes after "#": browsers never send that part, so no proxy can log it. */
  const withAddress = (setup: SetupCode) => {
    const origin = config().origin ?? `http://localhost:${config().port}`
    return { ...setup, setup_url: `${origin}/console#setup=${setup.setup_code}` }
  }
  operator
    .command('create')
    .description('create an account; its owner sets a password with the address that is shown only once')
    .requiredOption('--name <name>', 'name to sign in with')
    .requiredOption('--role <role>', roles)
    .option(...json)
    .action(
      withDatabase(async (db, { name, role }: { name: string; role: string }) =>
        withAddress(await createOperator(db, { name, role })),
      ),
    )
  operator
    .command('list')
    .description('list all accounts')
    .option(...json)
    .action(withDatabase((db) => listOperators(db)))
  operator
    .command('reset <operator>')
    .description(
      'remove password and authenticator of an account, end its sessions, and print an address to set new ones',
    )
    .option(...json)
    .action(withDatabase(async (db, named: string) => withAddress(await resetOperator(db, named))))
  operator
    .command('role <operator> <role>')
    .description(`change the role of an account: ${roles}`)
    .option(...json)
    .action(withDatabase((db, named: string, role: string) => setOperatorRole(db, named, role)))
  operator
    .command('disable <operator>')
    .description('refuse this account from now on, and end its sessions')
    .option(...json)
    .action(withDatabase((db, named: string) => setOperatorDisabled(db, named, true)))
  operator
    .command('enable <operator>')
    .description('accept a disabled account again')
    .option(...json)
    .action(withDatabase((db, named: string) => setOperatorDisabled(db, named, false)))
  operator
    .command('sessions')
    .description('list the open sessions of all accounts')
    .option(...json)
    .action(withDatabase((db) => listSessions(db)))
  operator
    .command('sign-out <session>')
    .description('end one session')
    .option(...json)
    .action(withDatabase((db, session: string) => endSession(db, session)))
}
