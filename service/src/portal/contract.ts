import type { Family } from '../families/index.ts'
import type { ImportStatus, Sponsorship } from '../lifecycle.ts'
import type { Difference } from '../mapping/compare-changes.ts'
import type { PolicyReason, PortalPayment } from './payment-contract.ts'

/** Answers of the portal's JSON routes. Types only: the web part reads this file too. */

export type { Family, ImportStatus, Sponsorship }

/** `given`: we have credentials that nobody has tried. `checked`: we have signed in with them. */
export type AccountAccess = 'missing' | 'given' | 'checked'

export interface PortalAccount {
  tool: string
  /** The tool's name for people. */
  label: string
  access: AccountAccess
  /** The account's own name, else the user name or the host of the instance; null when none is known. */
  account: string | null
  /** Names of the credentials that it asks for: `instance_url`, `username`, `token`, `upload`, or the tool's own. */
  asks: string[]
  /** Instances or regions at which one can sign in instead; an empty text stands for the tool's own service. */
  sign_in: string[]
}

export interface PortalWarning {
  code: string
  /** In English. */
  message: string
  entity: string
  count: number
}

export interface PortalImport {
  id: string
  status: string
  status_code: ImportStatus
  /** `full_page` is the partner's own page for those who want the full migration. */
  partner: { name: string; accent: string | null; has_logo: boolean; full_page: string | null }
  source: PortalAccount
  destination: PortalAccount
  /** Entities with copied records for which the source cannot tell deletions. */
  untold_deletions: string[]
  /** The end of the time in which a completed import can be undone; its access to both accounts is erased then. */
  undo_until: string | null
  /** When the last run began that read everything, or all changes; null before the first. */
  changes_since: string | null
  family: Family
  /** True when the partner asked for the full migration without a sample before it. */
  start_full: boolean
  /** True while its plan is made: the full migration then starts without a click. */
  starts_by_itself: boolean
  sponsorship: Sponsorship
  /** When the customer asked the partner to pay. */
  sponsorship_requested_at: string | null
  /** Who decided; for a policy, the facts that it decided by. */
  sponsorship_by: 'partner' | 'policy' | null
  sponsorship_reason: PolicyReason | null
  /** Whether the customer has paid for the full migration. */
  is_paid: boolean
  /** The newest payment; null when there is none. */
  payment: PortalPayment | null
  /** The newest run that moves records; null before the first. */
  run: PortalRun | null
  items: Record<string, number>
  users: { source_tool: number; destination_tool: number; matched: number }
  progress: { done: number; total: number | null }
  warnings: PortalWarning[]
  /** Records that other imports copied from the same source account to the same destination account; null when none. */
  twin: PortalTwin | null
  created_at: string
  /** Set when an operator looks at the portal: nothing can be changed, and the look ends then. */
  seen_by_operator?: { until: string }
  /** When the database was read. Of two answers the one with the later time is newer. */
  read_at: string
}

export interface PortalTwin {
  imports: number
  /** Records that these imports have in the destination. */
  records: number
  /** When the last of these imports ran. */
  ran_at: string
  is_under_way: boolean
}

/** Body of `POST /portal/session`. */
export interface PortalSessionRequest {
  id: string
  token: string
}

/** Body of every answer that is no success. */
export interface PortalError {
  error: string
  message: string
  /** Only for someone who holds the right link of an import that is over. */
  ended?: { as: 'cancelled' | 'archived'; partner: { name: string } }
}

/** The state of a run that only reads: a plan or a preview of an undo. */
export type LookState = 'none' | 'working' | 'paused' | 'finished' | 'stopped'

export interface PortalObstacle {
  code: string
  /** `nobody`: it goes on by itself. */
  must_act: 'customer' | 'operator' | 'nobody'
  /** In English. */
  message: string
  /** The account that it is about, where one is. */
  role?: 'source' | 'destination'
  /** The customer can skip the page or record that the run is stuck at. */
  can_skip?: true
  /** Until when a tool asked us to wait. */
  until?: string
  /** Records moved, records allowed and records in the source, if someone must pay for more. */
  records?: { moved: number; covered: number; counted: number | null }
  /** The partner was asked to pay for the rest. */
  is_partner_asked?: true
}

export interface PortalRun {
  kind: 'sample' | 'full' | 'delta' | 'retry' | 'removal' | 'undo'
  state: 'working' | 'paused' | 'finished' | 'stopped'
  obstacle: PortalObstacle | null
  started_at: string
  finished_at: string | null
  /** The present stage and its entity; null when the run is over. */
  now: { stage: string; entity: string | null } | null
  /** Entities that it writes or removes, in its order; `total` as the plan counted, `done` records that are finished. */
  entities: { entity: string; total: number | null; done: number; state: 'waiting' | 'working' | 'done' }[]
}

/** Answer of `POST /portal/imports/:id/accounts/:role/sign-in`. */
export interface PortalSignIn {
  /** The tool's own page; it sends the browser back to us. */
  redirect_to: string
}

/**
 * Body of `GET /portal/imports/:id/accounts/:role`: the credentials of the tool, with the values that are known
 * already.
 */
export interface PortalAccess {
  fields: PortalCredential[]
}

export interface PortalCredential {
  name: string
  is_secret: boolean
  /** It may be left empty. */
  is_optional?: true
  /** A regular expression that the whole text must match. */
  pattern: string | null
  example: string | null
  /** The vendor's page that shows or makes it; a path is one at the typed `instance_url`. */
  link: string | null
  /** Never of a secret. */
  value: string | null
  /** By language. The hint may be empty. */
  words: Record<string, { label: string; hint: string; mismatch: string }>
}

/** One line of `GET /portal/imports/:id/activity`, newest first. */
export interface PortalActivity {
  at: string
  by: 'customer' | 'partner' | 'operator' | 'service'
  /** The act, as in the audit log, or the new status. */
  act: string
  status_code: ImportStatus | null
  /** As the person calls themselves who did it; null when nobody told. */
  name: string | null
  /** Differences of a changed mapping; only for the newest ones. */
  differences?: Difference[]
}

/** Body of `GET /portal/imports/:id/visitor`: who sits before this browser. */
export interface PortalVisitor {
  name: string | null
}

/** Body of `GET /portal/imports/:id/contact`. */
export interface PortalContact {
  /** The address for mails about the end of a run, or about a question to the customer. */
  address: string | null
  /** An address that we know of and nobody has confirmed. */
  suggested: string | null
  /** Whether mails leave this service; otherwise they can only be read in the portal. */
  is_sent: boolean
}

/** Body of `GET /portal/imports/:id/messages`, newest first. */
export interface PortalMessages {
  is_sent: boolean
  messages: PortalMessage[]
}

export interface PortalMessage {
  id: string
  at: string
  to: string
  subject: string
  paragraphs: string[]
  state: 'waiting' | 'sent' | 'given_up'
  /** The mail server's answer when it refused the mail. */
  trouble: string | null
}
