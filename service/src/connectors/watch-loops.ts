import { Worker } from 'node:worker_threads'

const beatMs = 1_000
const mostBytes = 1_000

/** Calls of connectors that have not ended. */
const underWay = new Set<{ name: string }>()
let publish = () => {}

/** Notes that a connector begins a call. Call the answer when it ends. */
export function noteCall(tool: string, call: string): () => void {
  const noted = { name: `${tool} ${call}` }
  underWay.add(noted)
  publish()
  return () => {
    underWay.delete(noted)
    publish()
  }
}

/**
 * Prints which connectors are at work when this process has answered nothing for a while. A thread does so, because an
 * endless loop keeps the process itself from printing.
 */
export function watchLoops(busyMs = 60_000): void {
  const beat = new Int32Array(new SharedArrayBuffer(4))
  const names = new Uint8Array(new SharedArrayBuffer(mostBytes))
  const encoder = new TextEncoder()
  publish = () => {
    names.fill(0)
    names.set(encoder.encode([...underWay].map(({ name }) => name).join('; ')).subarray(0, mostBytes))
  }
  // It counts its own turns: after a pause of the whole machine, the clock would tell of a loop that never was.
  const code = `const { workerData: { beat, names, busyMs, beatMs } } = require('node:worker_threads')
    let last = -1, idleMs = 0
    setInterval(() => {
      const now = Atomics.load(beat, 0)
      idleMs = now === last ? idleMs + beatMs : 0
      last = now
      if (idleMs < busyMs || idleMs >= busyMs + beatMs) return
      const calls = Buffer.from(names).toString().replace(/\\0+$/, '') || 'none'
      require('node:fs').writeSync(2, 'The process has been busy for ' + busyMs / 1000 +
        ' s and answers nobody. Calls of connectors under way: ' + calls + '\\n')
    }, beatMs)`
  const beats = Math.min(beatMs, busyMs / 4)
  new Worker(code, { eval: true, execArgv: [], workerData: { beat, names, busyMs, beatMs: beats } }).unref()
  setInterval(() => Atomics.add(beat, 0, 1), beats).unref()
}
