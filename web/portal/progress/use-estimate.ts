import { useState } from 'react'
import type { PortalImport } from '../../../service/src/portal/contract.ts'
import { formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { isHeld } from '../shell/running.ts'
import { type Estimate, noEstimate, observe, remainingMs } from './estimate.ts'

/** How long it will take yet, by what this page has seen; words for people. */
export function useEstimate(imp: PortalImport): { words: string; msFor: (rest: number) => number | null } {
  const [estimate, setEstimate] = useState<Estimate>(noEstimate)
  const { done, total } = imp.progress
  const held = isHeld(imp)
  if (!held && estimate.samples.at(-1)?.done !== done) {
    setEstimate(observe(estimate, { atMs: Date.now(), done }))
  }
  // Time in which nothing may happen says nothing about speed.
  if (held && estimate.samples.length > 0) setEstimate(noEstimate)
  const msFor = (rest: number) => remainingMs(estimate, rest)
  const { eta } = later.runProgress
  if (held) return { words: imp.run?.obstacle?.code === 'paused' ? eta.paused : eta.waiting, msFor }
  const left = total === null ? null : msFor(Math.max(0, total - done))
  return { words: left === null ? eta.measuring : spoken(left), msFor }
}

/** Rounded as people say it; nobody believes "3 hours 12 minutes". */
export function spoken(ms: number): string {
  const { underMinute, minutes, hours } = later.runProgress.eta
  const count = Math.ceil(ms / 60_000)
  if (ms < 60_000) return underMinute
  if (count <= 10) return minutes(count)
  if (count <= 90) return minutes(Math.round(count / 5) * 5)
  return hours(formatNumber(Math.round(count / 30) / 2))
}
