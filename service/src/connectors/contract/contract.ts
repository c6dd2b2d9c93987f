import type { Family } from '../../families/index.ts'
import type { LimitBucket } from '../../outbound/limits.ts'
import type { SkippedKind, SourceWarning, WriteLoss } from '../../warnings/codes.ts'
import type { Account, AccountInfo } from './account-contract.ts'
import type { AccountField, Credential, OAuthOffer, ToolWords } from './credential-contract.ts'
import type { Reader } from './read-contract.ts'
import type { Intake } from './upload-contract.ts'
import type { Writer } from './write-contract.ts'

export type { LimitBucket } from '../../outbound/limits.ts'
export type * from './account-contract.ts'
export type * from './capability-contract.ts'
export type * from './credential-contract.ts'
export type * from './read-contract.ts'
export type * from './write-contract.ts'

/** The source side of a tool. */
export interface Source {
  /** Credentials that the customer types in, in this order. A plain name means a credential with our general texts. */
  requires: readonly (AccountField | Credential)[]
  /** Set if people can sign in at the tool instead. */
  oauth?: OAuthOffer
  checkAccount(account: Account): Promise<AccountInfo>
  /**
   * Entities that `findIds` accepts. For other entities we cannot find deletions cheaply, and we tell customers so. For
   * those, only children of a deleted record are known to be deleted.
   */
  tellsDeleted?: readonly string[]
  /** Entities that the tool lists only below their parents, so that it never shows one without its parent. */
  nested?: readonly string[]
  /** Requests that the tool may get at once, all runs that read the account together. Without it, 4. */
  requestsAtOnce?: number
  /**
   * `family` selects the form of the records. Without it, a tool with several families uses its first one. Our
   * connectors load the code for reading only here, so that a process that opens no account stays small.
   */
  open(account: Account, family?: Family): Reader | Promise<Reader>
  /** Warnings that this source's records can have. */
  warns?: readonly SourceWarning[]
  /** Kinds of records that this source counts and leaves out on purpose. */
  skips?: readonly SkippedKind[]
  /** Set for a tool whose data is uploaded. */
  intake?: Intake
}

/** The destination side of a tool. */
export interface Destination {
  /** Credentials that the customer types in, in this order. Without them we cannot sign in. */
  requires: readonly (AccountField | Credential)[]
  oauth?: OAuthOffer
  /**
   * Signs in once. Throws AccountRefusedError if the account refuses. Any other error means that the account could not
   * be reached.
   */
  checkAccount(account: Account): Promise<AccountInfo>
  open(account: Account, family?: Family): Writer | Promise<Writer>
  /** Parts of an accepted record that the tool may drop. */
  loses?: readonly WriteLoss[]
}

/** Our code for one tool. A new tool needs a folder with this declaration and one line in registry.ts. */
export interface Connector {
  /** Machine name, also used in addresses. */
  tool: string
  label: string
  families: readonly Family[]
  source?: Source
  destination?: Destination
  /** Whether data can move between two instances of this tool. */
  movesBetweenInstances: boolean
  /** Texts that customers read when they connect the tool. */
  words?: ToolWords
  /**
   * Limits per account that the vendor states. All runs of an account share them. When a limit is used up, runs wait.
   */
  limits?: readonly LimitBucket[]
}
