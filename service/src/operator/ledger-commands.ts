import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { listPartitions, partitionLedger } from '../db/ledger-partitions.ts'
import { openDatabase } from '../db/open-database.ts'
import { reachDatabase } from '../db/reach-database.ts'
import type { WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const

/** Commands for the tables of the ledger. */
export function addLedgerCommands(program: Command, withDatabase: WithDatabase, config: () => Config): void {
  const ledger = program.command('ledger').description('the ledger: one row for each record of an import')
  ledger
    .command('list')
    .description('list the imports with a partition of their own')
    .option(...json)
    .action(withDatabase((db) => listPartitions(db)))
  ledger
    .command('partition <import>')
    .description('give a huge import its own partition, before its sample, so that erasing it is instant')
    .option(...json)
    .action(withDatabase((_db, importId: string) => partition(config(), importId)))
}

/** Uses its own connection without the time limit of requests, because Postgres checks all other rows. */
async function partition(config: Config, importId: string) {
  await using cleanup = new AsyncDisposableStack()
  const reached = await reachDatabase(config, () => {})
  cleanup.defer(() => reached.close())
  const { db, close } = openDatabase(reached.directUrl, { poolSize: 2, isPatient: true })
  cleanup.defer(close)
  // `await` is needed: the connections close when this function returns.
  return await partitionLedger(db, importId)
}
