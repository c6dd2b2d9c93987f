import type { SettledOutcome } from '../contract/contract.ts'

/** The tool refuses this record. Other records are not affected. */
export const refused = (key: string, code: string, message: string): SettledOutcome & { result: 'refused' } => ({
  key,
  result: 'refused',
  code,
  message,
})
