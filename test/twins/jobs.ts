import { refuse } from './answers.ts'
import type { Clock } from './clock.ts'

export interface Job<R> {
  id: string
  state: 'queued' | 'working' | 'completed'
  /** Set once the job is completed. */
  result: R | null
}

interface Running<R> {
  id: string
  dueAt: number
  startsAt: number
  work(): R
  result: R | null
  isDone: boolean
}

/** Work that a tool does later. The job is done at its time, even without a request. */
export function createJobs<R>(
  clock: Clock,
  { most, takesMs, tooMany = { error: 'too many jobs' } }: { most: number; takesMs: number; tooMany?: unknown },
) {
  const jobs = new Map<string, Running<R>>()
  const settle = (): void => {
    for (const job of jobs.values()) {
      if (job.isDone || clock.now() < job.dueAt) continue
      job.isDone = true
      job.result = job.work()
    }
  }
  const look = (job: Running<R>): Job<R> => ({
    id: job.id,
    state: job.isDone ? 'completed' : clock.now() < job.startsAt ? 'queued' : 'working',
    result: job.result,
  })
  return {
    settle,
    start(work: () => R): Job<R> {
      settle()
      if ([...jobs.values()].filter(({ isDone }) => !isDone).length >= most) refuse(429, tooMany)
      const at = clock.now()
      const id = `job-${jobs.size + 1}`
      const job = { id, startsAt: at + takesMs / 2, dueAt: at + takesMs, work, result: null, isDone: false }
      jobs.set(id, job)
      return look(job)
    },
    get(id: string): Job<R> | null {
      settle()
      const job = jobs.get(id)
      return job ? look(job) : null
    },
  }
}
