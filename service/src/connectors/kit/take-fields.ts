import type { Static, TSchema } from 'typebox'
import { hasShape } from './has-shape.ts'

/** Returns the fields that exist and fit their schemas, for data of a tool that becomes no record. */
export function takeFields<P extends Readonly<Record<string, TSchema>>>(
  checks: P,
  given: object,
): { [K in keyof P]?: Static<P[K]> } {
  const raw = given as Record<string, unknown>
  const usable = Object.entries(checks).filter(([name, check]) => raw[name] !== undefined && hasShape(check, raw[name]))
  return Object.fromEntries(usable.map(([name]) => [name, raw[name]])) as { [K in keyof P]?: Static<P[K]> }
}
