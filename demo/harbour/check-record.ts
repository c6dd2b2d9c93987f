import type { EntityRules, FieldRule } from './entities.ts'
import type { Refusal } from './errors.ts'

/** Looks up the targets of a record's relations, inside the transaction that writes the record. */
export interface Surroundings {
  hasUser(id: string): boolean
  /** The entity of the record with this external id, if there is one. */
  entityOf(externalId: string): string | undefined
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/
const AMOUNT = /^-?\d{1,30}(\.\d{1,12})?$/
const CURRENCY = /^[A-Z]{3}$/

/** Returns the non-empty fields that Harbour knows, or the reason why it refuses the record. */
export function checkFields(
  rules: EntityRules,
  sent: Readonly<Record<string, unknown>>,
  around: Surroundings,
): { fields: Record<string, unknown> } | { refusal: Refusal } {
  const fields: Record<string, unknown> = {}
  for (const [name, rule] of Object.entries(rules)) {
    const value = sent[name] ?? null
    if (rule.required && isBlank(value)) {
      return { refusal: { code: 'blank', field: name, message: `${labelOf(name)} can't be blank` } }
    }
    if (value === null) continue
    const problem = findProblem(rule, value, around)
    if (problem) return { refusal: { ...problem, field: name, message: `${labelOf(name)} ${problem.message}` } }
    fields[name] = value
  }
  return { fields }
}

export function labelOf(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ')
}

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === null || (typeof value === 'string' && value.trim() === '')
}

function findProblem(rule: FieldRule, value: unknown, around: Surroundings): Refusal | null {
  if (!rule.many) return findProblemOfOne(rule, value, around)
  if (!Array.isArray(value)) return { code: 'invalid', message: 'must be a list' }
  for (const item of value) {
    const problem = findProblemOfOne(rule, item, around)
    if (problem) return problem
  }
  return null
}

function findProblemOfOne(rule: FieldRule, value: unknown, around: Surroundings): Refusal | null {
  if (!hasShape(rule.type, value)) return { code: 'invalid', message: `is not a value of type ${rule.type}` }
  if (typeof value !== 'string') return null
  if (rule.maxLength !== null && [...value].length > rule.maxLength) {
    return { code: 'too_long', message: `is longer than ${rule.maxLength} characters` }
  }
  if (rule.type === 'option' && !rule.options.includes(value)) {
    return { code: 'unknown_option', message: `cannot be "${value}"` }
  }
  if (rule.type === 'user' && !around.hasUser(value)) {
    return { code: 'unknown_user', message: `names the user ${value}, who does not exist` }
  }
  if (rule.type === 'relation') {
    const entity = around.entityOf(value)
    if (entity === undefined || !rule.to.includes(entity)) {
      return { code: 'unknown_relation', message: `refers to ${value}, which does not exist` }
    }
  }
  return null
}

function hasShape(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value)
    case 'decimal':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value))
    case 'datetime':
      return isMoment(value)
    case 'money':
      return isObject(value) && matches(value.amount, AMOUNT) && matches(value.currency, CURRENCY)
    case 'address':
      return isObject(value) && Object.values(value).every((part) => part === null || typeof part === 'string')
    default:
      return typeof value === 'string'
  }
}

export function isMoment(value: unknown): value is string {
  return matches(value, MOMENT) && !Number.isNaN(Date.parse(String(value)))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}
