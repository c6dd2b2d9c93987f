import { ValidationError } from '../errors.ts'
import { type Language, languages } from '../languages.ts'

/** The properties of a JSON object; none where there is no body. */
export function readObject(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) throw new ValidationError({ body: ['must be a JSON object'] })
  return body as Record<string, unknown>
}

/** The named texts of a JSON object; null for a missing, null or blank one. */
export function readTexts<N extends string>(body: unknown, names: N[]): Record<N, string | null> {
  const values = readObject(body)
  const read = (name: N): [N, string | null] => {
    const value = Object.hasOwn(values, name) ? values[name] : null
    if (value !== null && value !== undefined && typeof value !== 'string') {
      throw new ValidationError({ [name]: ['must be a string'] })
    }
    const text = value?.trim() ?? ''
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    if (/[\u0000-\u001f\u007f]/.test(text))
      throw new ValidationError({ [name]: ['must not contain control characters'] })
    return [name, text === '' ? null : text]
  }
  return Object.fromEntries(names.map(read)) as Record<N, string | null>
}

/** A flag of a JSON object; false when it is missing. */
export function readFlag(body: unknown, name: string): boolean {
  const value = readObject(body)[name] ?? false
  if (typeof value !== 'boolean') throw new ValidationError({ [name]: ['must be true or false'] })
  return value
}

/** The language in which the customer is to be addressed; English when none is given. */
export function readLanguage(given: string | null): Language {
  const known = languages.find((language) => language === (given ?? 'en'))
  if (!known) throw new ValidationError({ language: [`must be one of ${languages.join(', ')}`] })
  return known
}
