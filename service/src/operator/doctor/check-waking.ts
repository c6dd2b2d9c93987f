import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Finding, fine, worth } from './finding.ts'

const limitMs = 5_000

/** Checks that one connection receives the notifications of another. A pooler that shares connections loses them. */
export async function checkWaking(listener: pg.Client, teller: pg.Client): Promise<Finding> {
  const check = 'waking'
  const channel = `wherry_doctor_${randomUUID().replaceAll('-', '')}`
  const heard = new Promise<boolean>((resolve) => {
    listener.on('notification', (message) => {
      if (message.channel === channel) resolve(true)
    })
  })
  await listener.query(`listen ${channel}`)
  await teller.query('select pg_notify($1, $2)', [channel, ''])
  const isHeard = await Promise.race([heard, sleep(limitMs, false, { ref: false })])
  await listener.query(`unlisten ${channel}`)
  if (isHeard) return fine(check, 'New work wakes the workers at once.')
  return worth(
    check,
    'Notifications do not come through, as behind PgBouncer in transaction mode. Workers look for new work twice a second instead.',
    'Nothing is lost. To begin runs and webhooks sooner, set WHERRY_DATABASE_DIRECT_URL to the address of the server itself.',
  )
}
