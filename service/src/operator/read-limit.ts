import { OperatorError } from '../errors.ts'

export function readLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) throw new OperatorError('--limit must be 1 to 1000.')
  return limit
}
