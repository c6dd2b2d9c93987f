import { type Language, languages } from '../languages.ts'
import { limitTime } from '../text/limit-time.ts'
import { accountWords } from './account-words.ts'
import type { AccountAccess, AccountField, Connector, Credential, CredentialWords } from './contract/contract.ts'

/** Names of the AccountFields in requests. Other credentials have the same name everywhere. */
export const wireNames: Record<AccountField, string> = {
  instanceUrl: 'instance_url',
  username: 'username',
  token: 'token',
  uploadId: 'upload',
}
const addressPattern = String.raw`[Hh][Tt][Tt][Pp][Ss]?://[^\s/].*`

/** A credential with its name in requests and its texts. */
export interface AskedCredential extends Credential {
  wireName: string
  isSecret: boolean
  words: Record<Language, Required<CredentialWords>>
}

/** Credentials that a customer types in for this side of a tool, in their order. */
export function credentialsOf(connector: Connector | undefined, role: 'source' | 'destination'): AskedCredential[] {
  return (connector?.[role]?.requires ?? []).map((asked) => {
    const credential: Credential = typeof asked === 'string' ? { name: asked } : asked
    const { name } = credential
    const isSecret = name === 'token' || credential.isSecret === true
    return {
      ...(name === 'instanceUrl' && { pattern: addressPattern }),
      ...credential,
      isSecret,
      wireName: isAccountField(name) ? wireNames[name] : name,
      words: Object.fromEntries(
        languages.map((language) => [language, wordsOf(connector, language, name)]),
      ) as AskedCredential['words'],
    }
  })
}

export const isAccountField = (name: string): name is AccountField => Object.hasOwn(wireNames, name)

/** The customer's value for a credential; null if it is missing. */
export function givenValue(access: AccountAccess, name: string): string | null {
  if (isAccountField(name)) return access[name] || null
  return (Object.hasOwn(access.more ?? {}, name) && access.more?.[name]) || null
}

/** A connector's pattern may take hours for some texts, and would block everybody else. */
const matchMs = 50

/**
 * Whether a text matches the pattern of a credential, by the same rules as in the browser. If the match takes too long,
 * the text passes and the tool decides.
 */
export function isMatch(pattern: string, text: string): boolean {
  const whole = new RegExp(`^(?:${pattern})$`, 'su')
  return limitTime(matchMs, () => whole.test(text)) ?? true
}

/** The tool's texts in this language, then in English, then our general ones. */
function wordsOf(connector: Connector | undefined, language: Language, name: string): Required<CredentialWords> {
  const general = accountWords[language][name] ?? accountWords[language].other
  const own = { ...connector?.words?.en[name], ...connector?.words?.[language]?.[name] }
  // English texts of the tool are better than our general texts in the right language: only they say where to look.
  return { label: '', hint: '', mismatch: '', ...general, ...own }
}
