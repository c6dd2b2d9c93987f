import type { PortalImport } from '../../service/src/portal/contract.ts'

/** A larger difference means that the clock was changed. */
const trustedMs = 60_000

/** Keeps the newer state, because an older answer can arrive after a newer event. */
export function keepNewer(known: PortalImport | undefined, arrived: PortalImport): PortalImport {
  if (known === undefined || known.id !== arrived.id) return arrived
  const olderByMs = Date.parse(known.read_at) - Date.parse(arrived.read_at)
  return olderByMs > 0 && olderByMs < trustedMs ? known : arrived
}
