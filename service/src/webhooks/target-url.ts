import { AddressNotAllowedError, OperatorError } from '../errors.ts'
import type { AddressGuard } from '../outbound/address-guard.ts'

const maxLength = 2048

/** Refuses an address that can never be a target. The guard checks names again at every connection. */
export function requireTargetUrl(option: string, text: string, guard: AddressGuard | null): void {
  const url = URL.canParse(text) ? new URL(text) : null
  if (
    !url ||
    text.length > maxLength ||
    !/^https?:\/\//i.test(text) ||
    url.username !== '' ||
    url.password !== '' ||
    text.includes('#')
  ) {
    throw new OperatorError(
      `${option} must be an absolute http or https URL without credentials or fragment, of at most ${maxLength} characters.`,
    )
  }
  try {
    guard?.vetUrl(url)
  } catch (error) {
    if (!(error instanceof AddressNotAllowedError)) throw error
    throw new OperatorError(
      `${option}: ${error.message}. To allow it, list its network in WHERRY_ALLOWED_NETWORKS, here and where the workers run.`,
    )
  }
}
