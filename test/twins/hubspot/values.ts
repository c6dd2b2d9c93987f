import { refuse } from '../answers.ts'
import { type Account, type Change, errorOf, propertyOf, type Thing, uniqueKey } from './account.ts'
import { changedName, type Kind, madeName, needed, type Property, singular } from './catalog.ts'
import { link } from './links.ts'

/** Longer texts are refused in every property. */
const maxLength = 65_536

interface Fault {
  isValid: false
  name: string
  message: string
  error: string
}

type Given = Record<string, unknown>

/** The value as HubSpot stores it, or the error. */
function keep(account: Account, kind: Kind, property: Property, value: string): string | Fault {
  const { name, type, fieldType, options } = property
  const fault = (error: string, message: string): Fault => ({ isValid: false, name, error, message })
  if (value === '') return ''
  if (value.length > maxLength) return fault('INVALID_STRING', `${name} is longer than ${maxLength} characters`)
  if (type !== 'string' && value !== value.trim())
    return fault('LEADING_TRAILING_WHITESPACE', `"${value}" includes leading or trailing whitespace.`)
  if (type === 'number') {
    return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)
      ? value
      : fault('INVALID_INTEGER', `${value} was not a valid number`)
  }
  if (type === 'bool') return /^(true|false)$/i.test(value) ? value.toLowerCase() : fault('INVALID_OPTION', `${value}?`)
  if (type === 'datetime' || type === 'date') {
    const ms = /^-?\d+$/.test(value) ? Number(value) : Date.parse(value)
    if (Number.isNaN(ms)) return fault('INVALID_DATE', `${value} was not a valid long.`)
    const iso = new Date(ms).toISOString()
    if (type === 'datetime') return iso
    // A date must be midnight UTC.
    return iso.endsWith('T00:00:00.000Z')
      ? iso.slice(0, 10)
      : fault('INVALID_DATE', `${value} is at the wrong time of day`)
  }
  if (name === 'email' && kind === 'contacts') {
    const isMail = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value)
    return isMail ? value.toLowerCase() : fault('INVALID_EMAIL', `Email address ${value} is invalid`)
  }
  if (name === 'hubspot_owner_id' || property.referencedObjectType === 'OWNER') {
    const owners = fieldType === 'checkbox' ? value.split(';').filter(Boolean) : [value]
    const unknown = owners.find((one) => !account.owners.get(one))
    return unknown === undefined ? value : fault('INVALID_OWNER_ID', `Owner ${unknown} does not exist`)
  }
  if (type === 'enumeration' && options.length > 0) {
    const chosen = fieldType === 'checkbox' ? value.split(';').filter(Boolean) : [value]
    const odd = chosen.find((one) => !options.some((option) => option.value === one))
    return odd === undefined ? value : fault('INVALID_OPTION', `${odd} was not one of the allowed options`)
  }
  return value.replaceAll(/<script\b[\s\S]*?<\/script>/gi, '')
}

/** A record after a change of properties. An invalid change is refused as a whole, with all errors. */
export function mergeThing(
  account: Account,
  kind: Kind,
  given: Given,
  known?: Thing,
  by: Change = { sourceType: 'INTEGRATION' },
): Thing {
  const now = account.now()
  const faults: Fault[] = []
  const properties: Thing['properties'] = { ...known?.properties }
  for (const [name, value] of Object.entries(given)) {
    const property = propertyOf(account, kind, name)
    const fault = (error: string, message: string) => faults.push({ isValid: false, name, error, message })
    if (!property) fault('PROPERTY_DOESNT_EXIST', `Property "${name}" does not exist`)
    else if (property.readOnly) fault('READ_ONLY_VALUE', `"${name}" is a read only property; its value cannot be set.`)
    else {
      const kept = keep(account, kind, property, value === null ? '' : String(value))
      if (typeof kept === 'string') properties[name] = kept === '' ? null : kept
      else faults.push(kept)
    }
  }
  faults.push(...stageFaults(account, kind, properties))
  if (faults.length > 0) {
    const message = `Property values were not valid: ${JSON.stringify(faults)}`
    const errors = faults.map((one) => ({
      message: one.message,
      code: one.error,
      context: { propertyName: [one.name] },
    }))
    refuse(400, errorOf('VALIDATION_ERROR', message, { errors }))
  }
  if (!known) {
    const missing = needed[kind].filter((names) => names.every((name) => !properties[name]))
    if (missing.length > 0) {
      const words = `Error creating ${singular[kind].toUpperCase()}. Some required properties were not set.`
      refuse(400, errorOf('VALIDATION_ERROR', words, { context: { properties: missing.flat() } }))
    }
  }
  const history = { ...known?.history }
  for (const name of Object.keys(given)) {
    const value = properties[name] ?? ''
    if (value !== (history[name]?.[0]?.value ?? ''))
      history[name] = [{ value, timestamp: now, ...by }, ...(history[name] ?? [])]
  }
  const thing: Thing = {
    id: known?.id ?? account.nextId(),
    kind,
    properties,
    history,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
  }
  checkUnique(account, thing)
  properties.hs_object_id = thing.id
  // Deals and tickets may set their creation time.
  properties[madeName(kind)] ??= thing.createdAt
  properties[changedName(kind)] = now
  return { ...thing, createdAt: String(properties[madeName(kind)]) }
}

/** A stage must belong to its pipeline; without a named pipeline, the first one applies. */
function stageFaults({ pipelines }: Account, kind: Kind, properties: Thing['properties']): Fault[] {
  if (kind !== 'deals' && kind !== 'tickets') return []
  const [pipelineName, stageName] = kind === 'deals' ? ['pipeline', 'dealstage'] : ['hs_pipeline', 'hs_pipeline_stage']
  const fault = (name: string, value: string): Fault => ({
    isValid: false,
    name,
    error: 'INVALID_OPTION',
    message: `${value} was not one of the allowed options`,
  })
  properties[pipelineName] ??= pipelines[kind][0]?.id ?? null
  const pipeline = pipelines[kind].find(({ id }) => id === properties[pipelineName])
  if (!pipeline) return [fault(pipelineName, String(properties[pipelineName]))]
  const stage = properties[stageName]
  if (!stage || pipeline.stages.some(({ id }) => id === stage)) return []
  return [fault(stageName, stage)]
}

function checkUnique(account: Account, { id, kind, properties }: Thing): void {
  for (const property of account.properties[kind].filter(({ hasUniqueValue }) => hasUniqueValue)) {
    const value = properties[property.name]
    if (!value) continue
    const owner = account.unique.get(uniqueKey(kind, property.name, value))
    if (owner === undefined || owner === id) continue
    if (property.name === 'email') refuse(409, errorOf('CONFLICT', `Contact already exists. Existing ID: ${owner}`))
    const words = `${property.name} already has the value "${value}" on record ${owner}, and it must be unique`
    refuse(400, errorOf('VALIDATION_ERROR', words, { subCategory: 'CONFLICTING_UNIQUE_VALUE' }))
  }
}

/** Stores a record and its index entries. */
export function putThing(account: Account, thing: Thing): Thing {
  forgetUnique(account, account.things[thing.kind].get(thing.id))
  for (const { name, hasUniqueValue } of account.properties[thing.kind]) {
    const value = thing.properties[name]
    if (hasUniqueValue && value) account.unique.set(uniqueKey(thing.kind, name, value), thing.id)
  }
  const put = account.things[thing.kind].put(thing)
  if (account.makesCompanies && thing.kind === 'contacts') linkToDomain(account, thing)
  return put
}

/** HubSpot does this for new contacts, and for contacts with a new address. */
function linkToDomain(account: Account, { id, properties }: Thing): void {
  const [, domain] = properties.email?.split('@') ?? []
  if (!domain || ['gmail.com', 'hotmail.com'].includes(domain)) return
  const known = account.things.companies.list((one) => one.properties.domain === domain)[0]
  const company = known ?? putThing(account, mergeThing(account, 'companies', { domain, name: domain }))
  link(account, 'contacts', id, 'companies', company.id)
}

export function forgetUnique(account: Account, thing: Thing | undefined): void {
  if (!thing) return
  for (const { name, hasUniqueValue } of account.properties[thing.kind]) {
    const value = thing.properties[name]
    if (hasUniqueValue && value) account.unique.delete(uniqueKey(thing.kind, name, value))
  }
}
