import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { addKey, keyFileIn, removeKey } from '../key-file.ts'
import { loadKeyRing } from '../load-key-ring.ts'
import { countKeyUse, rotateKeys } from '../rotate-keys.ts'
import { printResult } from './print-result.ts'
import type { WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const

/** Commands for the keys that seal stored secrets. */
export function addKeyCommands(program: Command, withDatabase: WithDatabase, config: () => Config): void {
  const keys = program.command('keys').description('the key ring, which seals secrets at rest')
  keys
    .command('list')
    .description('list every key, whether it seals, and how many values of each table need it')
    .option(...json)
    .action(withDatabase((db) => countKeyUse(db, loadKeyRing(config()))))
  keys
    .command('add')
    .description('put a new key in front of the key file; running processes of this machine use it at once')
    .option('--id <id>', 'up to 16 lowercase letters and digits; by default the next number')
    .option(...json)
    .action(withDatabase((db, { id }: { id?: string }) => add(db, config(), id ?? null)))
  keys
    .command('rotate')
    .description(
      'seal every value with the newest key; the service may run, and a stopped rotation goes on when repeated',
    )
    .option('--batch <n>', 'values that are read at once', '200')
    .option(...json)
    .action(
      withDatabase((db, { batch, json: asJson = false }: { batch: string; json?: boolean }) =>
        rotate(db, config(), readBatch(batch), asJson),
      ),
    )
  keys
    .command('drop <id>')
    .description('remove a key that no value needs; with WHERRY_KEYS: say whether you can remove it')
    .option(...json)
    .action(withDatabase((db, id: string) => drop(db, config(), id)))
}

async function add(db: Db, config: Config, id: string | null) {
  requireFile(config, 'Put the new key into it yourself; docs/operations.md, "Keys", says in which order.')
  if (id !== null && !/^[a-z0-9]{1,16}$/.test(id)) {
    throw new OperatorError('--id must be up to 16 lowercase letters and digits.')
  }
  const added = addKey(config.home, id)
  await audit(db, { actor: 'operator', act: 'key added', subject: `key ${added}` })
  return { key: added, next: 'Back up the key file, then run: wherry keys rotate' }
}

async function rotate(db: Db, config: Config, batch: number, asJson: boolean) {
  const rotation = await rotateKeys(db, loadKeyRing(config), { batch, onProgress: (line) => console.error(line) })
  const { key, resealed, unreadable } = rotation
  const details = { values: resealed, ...(unreadable.length > 0 && { unreadable: unreadable.length }) }
  await audit(db, { actor: 'operator', act: 'keys rotated', subject: `key ${key}`, details })
  if (unreadable.length === 0) return rotation
  printResult(rotation, asJson)
  const values = unreadable.length === 1 ? '1 value does not open' : `${unreadable.length} values do not open`
  throw new OperatorError(
    `${values} with any key of the ring; all others are sealed with ${key}. Restore each from a backup, or set it anew: connect the account, rotate the webhook secret, set the OAuth client. Then repeat this command.`,
  )
}

async function drop(db: Db, config: Config, id: string) {
  const known = (await countKeyUse(db, loadKeyRing(config))).find((key) => key.id === id)
  if (!known) throw new OperatorError(`There is no key ${id}. "wherry keys list" shows the keys.`)
  if (known.values > 0) {
    const uses = Object.entries(known.uses).map(([where, count]) => `${where} (${count})`)
    throw new OperatorError(`Key ${id} is still needed by ${uses.join(', ')}. Run: wherry keys rotate`)
  }
  if (known.seals) throw new OperatorError(`Key ${id} is the newest key: it seals. Add another key first.`)
  const place = nameOfRing(config)
  if (place !== null) {
    return {
      key: id,
      is_needed: false,
      next: `Remove ${id} from ${place} and restart every process with the new ring.`,
    }
  }
  await requireQuiet(db, config.home, id)
  removeKey(config.home, id)
  await audit(db, { actor: 'operator', act: 'key dropped', subject: `key ${id}` })
  return {
    key: id,
    is_needed: false,
    next: 'The key is gone from the key file. Old backups of the database still need it.',
  }
}

/**
 * Throws while a transaction is open that began before the newest key was added: it may still write a value with the
 * older key.
 */
async function requireQuiet(db: Db, home: string, id: string): Promise<void> {
  const changedAt = statSync(keyFileIn(home)).mtime
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and xact_start <= ${changedAt} and pid <> pg_backend_pid()`.execute(
    db,
  )
  if (rows.length > 0) {
    throw new OperatorError(
      `A transaction from before the newest key is still under way and may need key ${id}. Try again in a minute.`,
    )
  }
}

function requireFile(config: Config, fix: string): void {
  const place = nameOfRing(config)
  if (place !== null) throw new OperatorError(`The key ring comes from ${place}, not from a file of ours. ${fix}`)
}

const nameOfRing = ({ keys, keysCommand }: Config) =>
  keys !== null ? 'WHERRY_KEYS' : keysCommand ? 'WHERRY_KEYS_COMMAND' : null

function readBatch(text: string): number {
  const batch = Number(text)
  if (Number.isInteger(batch) && batch >= 1 && batch <= 5_000) return batch
  throw new OperatorError('--batch must be 1 to 5000.')
}
