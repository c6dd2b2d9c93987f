import type { PgBoss } from 'pg-boss'
import { fromKysely } from 'pg-boss'
import { workWoken } from '../jobs.ts'
import type { UploadEnqueue } from './finish-upload.ts'
import { type ReadParts, readUpload } from './read-upload.ts'

const queue = 'uploads'
/** Uploads that one process reads at the same time. */
const uploadsAtOnce = 2

/** Creates the queue; every process may call this at any time. */
export async function createUploadQueue(boss: PgBoss): Promise<void> {
  const settings = {
    // The reading itself counts its attempts, so the queue need not.
    retryLimit: 1_000,
    retryDelay: 2,
    // After this time another worker begins a dead worker's reading again, from the start. A slow worker must not
    // lose its reading, so the time is longer than for other jobs.
    heartbeatSeconds: 20,
    expireInSeconds: 6 * 60 * 60,
    notify: true,
  }
  // One worker per upload: the key of a job is the upload.
  await boss.createQueue(queue, { policy: 'key_strict_fifo', ...settings })
  // For a queue that an earlier version made.
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
        // The queue tries the job again.
        throw error
      }
    },
  )
}
