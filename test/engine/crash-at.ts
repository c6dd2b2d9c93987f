import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { CrashPoint } from '../../service/src/engine/run-context.ts'
import { type Program, startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import type { Journey } from './journey.ts'

const startWorker = (journey: Journey, runId: string, point: CrashPoint, nth: number, signal: string): Program =>
  startProgram(
    process.execPath,
    [join(import.meta.dirname, 'crash-worker.ts'), journey.databaseUrl, runId, testKeys, point, String(nth), signal],
    { env: { PATH: process.env.PATH } },
  )

/**
 * Works on the run in a separate process, which is killed at the point. Returns true if the process reached the point.
 */
export async function crashAt(journey: Journey, runId: string, point: CrashPoint, nth = 1): Promise<boolean> {
  const { code, stderr } = await startWorker(journey, runId, point, nth, 'SIGKILL').finished
  if (code !== null && code !== 7) throw new Error(`the worker failed: ${stderr}`)
  return code === null
}

/** A time longer than a worker may assume that a run is still its own. */
export const frozenMs = 6_000

/** A worker that freezes itself at the point; its requests sent before are on their way. */
export async function startFrozen(
  cleanup: AsyncDisposableStack,
  journey: Journey,
  runId: string,
  point: CrashPoint,
  nth: number,
): Promise<Program> {
  const worker = startWorker(journey, runId, point, nth, 'SIGSTOP')
  cleanup.defer(async () => {
    worker.child.kill('SIGKILL')
    await worker.finished
  })
  await vi.waitFor(
    async () => {
      expect(worker.child.exitCode, worker.output()).toBe(null)
      expect((await readFile(`/proc/${worker.pid}/status`, 'utf8')).match(/^State:\s+(\S)/m)?.[1]).toBe('T')
    },
    { timeout: 300_000, interval: 20 },
  )
  return worker
}

/** Everything in the database that a worker could change for a run. */
export async function snapshot({ db }: Journey): Promise<string> {
  const tables = ['runs', 'run_stages', 'id_map', 'imports', 'warnings', 'events', 'user_map']
  const contents = tables.map((table) => sql`select * from ${sql.table(table)} t order by t::text`.execute(db))
  return JSON.stringify((await Promise.all(contents)).map(({ rows }) => rows))
}
