import type { FieldType } from '../../../families/definition.ts'
import type { Family } from '../../../families/index.ts'
import type { RichText } from '../../../families/record.ts'
import type { CustomField } from '../../contract/contract.ts'
import { readMade } from '../../kit/custom-fields.ts'
import { isDay } from '../../kit/times.ts'
import type { RedmineApi } from './api.ts'
import { type Kind, type Raw, take } from './schema.ts'
import type { Job, Writing } from './writing.ts'

/** An entry of one of the instance's lists: its id, its name and the family's word for it. */
export type Choice = ReturnType<typeof nameChoices>[number]
/** The lists that an administrator of the instance maintains. */
export type Vocabulary = Awaited<ReturnType<typeof readVocabulary>>

const same = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name.replace(' ', '_')]))

/** What Redmine's standard names mean in each family. Other names stay unchanged; the customer maps them. */
const meanings: Partial<Record<Family, Record<string, Record<string, string>>>> = {
  project: {
    trackers: same('bug', 'feature', 'support', 'task'),
    statuses: same('new', 'in progress', 'resolved', 'closed', 'rejected'),
    priorities: same('low', 'normal', 'high', 'urgent', 'immediate'),
    roles: same('manager', 'developer', 'reporter'),
  },
  helpdesk: {
    trackers: same('task'),
    statuses: { ...same('new', 'closed'), 'in progress': 'open', feedback: 'pending', resolved: 'solved' },
    priorities: same('low', 'normal', 'high', 'urgent'),
  },
}

/** If two names have the same meaning, the second keeps its name. An inactive entry can be read but not be chosen. */
export function nameChoices(family: Family, list: string, items: readonly Raw<'enumeration'>[]) {
  const known = meanings[family]?.[list] ?? {}
  const taken = new Set<string>()
  return items.map(({ id, name = `#${id}`, is_default: isDefault = false, active: isActive = true }) => {
    const meaning = known[name.trim().toLowerCase()]
    const option = meaning === undefined || taken.has(meaning) ? name : meaning
    taken.add(option)
    return { id, name, option, isDefault, isActive }
  })
}

export async function readVocabulary(api: RedmineApi, family: Family) {
  const trackers = await api.all('tracker')
  const statuses = await api.all('issue_status')
  const enumeration = async (list: string, name: string) => {
    const items = (await api.listAll(`/enumerations/${name}.json`, name)).map((item) => take('enumeration', item))
    return withDefault(nameChoices(family, list, items))
  }
  const firstStatus = statuses[0]?.id ?? 1
  return {
    trackers: withDefault(nameChoices(family, 'trackers', trackers)),
    statuses: nameChoices(family, 'statuses', statuses),
    priorities: await enumeration('priorities', 'issue_priorities'),
    activities: await enumeration('activities', 'time_entry_activities'),
    roles: nameChoices(family, 'roles', await api.all('role')),
    fields: readFieldDefinitions(await api.all('custom_field')),
    /** The status of a new issue, by tracker. */
    bornWith: new Map(trackers.map(({ id, default_status }) => [id, default_status?.id ?? firstStatus])),
    textFormat: await readTextFormat(api),
  }
}

/** Without a default, the first active choice becomes ours, because Redmine refuses an issue without one. */
function withDefault(choices: Choice[]): Choice[] {
  if (choices.some(({ isDefault }) => isDefault)) return choices
  const first = choices.findIndex(({ isActive }) => isActive)
  return choices.map((choice, index) => ({ ...choice, isDefault: index === first }))
}

/** The API does not tell the markup of texts, but the form for news links to its help. Textile is the old default. */
async function readTextFormat(api: RedmineApi): Promise<'textile' | 'markdown'> {
  const { status, body } = await api.page('/news')
  return status === 200 && /wiki_syntax_(markdown|common_mark)/.test(body) ? 'markdown' : 'textile'
}

/** The format of the instance's texts. Redmine's Markdown differs from that of other tools. */
export const textFormatOf = ({ textFormat }: Pick<Vocabulary, 'textFormat'>): RichText['format'] =>
  textFormat === 'markdown' ? 'redmine_markdown' : textFormat

/** The family's word for a choice of a record. */
export const optionOf = (choices: readonly Choice[], given: { id: number; name: string } | undefined) =>
  choices.find(({ id }) => id === given?.id)?.option ?? given?.name

/** The id of the choice with this family word, or of the default if there is none. */
export function idOf(choices: readonly Choice[], option: unknown): number | undefined {
  const chosen = choices.find((choice) => choice.option === option && choice.isActive)
  return (chosen ?? choices.find(({ isDefault }) => isDefault))?.id
}

/** The custom field for our keys in a destination. An administrator creates it for issues and for time entries. */
export const keyFieldName = 'Wherry key'

type Customized = Pick<Raw<'user'>, 'custom_fields'>
export type FieldDefinition = ReturnType<typeof readFieldDefinitions>[number]

const types: Record<string, FieldType> = {
  string: 'text',
  text: 'long_text',
  link: 'url',
  int: 'integer',
  float: 'decimal',
  bool: 'boolean',
  date: 'date',
  list: 'option',
  enumeration: 'option',
  user: 'user',
  // A version is copied as its name, because another tool has no such version.
  version: 'text',
}

export function readFieldDefinitions(items: readonly unknown[]) {
  const taken = new Set<string>()
  return items.map((item) => {
    const raw = take('custom_field', item)
    const { id, name: label = `#${id}`, customized_type: customized = '', field_format: format = '' } = raw
    const type = types[format] ?? 'text'
    // Ids of a field differ between instances, so its key is made from its name.
    const words = label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const plain = words.join('_').slice(0, 100) || `field_${id}`
    const key = taken.has(`${customized} ${plain}`) ? `${plain}_${id}` : plain
    taken.add(`${customized} ${key}`)
    const choices = type === 'option' ? (raw.possible_values ?? []) : []
    return {
      ...{ id, key, label, type, customized, format },
      many: raw.multiple ?? false,
      options: choices.map((choice) => choice.label),
      isRequired: raw.is_required ?? false,
      isFilter: raw.is_filter ?? false,
      trackerIds: (raw.trackers ?? []).map((tracker) => tracker.id),
      labels: new Map(choices.map(({ value, label: shown }) => [value, shown])),
      // Only some roles may see the field.
      isRestricted: raw.visible === false,
    }
  })
}

/** Fields that hold files, and the field for our own key, are not copied. */
export const movableFields = (fields: readonly FieldDefinition[], kind: Kind): FieldDefinition[] =>
  fields.filter((field) => field.customized === kind && field.format !== 'attachment' && field.label !== keyFieldName)

export const keyFieldOf = (fields: readonly FieldDefinition[], kind: 'issue' | 'time_entry') =>
  fields.find((field) => field.customized === kind && field.label === keyFieldName && field.format === 'string')

export const keyIn = ({ fields }: Vocabulary, kind: 'issue' | 'time_entry', { custom_fields }: Customized): unknown =>
  custom_fields?.find(({ id }) => id === keyFieldOf(fields, kind)?.id)?.value

export const toCustomField = ({ key, label, type, many, options, isRestricted }: FieldDefinition): CustomField => ({
  ...{ key, label, type, many, options },
  ...(isRestricted ? { isRestricted } : {}),
})

/** Converts a value from the API's texts; undefined when it does not fit the field's type. */
export function readCustomValue(field: FieldDefinition, value: unknown, versionNames: ReadonlyMap<string, string>) {
  const typed = (one: unknown) => typedValue(field, one, versionNames)
  if (field.many) return Array.isArray(value) ? readMade(field, value.map(typed)) : undefined
  return readMade(field, value === null || value === undefined || value === '' ? null : typed(value))
}

/** Redmine sends every value as a text. */
function typedValue({ type, format }: FieldDefinition, value: unknown, versionNames: ReadonlyMap<string, string>) {
  if (typeof value !== 'string') return undefined
  if (type === 'boolean') return value === '1' ? true : value === '0' ? false : undefined
  if (type === 'integer' || type === 'decimal') return Number.isFinite(Number(value)) ? Number(value) : undefined
  if (type === 'user') return /^\d+$/.test(value) ? value : undefined
  return format === 'version' ? (versionNames.get(value) ?? value) : value
}

/** Fields that hold versions are not written: they arrive as names, and the project may have no such version. */
const writableFields = (fields: readonly FieldDefinition[], kind: Kind): FieldDefinition[] =>
  movableFields(fields, kind).filter(({ format }) => format !== 'version')

export const sendCustom = (job: Job, kind: Kind, members?: Members) =>
  toCustomValues(writableFields(job.vocabulary.fields, kind), job, members)

/** Reads the stored custom fields for comparison, in the form of `writeCustomValue`. */
export function storedCustom({ vocabulary }: Writing, kind: Kind, { custom_fields = [] }: Customized) {
  const fields = writableFields(vocabulary.fields, kind)
  const stored: Record<string, unknown> = {}
  for (const { id, value } of custom_fields) {
    const field = fields.find((one) => one.id === id)
    const shown = Array.isArray(value) ? value : value === null || value === undefined || value === '' ? [] : [value]
    if (!field || shown.length === 0) continue
    const named = shown.map((one) => field.labels.get(String(one)) ?? String(one).replace(/\r\n?/g, '\n'))
    stored[field.key] = field.many ? named.sort() : named[0]
  }
  return stored
}

export const customTaken = ({ fields }: Vocabulary, kind: Kind): CustomField[] =>
  writableFields(fields, kind).map(toCustomField)

/** Converts a value to the API's form, except that choices keep their names. Null when the API has no form for it. */
export function writeCustomValue(value: unknown): string | string[] | null {
  if (Array.isArray(value)) {
    const texts = value.map(writeCustomValue).filter((one): one is string => typeof one === 'string')
    return texts.sort()
  }
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return value.replaceAll('\0', '').replace(/\r\n?/g, '\n')
  if (typeof value !== 'object' || value === null) return null
  if ('destinationId' in value) return String(value.destinationId)
  if ('address' in value) return String(value.address)
  if ('number' in value) return String(value.number)
  return 'amount' in value && 'currency' in value ? `${value.amount} ${value.currency}` : null
}

/** Project members, the only people that a field can name. */
type Members = ReadonlyMap<number, unknown>
type Sending = Pick<Job, 'losses'> & { record: Pick<Job['record'], 'customFields' | 'destinationId'> }

/** Drops unfit values, because Redmine would refuse the record. A new record gets empty values instead of defaults. */
export function toCustomValues(fields: readonly FieldDefinition[], { record, losses }: Sending, members?: Members) {
  return fields.flatMap((field) => {
    const written = writeCustomValue(record.customFields[field.key]?.value ?? null)
    const texts = [written ?? []].flat().filter((text) => text !== '')
    const fitting = texts.filter((text) => fits(field, text, members)).slice(0, field.many ? texts.length : 1)
    if (fitting.length < texts.length) losses.push('custom_value_refused')
    if (fitting.length === 0)
      return record.destinationId === null && !field.isRequired ? [{ id: field.id, value: '' }] : []
    const ids = new Map([...field.labels].map(([id, label]) => [label, id]))
    const values = fitting.map((text) => ids.get(text) ?? text)
    return [{ id: field.id, value: field.many ? values : (values[0] ?? '') }]
  })
}

function fits({ type, options }: FieldDefinition, text: string, members?: Members): boolean {
  if (type === 'option') return options.includes(text)
  if (type === 'date') return isDay(text)
  if (type === 'user' && members) return members.has(Number(text))
  return forms[type]?.test(text) ?? true
}

const forms: Partial<Record<FieldType, RegExp>> = {
  integer: /^[+-]?\d+$/,
  decimal: /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i,
  boolean: /^[01]$/,
  user: /^\d+$/,
}
