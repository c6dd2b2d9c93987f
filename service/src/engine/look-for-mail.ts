import { sql } from 'kysely'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { ObstacleError } from '../errors.ts'
import type { RunContext, Stage } from './run-context.ts'

/**
 * For a destination that sends a mail for new records: the first such record is sent alone, and the customer checks for
 * a mail before thousands follow. Returns true if no such record is there yet. Throws the question if only the first is
 * there and nobody has answered: the ledger remembers it, even if the worker ended before it could pause the run.
 */
export async function isFirstWithMail({ db, importId, mapping }: RunContext, stage: Stage): Promise<boolean> {
  const { entities } = mapping.destination
  const { silentCreate } = capabilitiesOf(mapping.destination, stage.entity)
  if (stage.stage !== 'write' || silentCreate || !entities[stage.entity]?.sendsMail) return false
  const answered = await db
    .selectFrom('runs')
    .select('id')
    .where('import_id', '=', importId)
    .where(sql<boolean>`options @> '{"mail_checked": true}'`)
    .limit(1)
    .executeTakeFirst()
  if (answered) return false
  const noisy = Object.keys(entities).filter((name) => entities[name]?.sendsMail)
  const [first, second] = await db
    .selectFrom('id_map')
    .select(['destination_id', 'destination_url'])
    .where('import_id', '=', importId)
    .where('entity', 'in', noisy)
    .where('state', '=', 'written')
    // The parts of the first record came with it.
    .where('carried_at', 'is', null)
    .limit(2)
    .execute()
  if (first && !second) throw askAboutMail(first.destination_url ?? first.destination_id)
  return first === undefined
}

const askAboutMail = (place: string | null) =>
  new ObstacleError(
    'look_for_mail',
    'customer',
    `One record was imported to see whether the destination sends mail about it: ${place}. If anybody got one, switch mail off there, as the plan says. Then continue.`,
  )
