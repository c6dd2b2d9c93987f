import type { Outbound } from '../../outbound/outbound.ts'
import type { StoredUpload } from './upload-contract.ts'

/** Credentials with which a partner or customer lets us sign in to an account of a tool. */
export interface AccountAccess {
  instanceUrl: string | null
  username: string | null
  token: string | null
  /** For a tool whose data is uploaded: which upload. */
  uploadId?: string | null
  /** Credentials with names of their own, and what the tool's token answer told besides. */
  more?: Record<string, string>
  /** For an account that the customer has signed in to: what renews its token. */
  oauth?: OAuthGrant
}

export interface OAuthGrant {
  /** Stays the same while tokens change. */
  grantId: string
  /** The instance that the client is known to; empty for a tool with one service for all. */
  instance: string
  /** Set for a tool with several. */
  region?: string
  refreshToken: string | null
  renewAt: string | null
}

/** One account of a tool, ready to be talked to. Every request is bounded by `signal`. */
export interface Account {
  access: AccountAccess
  outbound: Outbound
  signal: AbortSignal
  /** There whenever the tool requires an upload. */
  upload?: StoredUpload
  /** There whenever a run writes. */
  leftovers?: Leftovers
  /** There whenever a run writes. */
  sides?: SideRecords
}

/** Something that is to be put back in an account, and how. Ids, states and dates; never what a record says. */
export interface Leftover {
  kind: string
  [name: string]: string | number | null
}

/**
 * Notes on a temporary change that a connector made. They survive a crash, a pause and a stop; `restore` gets them
 * then.
 */
export interface Leftovers {
  /** To be called before the change is sent. */
  note(...items: Leftover[]): Promise<void>
  /** To be called once it is as it was. */
  forget(...items: Leftover[]): Promise<void>
}

/**
 * A record that a connector made because another one needed it, such as a member for a comment. The source has no such
 * record. Marks, ids and versions; never what a record says.
 */
export interface SideRecord {
  /** The tool's own name for the kind, such as `labels`. No entity of a family has this name. */
  kind: string
  /** Chosen before it is made, so that it is found even if the tool's answer is lost. */
  mark: string
  /** Null until the tool has told it. */
  destinationId: string | null
  /** As we left it. Changes with everything that people can change. */
  version: string | null
}

/** Ledger rows of records made on the side. The last stage of an undo removes those records. */
export interface SideRecords {
  /** To be called before a record is made, and again once its id and version are known. */
  note(...records: SideRecord[]): Promise<void>
  /** It was not made, is gone again, or has become a record of the source. */
  forget(...records: Pick<SideRecord, 'kind' | 'mark'>[]): Promise<void>
  list(kind: string): Promise<SideRecord[]>
}

export type SideOutcome = Pick<SideRecord, 'kind' | 'mark'> &
  /** Also when there is no such record any more. */
  ({ result: 'removed' } | { result: 'kept'; destinationId: string; url: string | null; message: string })

/** An account's description of itself, read at sign-in. */
export interface AccountInfo {
  /** For people: which account this is. */
  name: string
  /** The same for every token that opens this account, and for no other account at this address. */
  id?: string
  /** Entities that the account accepts, where it says so itself. */
  families?: readonly string[]
}
