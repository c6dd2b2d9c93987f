import type { FamilyRecord, FieldValue, RecordRef, RichText, UserRef } from '../../families/record.ts'
import type { SourceWarning } from '../../warnings/codes.ts'
import type { RecordWarning } from '../contract.ts'
import { builtInFields, type RtField, readCustomValues, withValue } from './custom-fields.ts'
import { type Raw, type RawRecord, type RawReference, readMoment, takeFields } from './schema.ts'
import { readPriority, readStatus } from './standard-options.ts'

// Raw → record. Pure; what could not be taken along stands beside the record as warnings.

export interface MappedRecord {
  record: FamilyRecord
  warnings: RecordWarning[]
}

/** What a record is mapped with: facts of the account that it does not hold itself. */
export interface MapFacts {
  base: string
  /** Ids of the privileged users, who are the agents. */
  agents: ReadonlySet<string>
  /** Ids of the users that are no people. */
  system: ReadonlySet<string>
}

type Fields = Record<string, FieldValue | undefined>

/** Leaves out what is missing, and reports what is odd or should not be. */
export function finishRecord(
  parts: Omit<FamilyRecord, 'fields'> & { fields: Fields },
  required: readonly string[],
  problems: { odd?: readonly string[]; lost?: readonly [code: SourceWarning, message: string][] },
): MappedRecord {
  const present = Object.entries(parts.fields).filter((entry): entry is [string, FieldValue] => entry[1] !== undefined)
  const record: FamilyRecord = { ...parts, fields: Object.fromEntries(present) }
  const warn = (code: SourceWarning, message: string): RecordWarning => {
    return { entity: record.entity, sourceId: record.sourceId, code, message }
  }
  const warnings = (problems.odd ?? []).map((name) =>
    warn('field_unreadable', `The field "${name}" holds something other than expected and was left out.`),
  )
  warnings.push(...(problems.lost ?? []).map(([code, message]) => warn(code, message)))
  for (const name of required) {
    if ((record.fields[name] ?? '') === '') warnings.push(warn('required_empty', `The field "${name}" is empty.`))
  }
  return { record, warnings }
}

export function toGroup(given: RawRecord, fields: ReadonlyMap<string, RtField>, { agents }: MapFacts): MappedRecord {
  const { raw, odd } = takeFields('queue', given)
  const custom = readCustomValues(fields, raw.CustomFields ?? [])
  const watchers = (raw.AdminCc ?? []).filter(({ type, id }) => type === 'user' && agents.has(String(id)))
  return finishRecord(
    {
      entity: 'groups',
      sourceId: raw.id,
      ...stampsOf(raw),
      fields: {
        name: raw.Name,
        description: raw.Description || undefined,
        agents: watchers.map(({ id }) => ({ userId: String(id) })),
      },
      customFields: custom.customFields,
    },
    ['name'],
    { odd: [...odd, ...custom.odd] },
  )
}

export function toContact(given: RawRecord, fields: ReadonlyMap<string, RtField>, isEnabled: boolean): MappedRecord {
  const { raw, odd } = takeFields('user', given)
  const custom = readCustomValues(fields, raw.CustomFields ?? [])
  const address = toAddress(raw)
  const login = raw.Name !== undefined && raw.Name !== raw.EmailAddress ? raw.Name : ''
  return finishRecord(
    {
      entity: 'contacts',
      sourceId: raw.id,
      ...stampsOf(raw),
      fields: {
        name: raw.RealName || raw.EmailAddress || raw.Name,
        emails: raw.EmailAddress ? [{ address: raw.EmailAddress, isPrimary: true }] : [],
        phones: phonesOf(raw),
        organization: toOrganizationRef(raw.Organization),
        language: raw.Lang || undefined,
        timezone: raw.Timezone || undefined,
        notes: raw.Comments || undefined,
        is_suspended: !isEnabled,
      },
      customFields: {
        ...(login ? { login: withValue(builtInFields.contacts.login, login) } : {}),
        ...(raw.FreeformContactInfo
          ? { extra_info: withValue(builtInFields.contacts.extra_info, raw.FreeformContactInfo) }
          : {}),
        ...(Object.keys(address).length > 0 ? { address: withValue(builtInFields.contacts.address, address) } : {}),
        ...custom.customFields,
      },
    },
    ['name'],
    { odd: [...odd, ...custom.odd] },
  )
}

/** Numbers with the kind that Request Tracker has a field for. */
export function phonesOf(raw: Raw<'user'>): { number: string; type: string }[] {
  const kinds = [
    ['work', raw.WorkPhone],
    ['mobile', raw.MobilePhone],
    ['home', raw.HomePhone],
    ['pager', raw.PagerPhone],
  ] as const
  return kinds.flatMap(([type, number]) => (number ? [{ number, type }] : []))
}

export function toAddress(raw: Raw<'user'>): Record<string, string> {
  const lines = {
    line1: raw.Address1,
    line2: raw.Address2,
    city: raw.City,
    region: raw.State,
    postalCode: raw.Zip,
    country: raw.Country,
  }
  return Object.fromEntries(Object.entries(lines).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** An organization is nothing but a word on its people, so the word is its id. */
export function toOrganizationRef(name: string | null | undefined): RecordRef | undefined {
  return name?.trim() ? { entity: 'organizations', sourceId: name } : undefined
}

export function toTicket(
  given: RawRecord,
  fields: ReadonlyMap<string, RtField>,
  facts: MapFacts,
  /** Ids of the tickets that links may lead to. */
  known: ReadonlySet<string>,
  description: RichText | undefined,
): MappedRecord {
  const { raw, odd } = takeFields('ticket', given)
  const custom = readCustomValues(fields, raw.CustomFields ?? [])
  const links = linksOf(raw)
  const requestors = peopleOf(raw.Requestor, facts)
  const [requester, ...others] = requestors
  const followers = peopleOf(raw.AdminCc, facts)
  const creator = raw.Creator ? String(raw.Creator.id) : ''
  const ticketsOf = (ids: readonly string[]) => ids.filter((id) => known.has(id)).map((id) => ref('tickets', id))
  const [parent, ...moreParents] = ticketsOf(links.parent)
  return finishRecord(
    {
      entity: 'tickets',
      sourceId: raw.id,
      sourceUrl: `${facts.base}/Ticket/Display.html?id=${raw.id}`,
      ...stampsOf(raw),
      ...(facts.agents.has(creator) ? { createdBy: { userId: creator } } : {}),
      fields: {
        number: raw.id,
        subject: raw.Subject ?? undefined,
        description,
        status: raw.Status === undefined ? undefined : readStatus(raw.Status),
        priority: raw.Priority === undefined ? undefined : readPriority(Number(raw.Priority)),
        requester: requester === undefined ? undefined : ref('contacts', requester),
        assignee: toAgent(raw.Owner, facts),
        group: raw.Queue && ref('groups', String(raw.Queue.id)),
        collaborators: [...new Set([...others, ...peopleOf(raw.Cc, facts)])].map((id) => ref('contacts', id)),
        followers: followers.filter((id) => facts.agents.has(id)).map((userId) => ({ userId })),
        due_at: readMoment(raw.Due),
        solved_at: readMoment(raw.Resolved),
        time_spent_s: Number(raw.TimeWorked ?? 0) > 0 ? Number(raw.TimeWorked) * 60 : undefined,
        parent_ticket: parent,
        depends_on: ticketsOf(links.dependsOn),
        linked_tickets: [...moreParents, ...ticketsOf(links.refersTo)],
      },
      customFields: { ...builtInValues(raw, links.urls), ...custom.customFields },
    },
    ['subject'],
    { odd: [...odd, ...custom.odd], lost: lostOf(raw, facts, followers, links.all, known) },
  )
}

function builtInValues(raw: Raw<'ticket'>, urls: string[]) {
  const { tickets } = builtInFields
  const minutes = (value: string | number | undefined) => (Number(value ?? 0) > 0 ? Number(value) * 60 : undefined)
  const values: [keyof typeof tickets, FieldValue | undefined][] = [
    ['priority_number', raw.Priority === undefined ? undefined : Number(raw.Priority)],
    ['starts_at', readMoment(raw.Starts)],
    ['started_at', readMoment(raw.Started)],
    ['time_estimated_s', minutes(raw.TimeEstimated)],
    ['time_left_s', minutes(raw.TimeLeft)],
    ['links', urls.length > 0 ? urls : undefined],
  ]
  return Object.fromEntries(
    values.flatMap(([key, value]) => (value === undefined ? [] : [[key, withValue(tickets[key], value)]])),
  )
}

function lostOf(
  raw: Raw<'ticket'>,
  { agents }: MapFacts,
  followers: readonly string[],
  linked: readonly string[],
  known: ReadonlySet<string>,
): [SourceWarning, string][] {
  const lost: [SourceWarning, string][] = []
  const watchers = [...(raw.Requestor ?? []), ...(raw.Cc ?? []), ...(raw.AdminCc ?? [])]
  if (watchers.some(({ type }) => type !== 'user')) {
    lost.push(['group_watcher_left_out', 'A group of users watches this ticket; only its other watchers come along.'])
  }
  if (followers.some((id) => !agents.has(id))) {
    lost.push(['follower_left_out', 'An AdminCc of this ticket is not a privileged user, and does not come along.'])
  }
  if (linked.some((id) => !known.has(id))) {
    lost.push(['link_left_out', 'A link of this ticket leads to one that is deleted or cannot be seen.'])
  }
  return lost
}

/** Links to other tickets by kind, and to elsewhere. */
export function linksOf(raw: Raw<'ticket'>) {
  const byNumber = (a: string, b: string) => Number(a) - Number(b)
  const idsOf = (kind: string) => {
    const matching = (raw._hyperlinks ?? []).filter(({ ref, type }) => ref === kind && type === 'ticket')
    return [...new Set(matching.flatMap(({ id }) => (id === undefined ? [] : [String(id)])))].sort(byNumber)
  }
  const [parent, dependsOn, refersTo] = [idsOf('parent'), idsOf('depends-on'), idsOf('refers-to')]
  const outside = (raw._hyperlinks ?? []).filter(
    ({ ref, type }) => type === 'external' && ['parent', 'depends-on', 'refers-to'].includes(ref),
  )
  const urls = outside.flatMap(({ _url }) => (_url?.startsWith('http') ? [_url] : [])).sort()
  return { parent, dependsOn, refersTo, urls, all: [...parent, ...dependsOn, ...refersTo] }
}

export function peopleOf(
  watchers: readonly RawReference[] | undefined,
  { system }: Pick<MapFacts, 'system'>,
): string[] {
  const ids = (watchers ?? []).filter(({ type }) => type === 'user').map(({ id }) => String(id))
  return [...new Set(ids)].filter((id) => !system.has(id)).sort((a, b) => Number(a) - Number(b))
}

function toAgent(owner: RawReference | null | undefined, { agents }: MapFacts): UserRef | undefined {
  return owner && agents.has(String(owner.id)) ? { userId: String(owner.id) } : undefined
}

export const ref = (entity: string, sourceId: string): RecordRef => ({ entity, sourceId })

export function stampsOf({ Created, LastUpdated }: { Created?: string; LastUpdated?: string }) {
  const [createdAt, updatedAt] = [readMoment(Created), readMoment(LastUpdated)]
  return { ...(createdAt ? { createdAt } : {}), ...(updatedAt ? { updatedAt } : {}) }
}
