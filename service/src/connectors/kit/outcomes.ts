import type { SettledOutcome } from '../contract/contract.ts'

/** The tool does not take this record, whatever becomes of the others. */
export const refused = (key: string, code: string, message: string): SettledOutcome & { result: 'refused' } => ({
  key,
  result: 'refused',
  code,
  message,
})
