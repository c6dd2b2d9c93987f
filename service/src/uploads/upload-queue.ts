import type { PgBoss } from 'pg-boss'
import { fromKysely } from 'pg-boss'
import type { UploadEnqueue } from './finish-upload.ts'
import { type ReadParts, readUpload } from './read-upload.ts'

const queue = 'uploads'
/** Uploads that one process reads at the same time. */
const uploadsAtOnce = 2

/** Prepares the queue; every process may do so at any time. */
export async function createUploadQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(queue, {
    // One worker per upload: its key is the upload.
    policy: 'singleton',
    // The reading itself counts its attempts.
    retryLimit: 1_000,
    retryDelay: 2,
    // A worker that dies is noticed after this long, and another one begins again.
    heartbeatSeconds: 10,
    expireInSeconds: 6 * 60 * 60,
  })
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
  await boss.work<{ uploadId: string }>(
    queue,
    { batchSize: 1, localConcurrency: uploadsAtOnce, pollingIntervalSeconds: 0.5 },
    async ([job]) => {
      if (!job) return
      const { uploadId } = job.data
      try {
        await readUpload(parts, uploadId)
      } catch (error) {
        parts.onError(error, uploadId)
        // Tried again by the queue.
        throw error
      }
    },
  )
}
