import { type Account, invalid, isLive, type Kind } from './account.ts'
import { addressParts, customFieldsOf, type Field, subfields } from './catalog.ts'

const day = /^\d{4}-\d{2}-\d{2}$/
const time = /^\d{2}:\d{2}(:\d{2})?$/

const isDay = (value: unknown) => typeof value === 'string' && day.test(value) && !Number.isNaN(Date.parse(value))
const isTime = (value: unknown) => typeof value === 'string' && time.test(value)
const withSeconds = (value: unknown) => (String(value).length === 5 ? `${String(value)}:00` : value)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An address keeps the sent parts; missing parts become null. */
export function storedAddress(name: string, value: unknown): Record<string, unknown> {
  if (!isObject(value) || typeof value.value !== 'string') return invalid(`${name}: "${name}.value" is required`)
  for (const [part, text] of Object.entries(value)) {
    if (!addressParts.includes(part)) invalid(`${name}.${part}: Parameter '${part}' is not allowed for this request`)
    if (text !== null && typeof text !== 'string') invalid(`${name}.${part}: must be a string`)
  }
  return Object.fromEntries(addressParts.map((part) => [part, value[part] ?? null]))
}

/** The value as the account stores it. Types are strict: no text is converted to a number. */
function stored(account: Account, { code, type, options }: Field, value: unknown): unknown {
  const wrong = (what: string) => invalid(`custom_fields.${code}: ${what}`)
  const text = (max: number) =>
    typeof value === 'string' && value.length <= max ? value : wrong(`must be a string of at most ${max} characters`)
  const parts = (): Record<string, unknown> => {
    if (!isObject(value)) return wrong('must be an object')
    const strange = Object.keys(value).filter((part) => !subfields[type]?.includes(part))
    return strange.length > 0 ? wrong(`Parameter '${strange[0]}' is not allowed for this request`) : value
  }
  const isOption = (id: unknown) => options?.some((option) => option.id === id)
  switch (type) {
    case 'varchar':
    case 'varchar_auto':
    case 'phone':
      return text(255)
    case 'text':
      return text(65_535)
    case 'double':
      return typeof value === 'number' ? value : wrong('must be a number')
    case 'enum':
      return isOption(value) ? value : wrong('must be the id of an option')
    case 'set':
      if (!Array.isArray(value) || value.length === 0 || !value.every(isOption))
        wrong('must be ids of options, or null')
      return value
    case 'date':
      return isDay(value) ? value : wrong('must be a date')
    case 'user':
      return account.users.some(({ id }) => id === value) ? value : wrong('must be the id of a user')
    case 'org':
    case 'people': {
      const store = type === 'org' ? account.organizations : account.persons
      const known = typeof value === 'number' ? store.get(String(value)) : undefined
      return known && isLive(known) ? value : wrong('must be the id of a record')
    }
    case 'address':
      return storedAddress(`custom_fields.${code}`, value)
    case 'monetary': {
      const { value: amount, currency } = parts()
      if (typeof amount !== 'number') wrong('value must be a number')
      if (!account.currencies.includes(String(currency))) wrong('currency is not one of this account')
      return { value: amount, currency }
    }
    case 'daterange': {
      const { value: from, until } = parts()
      return isDay(from) && isDay(until) ? { value: from, until } : wrong('value and until must be dates')
    }
    case 'time':
    case 'timerange': {
      const { value: from, until, timezone_name = 'Europe/Berlin' } = parts()
      if (!isTime(from) || (type === 'timerange' && !isTime(until))) wrong('must be times')
      return {
        value: withSeconds(from),
        ...(type === 'timerange' && { until: withSeconds(until) }),
        // An id that does not exist.
        timezone_id: 318,
        timezone_name,
      }
    }
    default:
      return wrong(`cannot be set`)
  }
}

/** Custom values after a change; an unknown code refuses the whole request. */
export function changedCustom(
  account: Account,
  kind: Kind,
  known: Record<string, unknown>,
  given: Record<string, unknown> = {},
): Record<string, unknown> {
  const fields = customFieldsOf(account, kind)
  const changed = { ...known }
  for (const [code, value] of Object.entries(given)) {
    const field = fields.find((one) => one.code === code)
    if (!field) return invalid(`${code}: Parameter '${code}' is not allowed for this request`)
    changed[code] = value === null ? null : stored(account, field, value)
  }
  return changed
}

/** Custom values in the form of v2: a separate object. */
export function presentCustom(
  account: Account,
  kind: Kind,
  custom: Record<string, unknown>,
  { only, hasLabels = false }: { only?: readonly string[] | null; hasLabels?: boolean } = {},
): Record<string, unknown> {
  const fields = customFieldsOf(account, kind).filter(({ code }) => !only || only.includes(code))
  const labelled = ({ options }: Field, id: unknown) => ({
    id,
    label: options?.find((option) => option.id === id)?.label,
  })
  const shown = (field: Field) => {
    const value = custom[field.code] ?? null
    if (!hasLabels || value === null || !field.options) return value
    return Array.isArray(value) ? value.map((id) => labelled(field, id)) : labelled(field, value)
  }
  const all = fields.map((field) => [field.code, shown(field)] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== null || account.settings.tellsEmpty))
}

/** Custom values in the form of v1: flat, with one key for each part, and choices as texts. */
export function flatCustom(account: Account, kind: Kind, custom: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    customFieldsOf(account, kind).flatMap(({ code, type }): [string, unknown][] => {
      const value = custom[code] ?? null
      if (value === null) return []
      if (isObject(value))
        return Object.entries(value).map(([part, of]) => [part === 'value' ? code : `${code}_${part}`, of])
      if (type === 'set') return [[code, (value as number[]).join(',')]]
      return [[code, type === 'enum' ? String(value) : value]]
    }),
  )
}

/** Converts flat values of v1 to the form of v2. */
export function nestedCustom(account: Account, kind: Kind, flat: Record<string, unknown>): Record<string, unknown> {
  const custom: Record<string, unknown> = {}
  const fields = customFieldsOf(account, kind)
  for (const [key, value] of Object.entries(flat)) {
    const { code, type } = fields.find((field) => key.startsWith(field.code)) ?? { code: key, type: '' }
    const part = key === code ? 'value' : key.slice(code.length + 1)
    if (subfields[type] && value !== null) custom[code] = { ...(custom[code] as object), [part]: value }
    else if (type === 'set' && typeof value === 'string') custom[code] = value.split(',').map(Number)
    else custom[code] = type === 'enum' && value !== null ? Number(value) : value
  }
  return custom
}
