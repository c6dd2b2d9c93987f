import { OperatorError } from '../errors.ts'

/** The scopes of tokens, with words for people. A token without scopes has every right. */
export const tokenScopes = {
  'tools:read': 'list the tools that data can be moved from',
  'imports:read': 'list and read imports, with the token of their portal link',
  'imports:write': 'create imports and issue new portal links',
  'sponsorship:write': 'accept and reject sponsorship, and create imports with start_full',
  'mappings:read': 'list the recommended mappings',
  'mappings:write': 'recommend mappings and remove them',
  sandbox: 'send any request to the sandbox',
} as const

export type TokenScope = keyof typeof tokenScopes

const isScope = (text: string): text is TokenScope => Object.hasOwn(tokenScopes, text)

/** Reads scopes separated by commas; nothing given means every right. */
export function readScopes(text: string | null | undefined): TokenScope[] | null {
  if (text === null || text === undefined) return null
  const named = text.split(',').map((part) => part.trim())
  const wrong = named.filter((part) => !isScope(part))
  if (wrong.length > 0) {
    const all = Object.keys(tokenScopes).join(', ')
    throw new OperatorError(`Scopes must be among ${all}, separated by commas. Not: "${wrong.join(', ')}".`)
  }
  return [...new Set(named.filter(isScope))].sort()
}

/** The same from a JSON list. An empty list is refused, because it could mean every right or none. */
export function readScopeList(list: unknown): TokenScope[] | null {
  if (list === null || list === undefined) return null
  return readScopes(Array.isArray(list) ? list.join(',') : String(list))
}

/** Whether a token with these scopes may do what needs one of `needed`. */
export const allows = (scopes: readonly TokenScope[] | null, ...needed: TokenScope[]): boolean =>
  scopes === null || needed.some((scope) => scopes.includes(scope))
