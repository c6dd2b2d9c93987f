import { useState } from 'react'
import type { PortalImport } from '../../../service/src/portal/contract.ts'
import { formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { isHeld } from '../shell/running.ts'
import { type Estimate, noEstimate, observe, remainingMs } from './estimate.ts'

/** The remaining time in words, measured by this page. */
export function useEstimate(imp: PortalImport): { words: string; msFor: (rest: number) => number | null } {
  const [estimate, setEstimate] = useState<Estimate>(noEstimate)
  const { done } = imp.progress
  const total = totalOf(imp)
  const held = isHeld(imp)
  if (!held && estimate.samples.at(-1)?.done !== done) {
    setEstimate(observe(estimate, { atMs: Date.now(), done }))
  }
  // A pause restarts the measurement.
  if (held && estimate.samples.length > 0) setEstimate(noEstimate)
  const msFor = (rest: number) => remainingMs(estimate, rest)
  const { eta } = later.runProgress
  if (held) return { words: imp.run?.obstacle?.code === 'paused' ? eta.paused : eta.waiting, msFor }
  const left = total === null ? null : msFor(Math.max(0, total - done))
  if (left !== null) return { words: spoken(left), msFor }
  return { words: total === null ? eta.measuring : guessed(Math.max(0, total - done)), msFor }
}

/** The total number of records: the run's count or, if it has none yet, the plan's. */
export function totalOf({ progress, run }: PortalImport): number | null {
  if (progress.total !== null || run?.kind !== 'full') return progress.total
  return run.entities.reduce<number | null>(
    (sum, { total }) => (sum === null || total === null ? null : sum + total),
    0,
  )
}

/** Records per second of slow and of fast tools, used before the first measurement. */
const usualPace = { least: 4, most: 40 }

function guessed(rest: number): string {
  const minutes = (pace: number) => Math.max(1, Math.ceil(rest / pace / 60))
  const [least, most] = [minutes(usualPace.most), minutes(usualPace.least)]
  const { between, underMinute } = later.runProgress.eta
  return rest === 0 || most === 1 ? underMinute : between(formatNumber(least), formatNumber(most))
}

/** Rounds, because "3 hours 12 minutes" would look exact. */
export function spoken(ms: number): string {
  const { underMinute, minutes, hours } = later.runProgress.eta
  const count = Math.ceil(ms / 60_000)
  if (ms < 60_000) return underMinute
  if (count <= 10) return minutes(count)
  if (count <= 90) return minutes(Math.round(count / 5) * 5)
  return hours(formatNumber(Math.round(count / 30) / 2))
}
