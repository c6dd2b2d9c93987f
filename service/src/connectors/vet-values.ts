import type { EntityDefinition, FieldType } from '../families/definition.ts'
import { isObject } from './is-object.ts'

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)
const having =
  (...names: string[]) =>
  (value: unknown) =>
    isObject(value) && names.every((name) => typeof value[name] === 'string')
const formats = ['plain', 'html', 'markdown', 'textile', 'redmine_markdown']
const isPicture = having('url', 'attachment')

/** What each type of a field must be, in words for the writer of a connector. */
const shapes: Readonly<Record<FieldType, [isFine: (value: unknown) => boolean, what: string]>> = {
  text: [isText, 'text'],
  long_text: [isText, 'text'],
  url: [isText, 'text'],
  option: [isText, 'text'],
  date: [isText, 'text such as 2026-01-31'],
  datetime: [isText, 'text such as 2026-01-31T08:00:00.000Z'],
  integer: [isNumber, 'number'],
  decimal: [isNumber, 'number'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  email: [having('address'), 'e-mail { address }'],
  phone: [having('number'), 'phone { number }'],
  money: [having('amount', 'currency'), 'money { amount, currency } of two texts'],
  address: [isObject, 'address { line1, city, … }'],
  user: [having('userId'), 'person { userId }'],
  relation: [having('entity', 'sourceId'), 'relation { entity, sourceId }'],
  rich_text: [
    (value) =>
      isObject(value) &&
      formats.includes(String(value.format)) &&
      isText(value.body) &&
      (value.inlineFiles === undefined || (Array.isArray(value.inlineFiles) && value.inlineFiles.every(isPicture))),
    'rich text { format, body }',
  ],
}

/** What is wrong with the values of a record; null if nothing is. Values of another form would get lost in the mapping. */
export function wrongInValues(record: Record<string, unknown>, { fields: defined }: EntityDefinition): string | null {
  for (const [name, value] of Object.entries(record.fields as object)) {
    const field = defined[name]
    if (!field) return `a field ${name}, which the family does not have`
    const wrong = wrongIn(value, field.type, field.many === true)
    if (wrong !== null) return `a ${name} that is ${wrong}`
  }
  const { customFields = {}, createdBy, childCounts = {} } = record
  if (!isObject(customFields)) return 'customFields that are no object'
  for (const [key, custom] of Object.entries(customFields)) {
    if (!isObject(custom) || !isText(custom.label) || !Object.hasOwn(shapes, String(custom.type)))
      return `a custom field ${key} without a label or a type`
    const wrong = wrongIn(custom.value, custom.type as FieldType, custom.many === true)
    if (wrong !== null) return `a custom field ${key} that is ${wrong}`
  }
  if (createdBy !== undefined && !having('userId')(createdBy) && !having('name')(createdBy))
    return 'a createdBy that is no { userId } and no { name }'
  if (!isObject(childCounts) || !Object.values(childCounts).every(isNumber)) return 'childCounts that are no numbers'
  return null
}

function wrongIn(value: unknown, type: FieldType, isMany: boolean): string | null {
  if (value === null || value === undefined) return null
  if (isMany !== Array.isArray(value)) return isMany ? 'no list' : 'a list'
  const [isFine, what] = shapes[type]
  return (Array.isArray(value) ? value : [value]).every(isFine) ? null : `no ${what}`
}
