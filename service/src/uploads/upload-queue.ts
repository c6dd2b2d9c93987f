import type { PgBoss } from 'pg-boss'
import { fromKysely } from 'pg-boss'
import { workWoken } from '../jobs.ts'
import type { UploadEnqueue } from './finish-upload.ts'
import { type ReadParts, readUpload } from './read-upload.ts'

const queue = 'uploads'
/** How many uploads one process reads at the same time. */
const uploadsAtOnce = 2

/** Creates the queue. Every process may call this at any time. */
export async function createUploadQueue(boss: PgBoss): Promise<void> {
  const settings = {
    // The reading counts its attempts itself, so the queue's own limit is high.
    retryLimit: 1_000,
    retryDelay: 2,
    // After this time without a heartbeat, another worker starts the reading again from the beginning. The time is
    // longer than for other jobs, so that a slow worker does not lose its reading.
    heartbeatSeconds: 20,
    expireInSeconds: 6 * 60 * 60,
    notify: true,
  }
  // Each upload has one worker at most, because the upload is the job's key.
  await boss.createQueue(queue, { policy: 'key_strict_fifo', ...settings })
  // Updates a queue that an earlier version created.
  await boss.updateQueue(queue, settings)
}

export function createUploadEnqueue(boss: () => PgBoss): UploadEnqueue {
  return async (tx, uploadId) => {
    await boss().send(queue, { uploadId }, { singletonKey: uploadId, db: fromKysely(tx) })
  }
}

export async function workUploads(
  boss: PgBoss,
  parts: ReadParts & { onError(error: unknown, uploadId: string): void },
): Promise<void> {
  await workWoken<{ uploadId: string }>(
    boss,
    queue,
    { batchSize: 1, localConcurrency: uploadsAtOnce },
    async ([job]) => {
      if (!job) return
      const { uploadId } = job.data
      try {
        await readUpload(parts, uploadId)
      } catch (error) {
        parts.onError(error, uploadId)
        // The queue retries the job.
        throw error
      }
    },
  )
}
