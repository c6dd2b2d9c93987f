import { afterAll, afterEach, beforeEach } from 'vitest'
import { openPipedriveWriter } from '../../../service/src/connectors/crm/pipedrive/writer.ts'
import { createClock } from '../../twins/clock.ts'
import { type PipedriveTwin, startPipedriveTwin } from '../../twins/pipedrive/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

/** A twin of its own for each test of a file, whose clock stands still. A wrong request fails the test that sent it. */
export function openTwinBench() {
  const outbound = createLoopbackOutbound()
  let twin: PipedriveTwin
  const start = async (options: Parameters<typeof startPipedriveTwin>[0] = {}) => {
    await twin?.close()
    twin = await startPipedriveTwin(options, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
  }
  beforeEach(() => start())
  afterEach(() => twin.close())
  afterAll(() => outbound.close())
  const accountOf = () => ({
    access: { username: null, ...twin.access },
    outbound,
    signal: AbortSignal.timeout(600_000),
  })
  return {
    get twin() {
      return twin
    },
    /** Replaces the twin by one with other settings. */
    start,
    accountOf,
    writer: () => openPipedriveWriter(accountOf()),
  }
}
