import type { PreflightCheck } from '../contract/contract.ts'

/** One condition for `Writer.preflight`, with the words for both cases. */
export const preflightCheck = (
  code: string,
  isFine: boolean,
  isBlocking: boolean,
  { fine, amiss, fix }: { fine: string; amiss: string; fix: string },
): PreflightCheck => ({ code, isFine, isBlocking, message: isFine ? fine : amiss, ...(!isFine && { fix }) })

/** Advice for `Writer.preflight` that stops no run. `isFine` if the customer may well ignore it. */
export const hint = (code: string, isFine: boolean, message: string, fix: string): PreflightCheck => {
  return { code, isFine, isBlocking: false, message, fix }
}

/**
 * A limit of the tool for `Writer.preflight`. One that the customer can do something about is not fine: the portal shows
 * it first, with the advice.
 */
export const tell = (code: string, message: string, fix?: string): PreflightCheck => ({
  ...{ code, isFine: fix === undefined, isBlocking: false, message },
  ...(fix !== undefined && { fix }),
})
