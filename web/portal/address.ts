export interface PortalAddress {
  id: string
  /** Set only while the address bar shows the customer's link. */
  token: string | null
}

/** The import in the address bar: `/imports/{id}/{token}` or `/imports/{id}`. */
export function readAddress(): PortalAddress | null {
  const [, id, token] = /^\/imports\/([^/]+)(?:\/([^/]+))?\/?$/.exec(location.pathname) ?? []
  return id === undefined ? null : { id, token: token ?? null }
}

/** Takes the token out of the address bar and out of this tab's history. */
export function hideToken(id: string): void {
  history.replaceState(null, '', `/imports/${id}${location.hash}`)
}
