import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** The processor time of each process tree, as a share of one core. */
export interface UsedCpu {
  seconds: number
  shares: number[]
}

/** Measures processes with all their descendants. Null without Linux's /proc. */
export async function watchTrees(roots: number[], seconds: number): Promise<UsedCpu | null> {
  const before = await readAll().catch(() => null)
  if (!before) return null
  await sleep(seconds * 1000)
  const after = await readAll()
  const shares = roots.map((root) => {
    const used = treeOf(root, after).map((pid) => (after.get(pid)?.ns ?? 0) - (before.get(pid)?.ns ?? 0))
    return used.reduce((sum, ns) => sum + ns, 0) / (seconds * 1e9)
  })
  return { seconds, shares }
}

interface Running {
  parent: number
  /** Processor time so far in nanoseconds, over all threads. */
  ns: number
}

async function readAll(): Promise<Map<number, Running>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map(async (pid) => [pid, await readOne(pid).catch(() => null)] as const))
  return new Map(found.filter((entry): entry is [number, Running] => entry[1] !== null))
}

async function readOne(pid: number): Promise<Running> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The process name in brackets may contain spaces and brackets.
  const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const threads = await readdir(`/proc/${pid}/task`)
  const used = await Promise.all(
    threads.map(async (thread) =>
      Number((await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')[0]),
    ),
  )
  return { parent: Number(parent), ns: used.reduce((sum, ns) => sum + ns, 0) }
}

function treeOf(root: number, all: Map<number, Running>): number[] {
  const children = [...all].filter(([, { parent }]) => parent === root).map(([pid]) => pid)
  return [root, ...children.flatMap((child) => treeOf(child, all))]
}
