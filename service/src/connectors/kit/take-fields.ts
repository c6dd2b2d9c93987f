import type { Static, TSchema } from 'typebox'
import { hasShape } from './has-shape.ts'

/** Those of the fields that are there and of the right shape, for things of a tool that become no records. */
export function takeFields<P extends Readonly<Record<string, TSchema>>>(
  checks: P,
  given: object,
): { [K in keyof P]?: Static<P[K]> } {
  const raw = given as Record<string, unknown>
  const usable = Object.entries(checks).filter(([name, check]) => raw[name] !== undefined && hasShape(check, raw[name]))
  return Object.fromEntries(usable.map(([name]) => [name, raw[name]])) as { [K in keyof P]?: Static<P[K]> }
}
