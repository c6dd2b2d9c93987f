import type { PortalImport } from '../../service/src/portal/contract.ts'

/** A larger step back means that the clock was changed. */
const trustedMs = 60_000

/** An older answer can arrive after a newer event: the page then keeps the newer state. */
export function keepNewer(known: PortalImport | undefined, arrived: PortalImport): PortalImport {
  if (known === undefined || known.id !== arrived.id) return arrived
  const olderByMs = Date.parse(known.read_at) - Date.parse(arrived.read_at)
  return olderByMs > 0 && olderByMs < trustedMs ? known : arrived
}
