import { obstacleAdvice } from '../console/obstacle-advice.ts'
import type { Obstacle } from '../db/schema.ts'

/** Adds the next step for an obstacle, taken from docs/operations.md. */
export async function withAdvice<T extends { obstacle: Obstacle | null }>(shown: T) {
  const { obstacle } = shown
  if (!obstacle) return shown
  const advice = (await obstacleAdvice()).find(({ code }) => code === obstacle.code)
  return { ...shown, who_acts: advice?.who_acts ?? null, next_step: advice?.next_step ?? null }
}
