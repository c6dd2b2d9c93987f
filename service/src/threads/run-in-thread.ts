import { Worker } from 'node:worker_threads'
import { isLight } from '../json-pieces.ts'

/** The task used more time or memory than its budget, so its thread was ended. */
export class OverBudgetError extends Error {}

/** A pure function of a module, by name. Its arguments and its answer are copied between threads. */
export interface ThreadTask {
  module: string
  name: string
  args: unknown[]
  /** Memory within the arguments that the thread takes over, instead of a copy. */
  transfer?: ArrayBuffer[]
  /** Set where short arguments need as much memory as a long text. */
  isHeavy?: boolean
  /** CPU time, so that a busy machine changes no outcome. */
  cpuMs: number
  /** Called with the CPU time used; with the whole budget if it was not enough. */
  onSpent?: (cpuMs: number) => void
}

export type ThreadAnswer = { started: true } | { result: unknown; cpuMs: number } | { error: string }

interface OpenTask extends ThreadTask {
  isHeavy: boolean
  /** The thread ends with this task, so that the memory is free before the answer is used. */
  isVeryHeavy: boolean
  resolve(result: unknown): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  /** Long texts go to one thread alone, so that two of them never fill the memory together. */
  takesHeavy: boolean
  task: OpenTask | null
  timer: NodeJS.Timeout | null
}

const mostThreads = 2
/** The goal for the service is 512 MB in all. Less than this is not enough for a text of 10 MB in the form of Ghost. */
const heapMb = { heavy: 192, light: 40, young: 8 }
const heavyCharacters = 64 * 1024
const veryHeavyCharacters = 2 * 1024 * 1024
const idleMs = 10_000
const lookMs = 250
/** A task may wait for the processor this many times its budget. After that it is stuck. */
const patience = 20

// One pool for the process: threads keep no data of a task, and more threads than processors would only wait.
const threads = new Set<Thread>()
const waiting: OpenTask[] = []

/** Runs long work on texts beside the event loop. The first task starts a thread; a thread without a task ends after a while. */
export function runInThread(task: ThreadTask): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const isHeavy = task.isHeavy === true || !isLight(task.args, heavyCharacters)
    const isVeryHeavy = task.isHeavy === true || !isLight(task.args, veryHeavyCharacters)
    waiting.push({ ...task, isHeavy, isVeryHeavy, resolve, reject })
    assign()
  })
}

/** Ends the idle threads; the busy ones end soon after their task. */
export async function endIdleThreads(): Promise<void> {
  await Promise.all([...threads].filter(({ task }) => task === null).map((thread) => end(thread)))
}

function assign(): void {
  for (const task of [...waiting]) {
    const thread = [...threads].find((one) => one.task === null && (one.takesHeavy || !task.isHeavy)) ?? start(task)
    if (!thread) continue
    waiting.splice(waiting.indexOf(task), 1)
    give(thread, task)
  }
}

function start({ isHeavy }: OpenTask): Thread | null {
  const takesHeavy = ![...threads].some((thread) => thread.takesHeavy)
  if (threads.size >= mostThreads || (isHeavy && !takesHeavy)) return null
  const worker = new Worker(new URL('./answer-tasks.ts', import.meta.url), {
    resourceLimits: {
      maxOldGenerationSizeMb: takesHeavy ? heapMb.heavy : heapMb.light,
      maxYoungGenerationSizeMb: heapMb.young,
    },
  })
  const thread: Thread = { worker, takesHeavy, task: null, timer: null }
  worker.on('message', (answer: ThreadAnswer) => hear(thread, answer))
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    void end(thread, isMemory ? new OverBudgetError('out of memory') : error)
  })
  worker.on('exit', () => void end(thread))
  threads.add(thread)
  return thread
}

function give(thread: Thread, task: OpenTask): void {
  setTimer(
    thread,
    setTimeout(() => void end(thread), task.cpuMs * patience),
  )
  thread.task = task
  // A task under way keeps the process alive, an idle thread does not.
  thread.worker.ref()
  const { module, name, args, transfer } = task
  // Copying a long text takes a turn of the event loop of its own.
  setImmediate(() => thread.worker.postMessage({ module, name, args }, transfer ?? []))
}

function hear(thread: Thread, answer: ThreadAnswer): void {
  const { task } = thread
  if (!task) return
  if ('started' in answer) return void watch(thread, task)
  thread.task = null
  thread.worker.unref()
  if (task.isVeryHeavy) void end(thread)
  else setTimer(thread, setTimeout(() => void end(thread), idleMs).unref())
  setImmediate(() => {
    if ('error' in answer) task.reject(new Error(answer.error))
    else {
      task.onSpent?.(answer.cpuMs)
      task.resolve(answer.result)
    }
    assign()
  })
}

/** Counts from the moment the task itself begins, after its module has been loaded. */
async function watch(thread: Thread, task: OpenTask): Promise<void> {
  const start = performance.now()
  const before = await cpuMsOf(thread)
  const look = async () => {
    const used = before === null ? null : await cpuMsOf(thread)
    if (thread.task !== task) return
    const spent = used === null || before === null ? 0 : used - before
    if (spent > task.cpuMs || performance.now() - start > task.cpuMs * patience) void end(thread)
    else
      setTimer(
        thread,
        setTimeout(() => void look(), lookMs),
      )
  }
  if (thread.task === task)
    setTimer(
      thread,
      setTimeout(() => void look(), lookMs),
    )
}

/** Null if the thread has ended meanwhile. */
const cpuMsOf = ({ worker }: Thread): Promise<number | null> =>
  worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1_000,
    () => null,
  )

function setTimer(thread: Thread, timer: NodeJS.Timeout | null): void {
  if (thread.timer) clearTimeout(thread.timer)
  thread.timer = timer
}

async function end(thread: Thread, error: Error = new OverBudgetError('out of time')): Promise<void> {
  if (!threads.delete(thread)) return
  setTimer(thread, null)
  const { task, worker } = thread
  thread.task = null
  if (error instanceof OverBudgetError) task?.onSpent?.(task.cpuMs)
  task?.reject(error)
  assign()
  await worker.terminate()
}
