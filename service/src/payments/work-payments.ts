import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../db/open-database.ts'
import { resumeCovered } from '../imports/resume-covered.ts'
import type { RunStarter } from '../imports/start-run.ts'
import type { PaymentProviders, PaymentRow } from './provider.ts'
import { recordFact } from './record-fact.ts'

/** After this time, another worker takes over the task of a lost worker. */
const claimFor = sql<Date>`now() + interval '2 minutes'`
const lookMs = 2_000
/** After this many failures the operator is warned. The attempts continue. */
const failuresUntilTold = 5

export interface PaymentWorkParts {
  db: Db
  providers: PaymentProviders
  log: Pick<Logger, 'warn'>
}

/** `starter` passes runs that waited for a payment to the workers. */
export type PaymentLoopParts = PaymentWorkParts & {
  starter: RunStarter
  /** Resolves when there may be work. */
  until?: (signal: AbortSignal) => Promise<void>
}

/** Carries out payment tasks at the providers. Several processes can do this at the same time. */
export function startPaymentWork(parts: PaymentLoopParts): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const work = async () => {
    while (!signal.aborted) {
      const hasWorked = await workNextPayment(parts).catch((error: unknown) => {
        parts.log.warn({ err: error }, 'a payment could not be worked on')
        return false
      })
      await resumeCovered(parts.db, parts.starter).catch((error: unknown) => {
        parts.log.warn({ err: error }, 'a run that is paid for could not be resumed')
      })
      if (hasWorked) continue
      // A task whose provider is not configured here stays due. The pause keeps it from causing a busy loop.
      await sleep(lookMs, undefined, { signal }).catch(() => {})
      await parts.until?.(signal)
    }
  }
  const done = work()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

/** Does the task that has been due longest. False if no task is due. */
export async function workNextPayment({ db, providers, log }: PaymentWorkParts): Promise<boolean> {
  const { rows } = await sql<PaymentRow>`
    update payments set task_due_at = ${claimFor}
    where id = (
      select id from payments where task is not null and task_due_at <= now() and provider = any(${providers.map(({ name }) => name)})
      order by task_due_at limit 1 for no key update skip locked
    )
    returning *`.execute(db)
  const [payment] = rows
  const provider = providers.find(({ name }) => name === payment?.provider)
  if (!payment || !provider) return false
  try {
    if (payment.task === 'refund') {
      const fact = await provider.refund(payment)
      if (fact) await recordFact(db, fact)
      else await leaveToOperator(db, payment)
    } else if (payment.task === 'expire') {
      await provider.expire(payment)
      await finishTask(db, payment)
    } else {
      const fact = await provider.check(payment)
      if (fact) await recordFact(db, fact)
      await checkLater(db, payment)
    }
  } catch (error) {
    log.warn({ err: error, payment: payment.id, task: payment.task }, 'a payment provider did not do as asked')
    await retryLater(db, payment)
  }
  return true
}

async function finishTask(db: Db, { id, task }: PaymentRow): Promise<void> {
  await db
    .updateTable('payments')
    .set({ task: null, task_due_at: null, task_failures: 0 })
    .where('id', '=', id)
    .where('task', '=', task)
    .execute()
}

/** Leaves a refund to the operator, because the money did not come through a provider that can return it. */
async function leaveToOperator(db: Db, { id }: PaymentRow): Promise<void> {
  await db
    .updateTable('payments')
    .set({ task: null, task_due_at: null, attention: 'send the money back, then: wherry payment refund' })
    .where('id', '=', id)
    .where('state', '=', 'refund_due')
    .execute()
}

/** Schedules the next question about an open payment. The interval grows with the payment's age, up to one hour. */
async function checkLater(db: Db, { id }: PaymentRow): Promise<void> {
  await db
    .updateTable('payments')
    .set({ task_due_at: sql`now() + least(interval '1 hour', (now() - created_at))`, task_failures: 0 })
    .where('id', '=', id)
    .where('task', '=', 'check')
    .execute()
}

async function retryLater(db: Db, { id, task, task_failures: failures }: PaymentRow): Promise<void> {
  const seconds = Math.min(3_600, 5 * 2 ** Math.min(failures, 10))
  await db
    .updateTable('payments')
    .set({
      task_due_at: sql`now() + make_interval(secs => ${seconds}::int)`,
      task_failures: failures + 1,
      ...(failures + 1 >= failuresUntilTold &&
        task === 'refund' && { attention: 'the refund has failed again and again; the log says why' }),
    })
    .where('id', '=', id)
    .where('task', '=', task)
    .execute()
}
