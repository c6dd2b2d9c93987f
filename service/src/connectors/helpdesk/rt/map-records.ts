import type { SourceWarning } from '../../../warnings/codes.ts'
import type { Entity } from '../../kit/entity.ts'
import { unreadable } from '../../kit/finish-record.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { type MappedRecord, readRecord } from '../../kit/read-record.ts'
import { type RtFields, readCustomValues } from './custom-fields.ts'
import { type MapFacts, userIds } from './lenses.ts'
import { take } from './schema.ts'
import { linksOf, type TicketFacts, tickets } from './tickets.ts'

// Raw → record. Pure; what could not be taken along stands beside the record as warnings.

/** With the values of the fields that the site made. */
export function toRecord<A>(
  entity: Entity<A>,
  kind: 'queue' | 'user' | 'ticket',
  raw: RawRecord,
  around: A,
  fields: RtFields,
  lost: readonly (readonly [SourceWarning, string])[] = [],
): MappedRecord {
  const { record, warnings } = readRecord(entity, raw, around)
  const custom = readCustomValues(fields, take(kind as 'ticket', raw).CustomFields)
  const odd = custom.odd.map((name) => ['field_unreadable', unreadable(name)] as const)
  const { entity: name, sourceId } = record
  return {
    record: { ...record, customFields: { ...record.customFields, ...custom.customFields } },
    warnings: [...warnings, ...[...odd, ...lost].map(([code, message]) => ({ entity: name, sourceId, code, message }))],
  }
}

export function toTicket(given: RawRecord, fields: RtFields, facts: TicketFacts): MappedRecord {
  const shownAt = `${facts.base}/Ticket/Display.html?id=${given.id}`
  return toRecord(tickets, 'ticket', { ...given, shownAt }, facts, fields, lostOf(given, facts))
}

function lostOf(given: RawRecord, { agents, system, known }: TicketFacts): [SourceWarning, string][] {
  const { Requestor = [], Cc = [], AdminCc = [], _hyperlinks } = take('ticket', given)
  const isUnknownFollower = (id: string) => !system.has(id) && !agents.has(id)
  const checks: [boolean, SourceWarning, string][] = [
    [
      [...Requestor, ...Cc, ...AdminCc].some(({ type }) => type !== 'user'),
      'group_watcher_left_out',
      'A group of users watches this ticket; only its other watchers come along.',
    ],
    [
      userIds(AdminCc).some(isUnknownFollower),
      'follower_left_out',
      'An AdminCc of this ticket is not a privileged user, and does not come along.',
    ],
    [
      linksOf(_hyperlinks).all.some((id) => !known.has(id)),
      'link_left_out',
      'A link of this ticket leads to one that is deleted or cannot be seen.',
    ],
  ]
  return checks.flatMap(([isLost, code, message]) => (isLost ? [[code, message]] : []))
}

/** What is known of an account besides, for every record. */
export interface Known {
  facts(): Promise<MapFacts>
  fields(entity: 'groups' | 'contacts' | 'tickets'): Promise<RtFields>
}
