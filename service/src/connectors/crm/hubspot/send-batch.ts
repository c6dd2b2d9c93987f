import { RetryableError } from '../../../errors.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, SettledOutcome } from '../../contract/contract.ts'
import { chunksOf } from '../../kit/find.ts'
import { digestOf } from '../../kit/keys.ts'
import { written as writtenAs } from '../../kit/outcomes.ts'
import { type HubObject, type HubspotApi, largestPage, type ObjectType, parentCompany, primaryCompany } from './api.ts'
import { codeOf, hasFailed, passingFault } from './faults.ts'
import { dealStatus, filledName, keyName, linksName, refusedName } from './own-properties.ts'

/**
 * Our keys have any length and any letters. A digest is safe: HubSpot may treat two keys as equal that differ only in
 * capitals.
 */
export const keyOf = (key: string) => digestOf(key, 40)

export interface Body {
  properties: Record<string, string>
  links: Partial<Record<ObjectType, string[]>>
}

/** The list of wanted links that we store in the record. */
export const linkText = (links: Body['links']): string =>
  Object.entries(links)
    .flatMap(([to, ids]) => ids.map((id) => `${to}/${id}`))
    .join(';')
/** Whether we made this link of a record that was loaded with `linksName`. */
export const isOurLink = ({ properties }: Pick<HubObject, 'properties'>, to: string, id: string): boolean =>
  (properties[linksName] ?? '').split(';').includes(`${to}/${id}`)
/** Stands in the list of links while several requests make or change them: what was done then is no change by people. */
const underWay = 'unfinished'
const hasMark = (links: string) => links.split(';').includes(underWay)
export const isUnfinished = ({ properties }: Pick<HubObject, 'properties'>) => hasMark(properties[linksName] ?? '')
/** The links that an unfinished record will have. */
export const linksUnderWay = (object: Pick<HubObject, 'properties'>, to: string): string[] =>
  !isUnfinished(object)
    ? []
    : (object.properties[linksName] ?? '')
        .split(';')
        .flatMap((one) => (one.startsWith(`${to}/`) ? one.slice(to.length + 1) : []))

/** A record to send. `id` is its object id in HubSpot, or null for a new record. */
export interface Item {
  record: OutgoingRecord
  id: string | null
  body: Body
  /** The links that we made earlier, as `linkText` wrote them. */
  links?: string
  /** The values that HubSpot refused. */
  losses?: readonly WriteLoss[]
}

/** Records that HubSpot neither wrote nor refused, by their keys, with the fault. The engine tries them again. */
export type Failed = Map<string, RetryableError>

interface BatchAnswer {
  results?: { id?: unknown; objectWriteTraceId?: unknown; properties?: Record<string, unknown> }[]
  errors?: { category?: unknown; message?: unknown; context?: Record<string, unknown> }[]
}

/**
 * Sends many records in one request. HubSpot repeats each input's trace in its result or error. If HubSpot refuses the
 * whole request, or gives no answer for some records, those are sent one by one.
 */
export async function send(
  api: HubspotApi,
  type: ObjectType,
  action: 'upsert' | 'update' | 'create',
  items: readonly Item[],
  settle: (item: Item, outcome: SettledOutcome) => void,
  failed: Failed,
): Promise<void> {
  for (const some of chunksOf(items, largestPage)) {
    const inputs = some.map(({ id, body: { properties }, record: { key } }) => ({
      ...(action === 'update' && { id: String(id) }),
      ...(action === 'upsert' && { id: keyOf(key), idProperty: keyName }),
      ...(action === 'create' && { associations: [] }),
      properties,
      objectWriteTraceId: keyOf(key),
    }))
    const sent = await api.http.send('POST', `${api.objects(type)}/batch/${action}`, { json: { inputs } })
    if (sent.result === 'refused') {
      const [only] = some
      const fault = passingFault(sent.json)
      const less = some.length === 1 && only && !fault ? withoutRefused(only, sent.json) : null
      if (less) await send(api, type, action, [less], settle, failed)
      else if (some.length > 1 || !only) for (const one of some) await send(api, type, action, [one], settle, failed)
      else if (fault) failed.set(only.record.key, fault)
      else settle(only, refusalOf(only, sent.code, sent.message))
      continue
    }
    const { results = [], errors = [] } = (sent.json ?? {}) as BatchAnswer
    const left: Item[] = []
    const lessened: Item[] = []
    for (const item of some) {
      const trace = keyOf(item.record.key)
      const isIt = (one: (typeof results)[number]) =>
        one.objectWriteTraceId === trace ||
        one.properties?.[keyName] === trace ||
        (item.id !== null && String(one.id) === item.id)
      const done = results.find(isIt) ?? (some.length === 1 ? results[0] : undefined)
      const error =
        errors.find(({ context }) => [context?.objectWriteTraceId].flat().includes(trace)) ??
        (some.length === 1 ? errors[0] : undefined)
      if (done?.id !== undefined) settle(item, writtenAs(item.record.key, done.id, { url: null, version: null }))
      else if (error && !passingFault(error)) {
        const less = withoutRefused(item, error)
        if (less) lessened.push(less)
        else settle(item, refusalOf(item, error.category, error.message))
      } else {
        left.push(item)
        failed.set(
          item.record.key,
          passingFault(error) ?? new RetryableError('HubSpot answered nothing for this record'),
        )
      }
    }
    for (const one of lessened) await send(api, type, action, [one], settle, failed)
    // Some records got no answer, or met a limit. An upsert or update can be repeated. A create cannot: the engine looks
    // for the record first.
    if (some.length === 1 || action === 'create') continue
    for (const one of left) {
      if (failed.get(one.record.key)?.isForAll) continue
      failed.delete(one.record.key)
      await send(api, type, action, [one], settle, failed)
    }
  }
}

/** Values that HubSpot refused, by their properties. Values of properties that are filled by now are left out. */
export function refusedIn(properties: Readonly<Record<string, string | null>>): Record<string, string> {
  try {
    const refused: unknown = JSON.parse(properties[refusedName] || '{}')
    const entries = Object.entries(refused as Record<string, unknown>)
    return Object.fromEntries(
      entries.flatMap(([name, value]) => (typeof value === 'string' && !properties[name] ? [[name, value]] : [])),
    )
  } catch {
    return {}
  }
}
/** Too many of them do not fit into one property. */
export const refusedText = (values: Readonly<Record<string, unknown>>): string => {
  const text = JSON.stringify(values)
  return text === '{}' || text.length > 60_000 ? '' : text
}
export const lossOf = (name: string): WriteLoss => dispensable[name] ?? 'custom_value_refused'

const existingId = /Existing ID: (\d{1,18})/i
const dispensable: Readonly<Record<string, WriteLoss>> = {
  email: 'address_refused',
  hubspot_owner_id: 'assignee_refused',
  [dealStatus]: 'status_refused',
}

/**
 * The record without the values that HubSpot refused: an address, an owner, or values of custom fields. Null if the
 * refusal is about something else. HubSpot names the properties in a list inside its message.
 */
function withoutRefused(item: Item, answer: unknown): Item | null {
  const { message, errors } = (answer ?? {}) as { message?: unknown; errors?: unknown }
  const words = `${message ?? ''} ${JSON.stringify(errors ?? [])}`.replaceAll('\\"', '"')
  const named = [...words.matchAll(/"(?:name|propertyName)":\[?"(\w{1,100})"/g)].map(([, name = '']) => name)
  // A contact that we wrote keeps its own address if somebody else has the new one.
  const isTaken = item.id !== null && existingId.test(words)
  const { [filledName]: filled = '', ...properties } = item.body.properties
  const custom = filled.split(';')
  const isLoss = (name: string) => properties[name] && (name in dispensable || custom.includes(name))
  const gone = new Set([...named, ...(isTaken ? ['email'] : [])].filter(isLoss))
  if (gone.size === 0) return null
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !gone.has(name)))
  const refused = { ...refusedIn(properties), ...Object.fromEntries([...gone].map((name) => [name, properties[name]])) }
  kept[refusedName] = refusedText(refused)
  const losses = [...gone].map(lossOf)
  return {
    ...item,
    body: { ...item.body, properties: { ...kept, [filledName]: custom.filter((name) => !gone.has(name)).join(';') } },
    losses: [...new Set([...(item.losses ?? []), ...losses])],
  }
}

/**
 * If another contact already has the address, HubSpot names its id. A new record is then matched to that contact.
 */
function refusalOf({ id, record: { key } }: Item, code: unknown, message: unknown): SettledOutcome {
  const words = String(message ?? '').slice(0, 500)
  const [, existing] = existingId.exec(words) ?? []
  if (existing !== undefined && id === null) return { key, result: 'matched', destinationId: existing, url: null }
  if (code === 'OBJECT_NOT_FOUND' && id !== null)
    return { key, result: 'refused', code: 'gone', message: 'It was deleted in HubSpot after it had been imported.' }
  return {
    key,
    result: 'refused',
    code: codeOf(code ?? 'refused') || 'refused',
    message: words || `HubSpot answered 400 and gave no reason.`,
  }
}

/**
 * The records whose links change, and new ones with links. They are marked from before their first link is removed or
 * made until after the last one is made.
 */
export const withNewLinks = (items: readonly Item[]): Item[] =>
  items.filter(({ links = '', body }) => links !== linkText(body.links))

export async function mark(api: HubspotApi, type: ObjectType, items: readonly Item[], failed: Failed): Promise<void> {
  const marked = (text: string) => (hasMark(text) ? text : `${text};${underWay}`)
  const unlinked = items.filter(({ links = '', body }) => oldLinks(links, body).length > 0)
  const lists = unlinked.map(({ record, id, links = '' }) => ({ key: record.key, id: String(id), text: marked(links) }))
  await noteLinks(api, type, lists, failed)
  for (const { body } of items) body.properties[linksName] = marked(linkText(body.links))
}

/** Takes the marks away. */
export const unmark = (
  api: HubspotApi,
  type: ObjectType,
  written: readonly (readonly [Item, string])[],
  failed: Failed,
): Promise<void> => {
  const lists = written.map(([{ record, body }, id]) => ({ key: record.key, id, text: linkText(body.links) }))
  return noteLinks(api, type, lists, failed)
}

/** A record that people deleted meanwhile needs no list. */
async function noteLinks(
  api: HubspotApi,
  type: ObjectType,
  lists: readonly { key: string; id: string; text: string }[],
  failed: Failed,
): Promise<void> {
  for (const part of chunksOf(lists, largestPage)) {
    const inputs = part.map(({ id, text }) => ({ id, properties: { [linksName]: text } }))
    const sent = await api.http.send('POST', `${api.objects(type)}/batch/update`, { json: { inputs } })
    if (!hasFailed(sent)) continue
    const [only] = part
    const fault = passingFault(sent.json)
    if (fault?.isForAll) for (const { key } of part) failed.set(key, fault)
    else if (part.length > 1 || !only) for (const one of part) await noteLinks(api, type, [one], failed)
    else if (!JSON.stringify(sent.json).includes('OBJECT_NOT_FOUND'))
      failed.set(only.key, fault ?? new RetryableError('HubSpot does not let us note the links of this record'))
  }
}

/** Links that we made earlier and the source no longer has. */
const oldLinks = (links: string, body: Body): { to: string; target: string }[] =>
  links.split(';').flatMap((one) => {
    const [to = '', target = ''] = one.split('/')
    return target === '' || body.links[to as ObjectType]?.includes(target) ? [] : [{ to, target }]
  })

/**
 * Removes links that we made earlier and the source no longer has. Links that people made stay. Returns the keys of
 * records whose links HubSpot did not remove. This comes before the record forgets its old links.
 */
export async function unlink(
  api: HubspotApi,
  type: ObjectType,
  items: readonly Item[],
  failed: Failed,
): Promise<Set<string>> {
  const refused = new Set<string>()
  const old = items.flatMap(({ record, id, body, links = '' }) =>
    oldLinks(links, body).map((one) => ({ key: record.key, id: String(id), ...one })),
  )
  for (const [to, some] of Map.groupBy(old, (one) => one.to)) {
    for (const part of chunksOf(some, largestPage)) {
      const inputs = part.map(({ id, target }) => ({ from: { id }, to: [{ id: target }] }))
      const sent = await api.sendLinks(type, to as ObjectType, 'archive', inputs)
      if (!hasFailed(sent)) continue
      const fault = passingFault(sent.json)
      // The answer does not always name the links that stay.
      const left = fault ? null : await api.linked(type, to as ObjectType, [...new Set(part.map(({ id }) => id))])
      for (const { key, id, target } of part) {
        if (fault) failed.set(key, fault)
        else if (left?.get(id)?.includes(target)) refused.add(key)
      }
    }
  }
  return refused
}

/** Adds missing links. Returns the keys of records whose links HubSpot refused. */
export async function link(
  api: HubspotApi,
  type: ObjectType,
  written: ReadonlyMap<Item, string>,
  failed: Failed,
): Promise<Set<string>> {
  const refused = new Set<string>()
  const targets = new Set([...written.keys()].flatMap(({ body: { links } }) => Object.keys(links) as ObjectType[]))
  for (const to of targets) {
    const isParent = type === 'companies' && to === 'companies'
    const changed = [...written].flatMap(([{ id, body }, at]) =>
      id !== null && body.links[to] !== undefined ? at : [],
    )
    const before = await api.linked(type, to, changed, isParent ? parentCompany : undefined)
    const wanted = [...written].flatMap(([{ body, record }, id]) =>
      (body.links[to] ?? [])
        .filter((one) => !before.get(id)?.includes(one))
        .map((one) => ({ key: record.key, from: { id }, to: { id: one } })),
    )
    /** Without a type, HubSpot makes a link without a label. */
    const put = async (some: typeof wanted, associationTypeId?: number): Promise<void> => {
      const types = associationTypeId && { types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }] }
      const inputs = some.map(({ from, to: target }) => ({ from, to: target, ...types }))
      const sent = await api.sendLinks(type, to, types ? 'create' : 'associate/default', inputs)
      if (!hasFailed(sent)) return
      const fault = passingFault(sent.json)
      if (fault && (fault.isForAll || some.length === 1)) for (const { key } of some) failed.set(key, fault)
      else if (some.length > 1) for (const one of some) await put([one], associationTypeId)
      else for (const { key } of some) refused.add(key)
    }
    for (const some of chunksOf(wanted, largestPage)) await put(some, isParent ? parentCompany : undefined)
    // HubSpot chooses a primary company by itself. People may have chosen another since we wrote the record.
    const first = [...written].flatMap(([{ body, record, links = '' }, id]) => {
      const [one] = body.links[to] ?? []
      const old = links.split(';').find((text) => text.startsWith(`${to}/`))
      const isNew = one !== undefined && (hasMark(links) || old !== `${to}/${one}`) && !refused.has(record.key)
      return isNew ? [{ key: record.key, from: { id }, to: { id: one } }] : []
    })
    const primary = to === 'companies' ? primaryCompany[type] : undefined
    if (primary) for (const some of chunksOf(first, largestPage)) await put(some, primary)
  }
  return refused
}
