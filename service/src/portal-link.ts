import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/**
 * The capability in the customer's portal link. It is derived from the import's id with a secret of this
 * installation, so that a copy of the database opens no portal and no import stores a token of its own.
 * Counting up `link_version` makes the old link worthless.
 */
export interface PortalLinks {
  token(imp: { id: string; link_version: number }): string
  isToken(imp: { id: string; link_version: number }, candidate: string): boolean
}

/** The address that opens the portal of the import. */
export function portalAddress(links: PortalLinks, imp: { id: string; link_version: number }, origin: string): string {
  return `${origin}/imports/${imp.id}/${links.token(imp)}`
}

export function portalLinks(secret: Buffer): PortalLinks {
  // Made once: from bytes, every call would make a key object anew, which takes eight times as long.
  const key = createSecretKey(secret)
  const token: PortalLinks['token'] = (imp) =>
    createHmac('sha256', key).update(`${imp.id}/${imp.link_version}`).digest('hex').slice(0, 32)
  return {
    token,
    isToken(imp, candidate) {
      const expected = Buffer.from(token(imp))
      const given = Buffer.from(candidate)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
