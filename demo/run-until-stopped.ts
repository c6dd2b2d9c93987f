export interface Stoppable {
  url: string
  close(): Promise<void>
}

const stopLimitMs = 5_000

/**
 * Runs a program until Ctrl-C or SIGTERM. If another program started it with an IPC channel, it also stops when that
 * program ends, and it reports over the channel when it listens.
 */
export async function runUntilStopped<T extends Stoppable>(
  name: string,
  start: () => Promise<T>,
  describe: (running: T) => string,
): Promise<void> {
  const told = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
    process.once('disconnect', () => resolve())
    // The other program may have ended while our modules were loading. `undefined` means that there never was a
    // channel.
    if (process.connected === false) resolve()
  })
  try {
    const running = await start()
    console.log(describe(running))
    if (process.connected) process.send?.({ listening: running.url })
    await told
    setTimeout(() => process.exit(1), stopLimitMs).unref()
    await running.close()
    console.log(`${name} has stopped.`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
  // An open channel would keep the process alive.
  if (process.connected) process.disconnect()
}
