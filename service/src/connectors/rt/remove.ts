import type { RemovableRecord, RemoveOutcome } from '../contract.ts'
import { readTickets } from './find-tickets.ts'
import { ticketForms } from './long-forms.ts'
import { markerField, readMarker, removedMarker, toMarker } from './marker.ts'
import { personVersion } from './person-form.ts'
import { inTurns, type WriteContext } from './post-messages.ts'
import { foundGroup } from './queue-form.ts'
import { type RawRecord, takeFields } from './schema.ts'

export async function removeRecords(
  context: WriteContext,
  entity: string,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  const isWatched = entity === 'tickets' && records.some(({ version }) => version !== null)
  const now = isWatched ? await readTickets(context, records) : []
  const versions = new Map<string, string>()
  for (const { id, form } of now) versions.set(id, await ticketForms('ticketVersion', form, context.facts))
  const outcomes = new Map<string, RemoveOutcome>()
  await inTurns(records, async (record) => {
    const { key, destinationId, version } = record
    // One that is not among those that were read is missing, which is found out below.
    const isChanged = version !== null && (versions.get(destinationId) ?? version) !== version
    const message = 'People have changed this ticket since it was imported.'
    outcomes.set(key, isChanged ? { key, result: 'kept', message } : await removeRecord(context, entity, record))
  })
  return records.flatMap(({ key }) => outcomes.get(key) ?? [])
}

async function removeRecord(context: WriteContext, entity: string, record: RemovableRecord): Promise<RemoveOutcome> {
  if (entity === 'tickets') return removeTicket(context, record)
  if (entity === 'contacts') return disable(context, `/user/${Number(record.destinationId)}`, record, users)
  if (entity === 'groups') return disable(context, `/queue/${Number(record.destinationId)}`, record, queues)
  return { key: record.key, result: 'kept', message: 'Request Tracker does not let it be removed by itself.' }
}

/** Deleted tickets are found by no search and shown on no page. They are gone, though the database still has them. */
async function removeTicket(context: WriteContext, { key, destinationId }: RemovableRecord): Promise<RemoveOutcome> {
  const path = `/ticket/${Number(destinationId)}`
  const record = await context.api.get(path)
  const { raw } = record ? takeFields('ticket', record) : { raw: null }
  // A ticket that was merged answers as the one that it became part of.
  if (!raw || raw.Status === 'deleted' || readMarker(raw.CustomFields) !== toMarker(key)) {
    return { key, result: 'missing' }
  }
  if (await hasWorkOfPeople(context, raw.id)) {
    return { key, result: 'kept', message: 'People have worked on this ticket since it was imported.' }
  }
  await context.api.remove(path)
  return { key, result: 'removed' }
}

/** Messages without our key, and changes by others than us and the rules of the site. */
async function hasWorkOfPeople({ api }: WriteContext, ticketId: string): Promise<boolean> {
  const fields = ['id', 'Type', 'Creator', 'CustomFields']
  const history = await api.listAll(`/ticket/${ticketId}/history`, { fields })
  const writers = new Set<string>(['RT_System'])
  const entries = history.map((entry) => takeFields('transaction', entry).raw)
  // The author of our messages is our own account.
  for (const { Creator, CustomFields } of entries) {
    if (Creator && readMarker(CustomFields) !== null) writers.add(String(Creator.id))
  }
  return entries.some(({ Type = '', Creator, CustomFields }) => {
    if (['Create', 'Correspond', 'Comment'].includes(Type)) return readMarker(CustomFields) === null
    return Creator !== undefined && Creator !== null && !writers.has(String(Creator.id))
  })
}

interface Rules {
  whyItStays(context: WriteContext, record: RawRecord): Promise<string | null>
  readVersion(context: WriteContext, record: RawRecord): Promise<string>
}

/** Users and queues cannot be deleted. Disabled, nobody sees them; the marker says that they may be used again. */
async function disable(
  context: WriteContext,
  path: string,
  { key, version }: RemovableRecord,
  { whyItStays, readVersion }: Rules,
): Promise<RemoveOutcome> {
  const record = await context.api.get(path)
  const marker = readMarker((record as { CustomFields?: [] } | null)?.CustomFields)
  if (!record || marker !== toMarker(key)) return { key, result: 'missing' }
  if (version !== null && version !== (await readVersion(context, record))) {
    return { key, result: 'kept', message: 'People have changed it since it was imported.' }
  }
  const message = await whyItStays(context, record)
  if (message !== null) return { key, result: 'kept', message }
  await context.api.update(path, { Disabled: 1 })
  await context.api.update(path, { CustomFields: { [markerField]: removedMarker(toMarker(key)) } })
  return { key, result: 'removed' }
}

async function whyQueueStays({ api }: WriteContext, { id }: RawRecord): Promise<string | null> {
  const { total } = await api.list('/tickets', { query: `Queue = ${Number(id)}`, fields: ['id'], perPage: 1 })
  return total === 0 ? null : 'There are tickets in this queue that people made.'
}

async function whyUserStays({ api }: WriteContext, record: RawRecord): Promise<string | null> {
  const { raw } = takeFields('user', record)
  if (Number(raw.Privileged ?? 0) !== 0) return 'This user has become an agent since.'
  const query = `Watcher.id = ${raw.id} OR Owner.id = ${raw.id}`
  const { total } = await api.list('/tickets', { query, fields: ['id'], perPage: 1 })
  if (total !== 0) return 'There are tickets that this person asked for or watches.'
  const groups = await api.list(`/user/${raw.id}/groups`, { fields: ['id'], perPage: 1 })
  return groups.items.length === 0 ? null : 'This person has become a member of a group since.'
}

const users: Rules = {
  whyItStays: whyUserStays,
  readVersion: async ({ facts }, record) => personVersion(takeFields('user', record).raw, facts),
}
const queues: Rules = {
  whyItStays: whyQueueStays,
  readVersion: async ({ api, facts }, record) => (await foundGroup(api, record, facts)).version,
}
