import { RetryableError } from '../../../errors.ts'
import type { SideRecords } from '../../contract/contract.ts'
import { changeChoices } from '../../kit/change-choices.ts'
import type { HubspotApi, ObjectType } from './api.ts'
import type { NewProperty } from './custom-properties.ts'
import { requireDone } from './faults.ts'

/** Our key for a record. The property is unique, so HubSpot's upsert finds the record by it. */
export const keyName = 'wherry_key'
/** Names of the custom fields that we filled in. Only these are compared, and emptied when the source empties them. */
export const filledName = 'wherry_fields'
/** The files that we added to an activity: their keys, ids and names. */
export const filesName = 'wherry_files'
/**
 * The links that a record should have. Links are made after the record. Until the last one is made, the list says that
 * the record is unfinished.
 */
export const linksName = 'wherry_links'
/** The values that HubSpot refused. If our answer gets lost, the record shows that nobody took them out. */
export const refusedName = 'wherry_refused'
/** The status of a deal among its properties. No property can have this name. */
export const dealStatus = '=status'
/** The creation time in the source, for records whose own date HubSpot does not let us set. */
export const originName = 'wherry_created_at'

const group = { name: 'wherry', label: 'Import' }
const plain = (name: string, label: string, type = 'string', fieldType = 'text'): NewProperty => ({
  name,
  label,
  type,
  fieldType,
})

const always = [
  { ...plain(keyName, 'Import key'), hasUniqueValue: true },
  plain(filledName, 'Imported fields', 'string', 'textarea'),
  plain(linksName, 'Imported links', 'string', 'textarea'),
  plain(refusedName, 'Refused values', 'string', 'textarea'),
  plain(originName, 'Created before the import', 'datetime', 'date'),
]
const times = ['started_at', 'ended_at', 'due_at'] as const
const timeLabels = { started_at: 'Started at', ended_at: 'Ended at', due_at: 'Due at' }
const more: Partial<Record<ObjectType, NewProperty[]>> = {
  companies: [plain('wherry_annual_revenue', 'Annual revenue in another currency')],
  deals: [
    plain('wherry_value', 'Amount in another currency'),
    plain('wherry_expected_close_on', 'Expected close date', 'date', 'date'),
    plain('wherry_stage', 'Stage before the import'),
  ],
}

/** Our own properties for objects of a type. */
export function ownProperties(type: ObjectType): NewProperty[] {
  if (more[type] || type === 'contacts' || type === 'tickets') return [...always, ...(more[type] ?? [])]
  const moments = times.map((name) => plain(`wherry_${name}`, timeLabels[name], 'datetime', 'date'))
  return [...always, plain(filesName, 'Imported files', 'string', 'textarea'), ...moments]
}

/** Creates our own properties. Writing cannot start without them. */
export async function makeOwnProperties(api: HubspotApi, type: ObjectType): Promise<void> {
  const [refused] = await makeProperties(api, type, ownProperties(type))
  if (refused !== undefined) throw new RetryableError(`HubSpot answered that it makes no property ${refused}`)
}

/**
 * Creates the missing properties and returns the names of those that HubSpot refuses. If another run has created one
 * meanwhile (409), that counts as done.
 */
export async function makeProperties(
  api: HubspotApi,
  type: ObjectType,
  wanted: readonly NewProperty[],
): Promise<Set<string>> {
  const there = new Set((await api.properties(type)).map(({ name }) => name))
  const missing = wanted.filter(({ name }) => !there.has(name))
  const refused = new Set<string>()
  if (missing.length === 0) return refused
  const path = `/crm/v3/properties/${type}`
  const send = async (json: object, at = path) => {
    const sent = await api.http.send('POST', at, { json })
    return sent.result === 'done' || sent.status === 409 ? null : sent
  }
  await send({ ...group, displayOrder: -1 }, `${path}/groups`)
  for (const property of missing) {
    const body = {
      groupName: group.name,
      formField: false,
      ...property,
      ...(property.options && { options: property.options.map(toOption) }),
    }
    const refusal = await send(body)
    if (refusal === null) continue
    if (!property.hasUniqueValue) {
      refused.add(property.name)
      continue
    }
    // HubSpot refused a unique property, so a plain one is created and records are searched by key. `requireDone` then
    // throws: the retry finds the plain property.
    const { hasUniqueValue: _unique, ...other } = body
    await send(other)
    api.forgetProperties(type)
    requireDone(refusal)
  }
  api.forgetProperties(type)
  return refused
}

const toOption = ({ label, value }: { label: string; value: string }, index: number) => ({
  label,
  value,
  displayOrder: index,
  hidden: false,
})

/**
 * Adds missing choices to a property. HubSpot replaces all choices at once, so one call after the other reads them and
 * adds its own.
 */
export const addChoices = (
  api: HubspotApi,
  sides: SideRecords | undefined,
  type: ObjectType,
  name: string,
  wanted: readonly { label: string; value: string }[],
): Promise<void> =>
  api.inTurn(async () => {
    const optionsNow = async () => (await api.properties(type)).find((one) => one.name === name)?.options ?? []
    const missingIn = (options: readonly { value: string }[]) =>
      wanted.filter(({ value }) => !options.some((option) => option.value === value))
    if (missingIn(await optionsNow()).length === 0) return
    await changeChoices(sides, `${type}/${name}`, async () => {
      api.forgetProperties(type)
      const options = await optionsNow()
      const missing = missingIn(options)
      if (missing.length === 0) return
      const json = { options: [...options, ...missing].map(toOption) }
      // The answer is ignored: if the property cannot be changed, HubSpot refuses the records that have a missing choice.
      await api.http.send('PATCH', `/crm/v3/properties/${type}/${name}`, { json })
      api.forgetProperties(type)
    })
  })
