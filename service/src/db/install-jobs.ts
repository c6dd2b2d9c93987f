import { PgBoss, type Queue } from 'pg-boss'

/** Queues that `send_job` puts jobs into, which has to work before any worker was there. */
const queues: Record<string, Omit<Queue, 'name'>> = {
  'webhook-deliveries': {
    // A look at a target is soon over; one that a worker took along when it died is repeated by another.
    heartbeatSeconds: 10,
    retryLimit: 1_000_000,
    retryDelay: 1,
    deleteAfterSeconds: 60,
  },
  mails: {
    heartbeatSeconds: 20,
    retryLimit: 1_000_000,
    retryDelay: 1,
    deleteAfterSeconds: 60,
  },
}

/** Brings the queue's own tables to their newest form. Safe when many processes start at once: pg-boss takes a lock. */
export async function installJobs(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 1, supervise: false, schedule: false })
  // What matters comes out of the calls below.
  boss.on('error', () => {})
  await boss.start()
  try {
    for (const [name, settings] of Object.entries(queues)) {
      await boss.createQueue(name, settings)
      // For a queue that an earlier version made.
      await boss.updateQueue(name, settings)
    }
  } finally {
    await boss.stop({ graceful: false })
  }
}
