import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const host = '127.0.0.1'

/** This port, or any other one when a program holds it. */
export async function findPort(wanted: number, taken: readonly number[]): Promise<number> {
  if (!taken.includes(wanted) && (await isPortFree(wanted))) return wanted
  for (;;) {
    const port = await listenOnce(0)
    if (port !== null && !taken.includes(port)) return port
  }
}

/** Waits a moment, because programs of a killed service are about to end. */
export async function isPortFreeSoon(port: number): Promise<boolean> {
  for (let tries = 0; tries < 30; tries += 1) {
    if (await isPortFree(port)) return true
    await sleep(100)
  }
  return false
}

const isPortFree = async (port: number) => (await listenOnce(port)) !== null

function listenOnce(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen(wanted, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })
}
