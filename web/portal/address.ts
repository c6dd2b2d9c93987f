export interface PortalAddress {
  id: string
  /** Set only if the address bar shows the customer's link. */
  token: string | null
}

/** Reads the import from the address bar: `/imports/{id}/{token}` or `/imports/{id}`. */
export function readAddress(): PortalAddress | null {
  const [, id, token] = /^\/imports\/([^/]+)(?:\/([^/]+))?\/?$/.exec(location.pathname) ?? []
  return id === undefined ? null : { id, token: token ?? null }
}

/** Removes the token from the address bar and from this tab's history. */
export function hideToken(id: string): void {
  history.replaceState(null, '', `/imports/${id}${location.hash}`)
}
