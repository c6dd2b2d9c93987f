import type { Outbound } from '../../outbound/outbound.ts'
import type { StoredUpload } from './upload-contract.ts'

/** Credentials with which a partner or customer lets us sign in to an account of a tool. */
export interface AccountAccess {
  instanceUrl: string | null
  username: string | null
  token: string | null
  /** Id of the upload, for a tool whose data is uploaded. */
  uploadId?: string | null
  /** Credentials outside the fields above, and further values from the tool's token answer. */
  more?: Record<string, string>
  /** Renews the token of an account that the customer connected by OAuth. */
  oauth?: OAuthGrant
}

export interface OAuthGrant {
  /** Id of this grant. It stays the same while tokens change. */
  grantId: string
  /** The instance at which our OAuth client is registered; empty for a tool with one service for all. */
  instance: string
  /** Region of the service, for a tool that has several. */
  region?: string
  refreshToken: string | null
  renewAt: string | null
  /** The name of the account in all imports. Grants of earlier versions have none. */
  account?: string
}

/** One account of a tool, with everything needed to send requests. `signal` ends every request. */
export interface Account {
  access: AccountAccess
  outbound: Outbound
  signal: AbortSignal
  /** Set if the tool requires an upload. */
  upload?: StoredUpload
  /** Set while a run writes. */
  leftovers?: Leftovers
  /** Set while a run writes. */
  sides?: SideRecords
}

/**
 * A change in an account that must be put back, and how. It holds ids, states and dates, never the content of a record.
 */
export interface Leftover {
  kind: string
  [name: string]: string | number | null
}

/**
 * Notes about temporary changes that a connector made. The notes survive a crash, a pause and a stop. `restore`
 * receives them later.
 */
export interface Leftovers {
  /** Call this before the change is sent. */
  note(...items: Leftover[]): Promise<void>
  /** Call this after the change was put back. */
  forget(...items: Leftover[]): Promise<void>
}

/**
 * A record that a connector made because another record needed it, such as a member for a comment. The source has no
 * such record. It holds marks, ids and versions, never the content of a record.
 */
export interface SideRecord {
  /** The tool's own name for the kind, such as `labels`. No entity of a family has this name. */
  kind: string
  /**
   * Our mark for the record, chosen before the record is made. It finds the record even if the tool's answer is lost.
   */
  mark: string
  /** Null until the tool has answered. */
  destinationId: string | null
  /** The record's version after our last write. Any edit by people changes it. */
  version: string | null
}

/** Ledger rows of side records. The last stage of an undo removes these records. */
export interface SideRecords {
  /** Call this before a record is made, and again once its id and version are known. */
  note(...records: SideRecord[]): Promise<void>
  /** Call this when the record was not made, was deleted, or has become a record of the source. */
  forget(...records: Pick<SideRecord, 'kind' | 'mark'>[]): Promise<void>
  /** Given marks, only the records with these marks. There may be as many records as the import has. */
  list(kind: string, marks?: readonly string[]): Promise<SideRecord[]>
  /**
   * Runs `act` while no other import of this account runs one of the same name, for a tool that replaces a whole list
   * at once: read the list within `act`. Missing outside of runs.
   */
  inTurn?<T>(name: string, act: () => Promise<T>): Promise<T>
}

export type SideOutcome = Pick<SideRecord, 'kind' | 'mark'> &
  /** Also the result when the record no longer exists. */
  ({ result: 'removed' } | { result: 'kept'; destinationId: string; url: string | null; message: string })

/** An account's description of itself, read at sign-in. */
export interface AccountInfo {
  /** The account's name for people. */
  name: string
  /** The same for every token of this account, and different for every other account at this address. */
  id?: string
  /** Families that the account accepts, if it says so. */
  families?: readonly string[]
}
