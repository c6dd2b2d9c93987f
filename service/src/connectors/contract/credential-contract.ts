import type { Language } from '../../languages.ts'
import type { AccountAccess } from './account-contract.ts'

/** Names of the credentials that are fields of AccountAccess. */
export type AccountField = Exclude<keyof AccountAccess, 'oauth' | 'more'>

/** One credential that a customer types in to connect an account. */
export interface Credential {
  /** A field of AccountAccess, or any other lower-case name, which is kept in `access.more`. */
  name: string
  /** Hidden while typed and never shown again. `token` is always secret. */
  isSecret?: boolean
  /** May be left empty. The tool then returns less data. */
  isOptional?: true
  /**
   * A regular expression for the whole text, if the vendor documents the form. The input field reports a mismatch
   * before anything is sent.
   */
  pattern?: string
  example?: string
  /**
   * The vendor's page that shows or creates the credential: a full address, or a path at the address that the customer
   * typed.
   */
  link?: string
}

/** Texts about one credential. Our general texts replace missing ones. */
export interface CredentialWords {
  label?: string
  hint?: string
  /** Advice for a text that does not match the pattern. */
  mismatch?: string
}

/** Texts about a tool, by the name of the credential. English replaces a missing language. */
export type ToolWords = { en: Record<string, CredentialWords> } & Partial<
  Record<Language, Record<string, CredentialWords>>
>

/** OAuth addresses of one instance of a tool. */
export interface OAuthEndpoints {
  issuer: string
  authorization: string
  token: string
  /** Revokes tokens (RFC 7009). Not set if the tool has no such endpoint. */
  revocation?: string
  /** The request that ends the grant whose access token it carries, for a tool without RFC 7009. */
  ownRevocation?: { method: 'POST' | 'DELETE'; url: string }
  /**
   * True if the tool names its issuer when it sends people back (RFC 9207). An answer without the issuer is then
   * refused.
   */
  namesIssuer?: boolean
  /** Extra parameters of the address to which we send people. */
  parameters?: Record<string, string>
}

/** Sign-in to a tool by OAuth 2. The access token is then `access.token`, renewed as needed. */
export interface OAuthOffer {
  /** True if people host the tool themselves. The operator then registers one client per instance. */
  isPerInstance: boolean
  /**
   * The vendor's names of its regions, such as EU, for a tool with one service per region. One client works in all
   * regions.
   */
  regions?: readonly string[]
  scopes: readonly string[]
  /** False for a tool that does not support PKCE and refuses unknown parameters. */
  usesPkce?: false
  /** True for a tool that accepts the client's secret only in the body, not in a Basic header. */
  sendsSecretInBody?: true
  /**
   * Fields of the token answer that are kept in `access.more`, such as `api_domain`. An answer without one of them is
   * refused.
   */
  keeps?: readonly string[]
  /** Whether the answer refuses a code or a refresh token permanently, for tools that do not answer `invalid_grant`. */
  isGrantLost?(answer: Readonly<Record<string, unknown>>): boolean
  /** The endpoints for a place: the address of an instance, the name of a region, or null for a single service. */
  at(place: string | null): OAuthEndpoints
}
