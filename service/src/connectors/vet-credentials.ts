import { languages } from '../languages.ts'
import type { Connector, Credential, Destination, Source } from './contract/contract.ts'
import { isAccountField, isMatch, wireNames } from './credentials.ts'
import { oddKeys } from './kit/odd-keys.ts'

/** Names that already have another meaning in requests. */
const taken = ['confirm', 'same_account', 'other_account', 'source', 'destination', ...Object.values(wireNames)]
const ownName = /^[a-z][a-z0-9_]{0,49}$/
const longestPattern = 500
const credentialKeys = ['name', 'isSecret', 'isOptional', 'pattern', 'example', 'link']
const wordKeys = ['label', 'hint', 'mismatch']
const offerKeys = ['isPerInstance', 'regions', 'scopes', 'usesPkce', 'sendsSecretInBody', 'keeps', 'isGrantLost', 'at']

export const namesOf = (requires: unknown): string[] => listOf(requires).map(({ name }) => String(name))

const listOf = (requires: unknown): Partial<Credential>[] =>
  (Array.isArray(requires) ? requires : []).map((asked: unknown) =>
    typeof asked === 'object' && asked !== null ? asked : { name: String(asked) },
  )

/** Faults in the credentials of one side and in their texts. */
export function vetCredentials(side: string, requires: unknown, words: unknown): string[] {
  const place = `${side}.requires`
  const problems: string[] = []
  const said = new Set<string>()
  for (const asked of listOf(requires)) {
    const { name = '', pattern, link, example, isSecret = false, isOptional = true } = asked
    for (const key of oddKeys(asked, credentialKeys)) problems.push(`${place}.${name}.${key}: there is no such field`)
    if (typeof isSecret !== 'boolean') problems.push(`${place}.${name}.isSecret: must be true or false`)
    if (isOptional !== true) problems.push(`${place}.${name}.isOptional: must be true, or left out`)
    const problem = vetName(name, words)
    if (problem !== null) problems.push(`${place}: ${problem}`)
    if (said.has(name)) problems.push(`${place}: ${name} is there twice`)
    said.add(name)
    if (pattern !== undefined && !isPattern(pattern)) {
      problems.push(`${place}.${name}.pattern: is no regular expression of at most ${longestPattern} characters`)
    }
    if (link !== undefined && !/^(https:\/\/[^\s/]|\/(?!\/))\S*$/.test(String(link))) {
      problems.push(`${place}.${name}.link: must begin with https:// or with one /`)
    }
    if (String(link ?? '').startsWith('/') && !namesOf(requires).includes('instanceUrl')) {
      problems.push(
        `${place}.${name}.link: a path needs the address of an instance, and nobody is asked for instanceUrl`,
      )
    }
    if (example !== undefined && typeof example !== 'string') problems.push(`${place}.${name}.example: must be a text`)
    if (pattern !== undefined && isPattern(pattern) && typeof example === 'string') {
      if (!isMatch(pattern, example)) problems.push(`${place}.${name}.example: does not match the pattern`)
    }
  }
  if (words !== undefined) problems.push(...vetWords(words))
  return problems
}

function vetName(name: string, words: unknown): string | null {
  if (isAccountField(name)) return null
  if (!ownName.test(name)) return `there is no field of an account ${name}`
  if (taken.includes(name) || name in {}) return `${name} is a name that requests use otherwise`
  const label = (words as Connector['words'])?.en?.[name]?.label
  return label ? null : `there is no field of an account ${name}, and words.en.${name}.label does not name it either`
}

function vetWords(words: unknown): string[] {
  if (typeof words !== 'object' || words === null) return ['words: must be an object by language']
  const problems = Object.hasOwn(words, 'en') ? [] : ['words: must have at least en']
  for (const [language, fields] of Object.entries(words)) {
    if (!languages.some((known) => known === language)) problems.push(`words: there is no language ${language}`)
    if (typeof fields !== 'object' || fields === null) problems.push(`words.${language}: must be an object`)
    for (const [name, texts] of Object.entries((fields ?? {}) as Record<string, object | null>)) {
      const isFine = texts !== null && Object.values(texts).every((text) => typeof text === 'string')
      if (!isFine) problems.push(`words.${language}.${name}: must be texts`)
      for (const key of oddKeys(texts ?? {}, wordKeys)) {
        problems.push(`words.${language}.${name}.${key}: there is no such field`)
      }
    }
  }
  return problems
}

function isPattern(pattern: unknown): pattern is string {
  if (typeof pattern !== 'string' || pattern.length > longestPattern) return false
  try {
    return new RegExp(pattern, 'su') !== null
  } catch {
    return false
  }
}

/** Texts for a credential that neither side asks for, such as a misspelt one. Nobody would see them. */
export function vetUnasked(words: unknown, sides: readonly unknown[]): string[] {
  const asked = sides.flatMap((side) => namesOf((side as Partial<Source> | null | undefined)?.requires))
  return Object.entries((words ?? {}) as Record<string, object | null>).flatMap(([language, fields]) =>
    oddKeys(fields ?? {}, asked).map((name) => `words.${language}.${name}: no side asks for ${name}`),
  )
}

/** Faults in the OAuth declaration of one side. */
export function vetOffer(side: string, { oauth, requires }: Source | Destination): string[] {
  if (oauth === undefined) return []
  if (typeof oauth !== 'object' || oauth === null) return [`${side}.oauth: must be an object`]
  const problems = oddKeys(oauth, offerKeys).map((key) => `${side}.oauth.${key}: there is no such field`)
  if (Array.isArray(requires) && !namesOf(requires).includes('token')) {
    problems.push(`${side}.requires: must name token where people can sign in: the access token takes its place`)
  }
  if (typeof oauth.at !== 'function') problems.push(`${side}.oauth.at: must be a function`)
  if (!Array.isArray(oauth.scopes)) problems.push(`${side}.oauth.scopes: must be a list`)
  const { regions, keeps = [], isPerInstance } = oauth
  if (regions !== undefined && (isPerInstance || !isNames(regions, /\S/))) {
    problems.push(`${side}.oauth.regions: must name some, for a tool that is not per instance`)
  }
  if (!Array.isArray(keeps) || keeps.some((name) => !ownName.test(String(name)))) {
    problems.push(`${side}.oauth.keeps: must be names of lowercase letters, digits and _`)
  }
  return problems
}

const isNames = (names: unknown, form: RegExp) =>
  Array.isArray(names) && names.length > 0 && names.every((name) => form.test(String(name)))
