import type pg from 'pg'
import { countWorkersText } from '../../db/presence.ts'
import type { KeyRing } from '../../key-ring.ts'
import { broken, count, type Finding, fine, reasonOf, worth } from './finding.ts'

const queueWarnSeconds = 60
const queueBrokenSeconds = 300

/** Opens a value that the first start sealed. `loadRing` returns null if the key file is missing. */
export async function checkKeys(client: pg.Client, loadRing: () => KeyRing | null): Promise<Finding> {
  const check = 'keys'
  const missing = 'Put the key ring back: WHERRY_KEYS, or the file "keys" in WHERRY_HOME, from your backup.'
  const { rows } = await client.query<{ sealed_secret: Buffer }>('select sealed_secret from installation limit 1')
  const [sealed] = rows
  try {
    const ring = loadRing()
    if (!ring && sealed) return broken(check, 'The key ring is missing, and the database holds sealed values.', missing)
    if (!ring || !sealed) return worth(check, 'Nothing is sealed yet.', 'The first start of the service seals a value.')
    ring.open(sealed.sealed_secret, 'installation.sealed_secret')
    return fine(check, 'The key ring opens the sealed values of this database.')
  } catch (error) {
    return broken(check, reasonOf(error), missing)
  }
}

export async function checkWork(client: pg.Client): Promise<Finding[]> {
  return [await checkWorkers(client), await checkQueues(client)]
}

async function checkWorkers(client: pg.Client): Promise<Finding> {
  const check = 'workers'
  const { rows } = await client.query<{ count: number }>(countWorkersText)
  const alive = rows[0]?.count ?? 0
  if (alive > 0) return fine(check, `${count(alive, 'worker is', 'workers are')} alive.`)
  return broken(
    check,
    'No worker is alive: runs, webhooks and mails wait.',
    'Start one: "wherry serve --role worker" (or "--role all").',
  )
}

async function checkQueues(client: pg.Client): Promise<Finding> {
  const check = 'queues'
  // Reads only the first jobs of each queue, which are the oldest. So a long backlog takes no longer.
  const { rows } = await client.query<{ name: string; seconds: number }>(
    `select q.name, extract(epoch from now() - min(j.since))::int as seconds
     from pgboss.queue q join lateral (
       select greatest(created_on, start_after) as since from (
         select created_on, start_after from pgboss.job
         where name = q.name and state < 'active' and not blocked order by priority desc, created_on limit 1000) first
       where start_after <= now()) j on true
     group by q.name order by seconds desc`,
  )
  const [oldest] = rows
  if (!oldest || oldest.seconds < queueWarnSeconds) return fine(check, 'No due job has waited long.')
  const message = `The oldest due job of the queue "${oldest.name}" has waited ${count(Math.round(oldest.seconds / 60), 'minute')}.`
  const fix = 'Start one more worker, or read the log of the running ones: "wherry serve --role worker".'
  return oldest.seconds < queueBrokenSeconds ? worth(check, message, fix) : broken(check, message, fix)
}
