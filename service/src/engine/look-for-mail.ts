import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { ObstacleError } from '../errors.ts'
import type { RunContext, Stage } from './run-context.ts'
import type { SendOutcome } from './sending.ts'

/**
 * For a destination that sends a mail for new records: the first such record is sent alone, and the customer checks for
 * a mail before thousands follow.
 */
export async function isFirstWithMail({ db, importId, mapping }: RunContext, stage: Stage): Promise<boolean> {
  const { entities } = mapping.destination
  const { silentCreate } = capabilitiesOf(mapping.destination, stage.entity)
  if (stage.stage !== 'write' || silentCreate || !entities[stage.entity]?.sendsMail) return false
  const noisy = Object.keys(entities).filter((name) => entities[name]?.sendsMail)
  const there = await db
    .selectFrom('id_map')
    .select('source_id')
    .where('import_id', '=', importId)
    .where('entity', 'in', noisy)
    .where('state', '=', 'written')
    .limit(1)
    .executeTakeFirst()
  return there === undefined
}

export function askAboutMail(first: SendOutcome | null): ObstacleError | null {
  if (first?.result !== 'written') return null
  return new ObstacleError(
    'look_for_mail',
    'customer',
    `One record was imported to see whether the destination sends mail about it: ${first.url ?? first.destinationId}. If anybody got one, switch mail off there, as the plan says. Then continue.`,
  )
}
