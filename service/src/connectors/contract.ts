import type { Family } from '../families/index.ts'
import type { Outbound } from '../outbound/outbound.ts'

/** What a partner or customer gave us to sign in to an account of a tool. */
export interface AccountAccess {
  instanceUrl: string | null
  username: string | null
  token: string | null
}

export interface AccountCheckContext {
  outbound: Outbound
  signal: AbortSignal
}

/** How a tool can receive data. */
export interface Destination {
  /** Fields of the access without which signing in cannot even be tried. */
  requires: (keyof AccountAccess)[]
  /**
   * Signs in once. Resolves when the account lets us in; throws AccountRefusedError when it says no. Any other error
   * means that the tool could not be asked.
   */
  checkAccount(access: AccountAccess, context: AccountCheckContext): Promise<void>
}

/** Our code for one tool. Adding a tool is a folder with this declaration, and one line of registry.ts. */
export interface Connector {
  /** Machine name, also the slug. */
  tool: string
  label: string
  families: readonly Family[]
  isSource: boolean
  destination?: Destination
  /** Whether data can move between two instances of this same tool. */
  movesBetweenInstances: boolean
}
