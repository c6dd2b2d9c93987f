import type { Language } from '../../languages.ts'
import type { AccountAccess } from './account-contract.ts'

/** Credentials that every access has a place for. */
export type AccountField = Exclude<keyof AccountAccess, 'oauth' | 'more'>

/** One thing that a customer types in to let us into an account. */
export interface Credential {
  /** A field of the access, or a name of its own in small letters, which is then kept in `access.more`. */
  name: string
  /** Hidden while it is typed, and never shown again. `token` always is. */
  isSecret?: boolean
  /** It may be left empty: the tool then hands out less. */
  isOptional?: true
  /** A regular expression for the whole text, as far as the vendor tells. Told at the field before anything is sent. */
  pattern?: string
  example?: string
  /** The vendor's page that shows or makes it: a whole address, or a path at the address that was typed. */
  link?: string
}

/** Texts about one credential. Our general words replace missing ones. */
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

/** Addresses at which an instance of a tool lets people sign in. */
export interface OAuthEndpoints {
  issuer: string
  authorization: string
  token: string
  /** Takes tokens back by RFC 7009; left out where the tool has no such endpoint. */
  revocation?: string
  /** It names itself when it sends people back (RFC 9207), and must then. */
  namesIssuer?: boolean
  /** Extra parameters that the tool expects when people are sent to it. */
  parameters?: Record<string, string>
}

/** Sign-in to a tool by OAuth 2. The access token is then `access.token`, renewed as needed. */
export interface OAuthOffer {
  /** Whether people run the tool themselves; then the operator's client holds for one instance each. */
  isPerInstance: boolean
  /** Regions of a tool with a service in each, as the vendor calls them, such as EU. One client holds for all of them. */
  regions?: readonly string[]
  scopes: readonly string[]
  /** The tool does not know PKCE and refuses what it does not know. */
  usesPkce?: false
  /** The tool takes the client's secret in the body of a request only, and not as a Basic header. */
  sendsSecretInBody?: true
  /** Fields of the token answer to keep in `access.more`, such as `api_domain`. An answer without one is refused. */
  keeps?: readonly string[]
  /** Whether the tool refuses a code or a refresh token permanently, for tools that do not answer `invalid_grant`. */
  isGrantLost?(answer: Readonly<Record<string, unknown>>): boolean
  /** The address of an instance, the name of a region, or null where there is one service for all. */
  at(place: string | null): OAuthEndpoints
}
