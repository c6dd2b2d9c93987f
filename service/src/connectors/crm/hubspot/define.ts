import Type from 'typebox'
import type { Family } from '../../../families/index.ts'
import { anyObject } from '../../kit/custom-fields.ts'
import { defineEntity, type Entity, type EntityRules, type SourceNotice } from '../../kit/entity.ts'
import { unreadable } from '../../kit/finish-record.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import type { AccountFacts, ObjectType, Pipeline, Property } from './api.ts'
import { entriesOf, fileIdsIn, type MadeProperties, madeProperties } from './custom-properties.ts'
import * as its from './lenses.ts'
import { hasOddHeaders, headersName, mailFields } from './mail-headers.ts'

// The mapping between HubSpot's records and ours. Properties that begin with `wherry_` are our own.

/**
 * The settings of an account. The documentation is generated without an account, so without choices and custom fields.
 */
export interface Facts {
  account: Partial<AccountFacts>
  properties: readonly Property[]
  pipelines: readonly Pipeline[]
}
export const noFacts: Facts = { account: {}, properties: [], pipelines: [] }

/** HubSpot documents this limit for the text of a note. We assume the same for other activities. */
export const longestBody = 65_536

type Rules = EntityRules & { fields: Record<string, its.PropertyLens> }
export type HubEntity = Entity & { type: ObjectType; names: readonly string[]; made: MadeProperties }

/** Contacts keep the time of their last change in another property. */
export const changedIn = (type: ObjectType) => (type === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate')
const isObject = (type: ObjectType) => ['companies', 'contacts', 'deals', 'tickets'].includes(type)

export function define(family: Family, name: string, type: ObjectType, facts: Facts, rules: Rules): HubEntity {
  const createdIn = isObject(type) ? 'createdate' : 'hs_createdate'
  const stamps = {
    createdAt: its.moment(createdIn, { isReadOnly: true }),
    updatedAt: its.moment(changedIn(type), { isReadOnly: true }),
  }
  const whole: Rules = { ...stamps, ...(isObject(type) && { sourceUrl: 'url' }), ...rules }
  const lenses: (its.PropertyLens | undefined)[] = [whole.createdAt, whole.updatedAt, ...Object.values(whole.fields)]
  const named = lenses.flatMap((one) => one?.names ?? one?.from?.match(/^properties\.(.+)/)?.[1] ?? [])
  const beside = isObject(type) ? (type === 'tickets' ? [conversations] : []) : ['hs_attachment_ids', 'hs_timestamp']
  const isMail = type === 'emails'
  const own = new Set([...named, 'hs_object_id', createdIn, ...beside, ...(isMail ? [headersName] : [])])
  const fields = madeProperties(facts.properties, own)
  const custom = { from: 'properties', fields: () => fields, entries: (value: unknown) => entriesOf(fields, value) }
  // The files of a help desk belong to tickets and comments.
  const canHoldFiles = family === 'crm' || !['organizations', 'contacts'].includes(name)
  const entity = defineEntity(family, name, {
    ...whole,
    custom,
    ...(isMail && { extra: mailFields }),
    also: {
      properties: anyObject,
      labelledLinks: Type.Integer(),
      peerLinks: Type.Integer(),
    },
    warns: (raw) => [
      ...warnOfLinks(whole, raw),
      ...warnOfRest(raw),
      ...(canHoldFiles ? [] : warnOfFiles(fields, raw)),
      ...noticesIf([isMail && hasOddHeaders(raw), 'field_unreadable', unreadable(headersName)]),
    ],
  })
  return { ...entity, type, names: [...own, ...fields.keys()], made: fields }
}

/** The number of a ticket's conversations in the inbox or the help desk. No run copies their messages. */
const conversations = 'hs_num_associated_conversations'

function warnOfRest({
  properties,
  labelledLinks = 0,
  peerLinks = 0,
}: Readonly<Record<string, unknown>>): SourceNotice[] {
  const { [conversations]: threads } = (properties ?? {}) as Record<string, string | null>
  const peers = Number(peerLinks)
  const words = `HubSpot links it to ${peers} other records of its kind. These links were not copied.`
  return noticesIf(
    [
      Number(threads ?? 0) > 0,
      'messages_left_out',
      `HubSpot has ${threads} conversations of it in the inbox. They were not copied.`,
    ],
    [
      Number(labelledLinks) > 0,
      'link_labels_left_out',
      `HubSpot has labels at ${labelledLinks} of its links. They were not copied.`,
    ],
    [peers > 0, 'relations_left_out', words, { count: peers, field: 'relationships' }],
  )
}

function warnOfFiles(fields: MadeProperties, { properties }: Readonly<Record<string, unknown>>): SourceNotice[] {
  const values = (properties ?? {}) as Record<string, string | null>
  const count = [...fields].flatMap(([name, { property }]) => fileIdsIn(property, values[name])).length
  return noticesIf([count > 0, 'files_left_out', `HubSpot has ${count} files in fields of it. They were not copied.`])
}

/**
 * HubSpot can link a record to many others where the family holds only one. The customer gets a notice about the rest.
 */
function warnOfLinks({ fields }: Rules, raw: Readonly<Record<string, unknown>>): SourceNotice[] {
  return Object.entries(fields).flatMap(([field, { leftOut }]): SourceNotice[] => {
    const count = leftOut?.(raw) ?? 0
    const message = `HubSpot links it to ${count + 1} records here. It was copied with the first of these links.`
    return noticesIf([count > 0, 'relations_left_out', message, { count, field }])
  })
}

export const ownMoment = (name: string, ...fallbacks: string[]) =>
  its.several('datetime', [name, ...fallbacks], {
    sets: [name],
    read: (properties) => [name, ...fallbacks].map((one) => properties[one]).find((value) => !!value) ?? undefined,
    write: (value) => ({ [name]: String(value) }),
    stored: (properties) => its.evenMoment(properties[name]),
  })

/** Splits a name as HubSpot does: the last word becomes the last name. */
export const splitName = (name: unknown): { firstname: string; lastname: string } => {
  const words = String(name ?? '')
    .trim()
    .split(/\s+/)
  return { firstname: words.slice(0, -1).join(' '), lastname: words.at(-1) ?? '' }
}
export const nameNames = ['firstname', 'lastname', 'email', 'phone', 'mobilephone']
export const nameOf = (properties: Record<string, string | null>) =>
  [properties.firstname, properties.lastname].filter(Boolean).join(' ') ||
  properties.email ||
  properties.phone ||
  properties.mobilephone ||
  undefined
