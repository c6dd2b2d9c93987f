import type { Command } from 'commander'
import { OperatorError } from '../errors.ts'
import { listMails, showMail } from '../mail/list-mails.ts'
import { readLimit } from './read-limit.ts'
import type { LoadTools, WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const
const states = ['waiting', 'sent', 'given_up'] as const

interface ListOptions {
  import?: string
  state?: string
  limit: string
}

export function addMailCommands(program: Command, withDatabase: WithDatabase, tools: LoadTools): void {
  const mail = program.command('mail').description('the outbox: mails to customers, and whether they were sent')
  mail
    .command('list')
    .description('list the newest mails')
    .option('--import <import>', 'only of this import')
    .option('--state <state>', 'only mails in this state: waiting, sent or given_up')
    .option('--limit <n>', 'how many to list', '50')
    .option(...json)
    .action(
      withDatabase(async (db, options: ListOptions) => {
        const state = states.find((candidate) => candidate === options.state)
        if (options.state !== undefined && !state) throw new OperatorError(`--state must be ${states.join(', ')}.`)
        return listMails(db, await tools(), { importId: options.import, state, limit: readLimit(options.limit) })
      }),
    )
  mail
    .command('show <mail>')
    .description('show one mail with its text, without the customer’s link')
    .option(...json)
    .action(withDatabase(async (db, id: string) => showMail(db, await tools(), id)))
}
