import type { PreflightCheck } from '../contract/contract.ts'

/** One condition for `Writer.preflight`, with the words for both cases. */
export const preflightCheck = (
  code: string,
  isFine: boolean,
  isBlocking: boolean,
  { fine, amiss, fix }: { fine: string; amiss: string; fix: string },
): PreflightCheck => ({ code, isFine, isBlocking, message: isFine ? fine : amiss, ...(!isFine && { fix }) })
