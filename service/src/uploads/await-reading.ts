import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/open-database.ts'

/** Waits until the current reading ends, at most for the time limit of the request. */
export async function awaitReading(db: Db, uploadId: string, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs
  for (;;) {
    const upload = await db.selectFrom('uploads').select('state').where('id', '=', uploadId).executeTakeFirst()
    if (upload?.state !== 'reading' || performance.now() > end) return
    await sleep(200)
  }
}
