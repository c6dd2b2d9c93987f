import type { Family } from '../../../families/index.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  OutgoingContent,
  OutgoingRecord,
  SentRelation,
  SettledOutcome,
  SideRecords,
  StoredContent,
  WriteOutcome,
} from '../../contract/contract.ts'
import { written as writtenAs } from '../../kit/outcomes.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { openBatch } from '../../kit/write-batch.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { type HubObject, type HubspotApi, label, type ObjectType } from './api.ts'
import { keepEnriched } from './automatic-values.ts'
import { evenOut, type NewProperty, placeCustom } from './custom-properties.ts'
import { type HubEntity, noFacts, placeOf, typeOfKind } from './entities.ts'
import { headersName, takeHeaders } from './mail-headers.ts'
import { addressOf, type Objects, toObjectId, toRecordId, typesOf } from './objects.ts'
import {
  addChoices,
  dealStatus,
  filledName,
  keyName,
  linksName,
  makeOwnProperties,
  makeProperties,
  originName,
  refusedName,
} from './own-properties.ts'
import { makeClosedStage } from './pipelines.ts'
import {
  type Body,
  type Failed,
  type Item,
  keyOf,
  link,
  linkText,
  lossOf,
  mark,
  refusedIn,
  refusedText,
  send,
  unlink,
  unmark,
  withNewLinks,
} from './send-batch.ts'

/** HubSpot's object type for a record. A record that exists keeps its type. */
export function typeFor(
  family: Family,
  entity: string,
  { fields }: OutgoingContent,
  destinationId: string | null = null,
): ObjectType {
  const there = destinationId === null ? null : toObjectId(family, entity, destinationId)
  if (there) return there.type
  if (entity === 'activities') return typeOfKind(fields.type)
  if (entity === 'comments') return fields.is_public === true ? 'emails' : 'notes'
  const [type] = typesOf[family][entity] ?? []
  if (!type) throw new Error(`HubSpot has no ${entity}`)
  return type
}

const customOf = async (api: HubspotApi, { family, type, made }: HubEntity, { customFields }: OutgoingContent) => {
  const [properties, account] = [await api.properties(type), await api.account()]
  const toAddress = ({ entity, destinationId }: SentRelation) => {
    const target = toObjectId(family, entity, destinationId)
    return (target && addressOf(account, target.type, target.id)) ?? destinationId
  }
  const property = type === 'emails' ? properties.find(({ name }) => name === headersName) : undefined
  const { headers, rest } = property ? takeHeaders(customFields) : { headers: null, rest: customFields }
  const placed = Object.entries(rest).map(([key, field]) => placeCustom(key, field, properties, made, toAddress))
  return property && headers ? [...placed, { name: headersName, property, value: headers, choices: [] }] : placed
}

async function toBody(
  api: HubspotApi,
  family: Family,
  entity: HubEntity,
  record: OutgoingRecord,
  refused: ReadonlySet<string>,
  isOpen: boolean,
): Promise<Body> {
  const body = writeRecord(entity, record, { isWhole: true })
  const properties: Record<string, string> = {}
  const given = Object.entries((body.properties ?? {}) as Record<string, unknown>)
  for (const [name, value] of given) if (!name.startsWith('$')) properties[name] = String(value)
  for (const [name, value] of given) if (name.startsWith('$')) Object.assign(properties, value)
  const all = await customOf(api, entity, record)
  const custom = all.filter(({ name }) => !refused.has(name))
  for (const { name, value } of custom) properties[name] = value
  const cut = all.flatMap(({ name, property, value }) => (refused.has(name) ? [[name, evenOut(property, value)]] : []))
  properties[refusedName] = refusedText({
    ...Object.fromEntries(cut),
    ...(isOpen && { [dealStatus]: String(record.fields.status) }),
  })
  const { type } = entity
  if (type === 'meetings') {
    properties.hs_timestamp = properties.hs_meeting_start_time || record.createdAt || new Date().toISOString()
  }
  const links = { ...((body.links ?? {}) as Body['links']) }
  const related = body.related as { entity: string; sourceId: string } | null | undefined
  const target = related && toObjectId(family, related.entity, related.sourceId)
  if (target) links[target.type] = [target.id]
  if (type === 'emails') {
    const isIn = family === 'helpdesk' && (links.contacts?.length ?? 0) > 0 && !record.fields.author_agent
    properties.hs_email_direction ??= isIn ? 'INCOMING_EMAIL' : 'EMAIL'
    properties.hs_email_status ||= 'SENT'
  }
  // Sent although HubSpot may ignore it: we do not rely on it.
  if (type === 'deals' && record.createdAt) properties.createdate = record.createdAt
  properties[keyName] = keyOf(record.key)
  properties[filledName] = custom.map(({ name }) => name).join(';')
  properties[linksName] = linkText(links)
  properties[originName] ??= record.createdAt ?? ''
  return { properties, links }
}

/** The content as HubSpot will store it, for comparison. */
export async function objectAsStored(
  api: HubspotApi,
  entity: HubEntity,
  content: OutgoingContent,
): Promise<StoredContent> {
  const custom = await customOf(api, entity, content)
  return {
    ...asStored(entity, content),
    customFields: Object.fromEntries(custom.map(({ name, property, value }) => [name, evenOut(property, value)])),
  }
}

/** Names of the custom properties that we filled in. */
export const filledIn = ({ properties }: HubObject): string[] =>
  properties[filledName]?.split(';').filter(Boolean) ?? []

/** A record without values that HubSpot refused is compared as if it had them. */
export async function objectStored(
  api: HubspotApi,
  entity: HubEntity,
  found: HubObject,
): Promise<StoredContent & { losses?: WriteLoss[] }> {
  const properties = await api.properties(entity.type)
  const refused = refusedIn(found.properties)
  const names = Object.keys(refused)
  const raw = { ...found, properties: { ...found.properties, ...refused } }
  const inCustom = names.filter((name) => lossOf(name) === 'custom_value_refused' || entity.made.has(name))
  const custom = [...filledIn(raw), ...inCustom].map((name) => {
    const property = properties.find((one) => one.name === name) ?? { type: 'string' }
    return [name, evenOut(property, raw.properties[name] ?? null)]
  })
  return {
    ...toStored(label, entity, raw),
    customFields: Object.fromEntries(custom),
    ...(names.length > 0 && { losses: [...new Set(names.map(lossOf))] }),
  }
}

/**
 * Writes objects of one type: creates missing properties, writes the objects, then links them. Every step can be
 * repeated.
 */
export async function writeObjects(
  api: HubspotApi,
  objects: Objects,
  family: Family,
  entityName: string,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  const batch = openBatch(records)
  const byType = Map.groupBy(records, (record) => typeFor(family, entityName, record, record.destinationId))
  for (const [type, some] of byType) {
    const keys = some.map(({ key }) => key)
    if (batch.hasFailed) break
    await batch.attempt(keys, async () => {
      const refused = await prepare(api, objects, type, some, sides)
      const open = type === 'deals' ? await closeDeals(api, objects, some, sides) : new Set<string>()
      const entity = await objects.declaration(type)
      const items: Item[] = []
      for (const record of some) {
        const id =
          record.destinationId === null ? null : (toObjectId(family, entityName, record.destinationId)?.id ?? null)
        items.push({ record, id, body: await toBody(api, family, entity, record, refused, open.has(record.key)) })
      }
      const isUnique = (await api.properties(type)).find(({ name }) => name === keyName)?.hasUniqueValue === true
      await readOld(api, type, items)
      const failed: Failed = new Map()
      const isLeft = ({ record: { key } }: Item) => !failed.has(key)
      const relinked = withNewLinks(items)
      await mark(api, type, relinked, failed)
      const keptLinks = await unlink(api, type, items.filter(isLeft), failed)
      const written = new Map<Item, string>()
      const settle = (item: Item, outcome: SettledOutcome) => {
        if (outcome.result === 'written') written.set(item, outcome.destinationId)
        else batch.settle(outcome)
      }
      const changed = items.filter((item) => item.id !== null && isLeft(item))
      const fresh = items.filter(({ id }) => id === null)
      await keepEnriched(api, type, changed)
      await send(api, type, 'update', changed, settle, failed)
      await send(api, type, isUnique ? 'upsert' : 'create', fresh, settle, failed)
      const refusedLinks = await link(api, type, written, failed)
      const relinkedKeys = new Set(relinked.map(({ record: { key } }) => key))
      const linked = [...written].filter(([item]) => isLeft(item))
      const marked = linked.filter(([{ record }]) => relinkedKeys.has(record.key))
      await unmark(api, type, marked, failed)
      for (const [{ record, id, losses: refusedValues = [] }, objectId] of linked) {
        const { key, destinationId } = record
        if (failed.has(key)) continue
        const isCut =
          Object.keys(record.customFields).length > 0 &&
          refused.size > 0 &&
          (await customOf(api, entity, record)).some(({ name }) => refused.has(name))
        const losses: WriteLoss[] = [
          ...refusedValues.filter((loss) => !isCut || loss !== 'custom_value_refused'),
          ...thatHold(
            [refusedLinks.has(key) || keptLinks.has(key), 'relation_refused'],
            [isCut, 'custom_value_refused'],
            [open.has(key), 'status_refused'],
          ),
        ]
        const recordId = id === null ? toRecordId(family, entityName, type, objectId) : destinationId
        batch.settle(writtenAs(key, recordId, { url: await objects.urlOf(type, objectId), version: null }, losses))
      }
      for (const [key, fault] of failed) await batch.attempt([key], async () => Promise.reject(fault))
    })
  }
  return batch.outcomes()
}

/**
 * Creates our own properties, missing custom properties and missing choices. Returns the properties that HubSpot
 * refused.
 */
async function prepare(
  api: HubspotApi,
  objects: Objects,
  type: ObjectType,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<Set<string>> {
  await makeOwnProperties(api, type)
  const entity = await objects.declaration(type)
  const placed = (await Promise.all(records.map((record) => customOf(api, entity, record)))).flat()
  const choicesOf = (name: string) => placed.filter((one) => one.name === name).flatMap(({ choices }) => choices)
  const wanted = new Map<string, NewProperty>()
  for (const { name, property } of placed) {
    if (property.fieldType === undefined) continue
    const options = [...new Map(choicesOf(name).map((choice) => [choice.value, choice])).values()]
    const hasChoices = property.type === 'enumeration' && property.referencedObjectType !== 'OWNER'
    wanted.set(name, { ...(property as NewProperty), ...(hasChoices && { options }) })
  }
  const refused = await makeProperties(api, type, [...wanted.values()])
  for (const [name, { options = [], type: native, referencedObjectType }] of wanted) {
    if (native !== 'enumeration' || referencedObjectType === 'OWNER' || refused.has(name)) continue
    await addChoices(api, sides, type, name, options)
  }
  return refused
}

/**
 * Adds stages for won and lost deals to pipelines that lack them. Returns the keys of closed deals whose pipeline still
 * has no such stage: HubSpot shows them as open.
 */
async function closeDeals(
  api: HubspotApi,
  objects: Objects,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<Set<string>> {
  const unplaced = async () => {
    const pipelines = await objects.dealPipelines()
    return records.flatMap(({ key, fields }) => {
      const { pipeline: id, isFitting } = placeOf({ ...noFacts, pipelines }, fields)
      const pipeline = pipelines.find((one) => one.id === id)
      return isFitting || !pipeline ? [] : [{ key, pipeline, status: fields.status as 'won' | 'lost' }]
    })
  }
  const missing = new Map((await unplaced()).map((one) => [`${one.pipeline.id} ${one.status}`, one]))
  for (const { pipeline, status } of missing.values()) {
    try {
      await makeClosedStage(api, pipeline, status, sides)
    } finally {
      objects.forgetPipelines()
    }
  }
  return new Set((await unplaced()).map(({ key }) => key))
}

/** Empties custom fields that we filled earlier and the source no longer has, and notes the links that we made. */
async function readOld(api: HubspotApi, type: ObjectType, items: readonly Item[]): Promise<void> {
  const known = items.filter(({ id }) => id !== null)
  const ids = known.map(({ id }) => String(id))
  const there = await api.byIds(type, [filledName, linksName], ids)
  for (const item of known) {
    const old = there.find((one) => one.id === item.id)?.properties
    item.links = old?.[linksName] ?? ''
    for (const name of old?.[filledName]?.split(';') ?? []) if (name !== '') item.body.properties[name] ??= ''
  }
}
