import type { PortalImport } from '../../service/src/portal/contract.ts'

/** A larger step back is a clock that was set anew. */
const trustedMs = 60_000

/** An answer may arrive after a newer one was told: the page then keeps what it has. */
export function keepNewer(known: PortalImport | undefined, arrived: PortalImport): PortalImport {
  if (known === undefined || known.id !== arrived.id) return arrived
  const olderByMs = Date.parse(known.read_at) - Date.parse(arrived.read_at)
  return olderByMs > 0 && olderByMs < trustedMs ? known : arrived
}
