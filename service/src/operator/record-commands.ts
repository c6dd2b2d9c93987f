import type { Command } from 'commander'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { listRecords } from '../imports/list-records.ts'
import { showImportForOperator } from '../imports/operator-view.ts'
import { retryRecords } from '../imports/retry-records.ts'
import { readLimit } from './read-limit.ts'
import { withStarter } from './run-commands.ts'
import type { WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const
const states = ['intended', 'written', 'matched', 'refused', 'filtered', 'held', 'deleted', 'removed'] as const

interface RecordOptions {
  state?: string
  entity?: string
  code?: string
  id?: string
  limit: string
}

/** Commands that show single records of an import, and send them again. */
export function addRecordCommands(imports: Command, withDatabase: WithDatabase): void {
  imports
    .command('records <import>')
    .description('list records of an import, with the reason for each record that did not arrive')
    .option('--state <state>', `only records in this state: ${states.join(', ')}`)
    .option('--entity <entity>', 'only of this entity, such as tickets')
    .option('--code <code>', 'only records with this warning')
    .option('--id <id>', 'the record with this id in the source or in the destination')
    .option('--limit <n>', 'how many to list', '50')
    .option(...json)
    .action(withDatabase((db, id: string, options: RecordOptions) => list(db, id, options)))
  imports
    .command('retry <import>')
    .description('send the records of a completed import again that did not arrive')
    .option(...json)
    .action(withDatabase((db, id: string) => withStarter(db, (starter) => retryRecords(db, starter, id))))
}

async function list(db: Db, importId: string, { state: given, entity, code, id, limit }: RecordOptions) {
  const state = states.find((candidate) => candidate === given)
  if (given !== undefined && !state) throw new OperatorError(`--state must be one of ${states.join(', ')}.`)
  await showImportForOperator(db, importId)
  return listRecords(db, importId, { state, entity, code, id }, { after: null, limit: readLimit(limit) })
}
