import type { RemovableRecord, RemoveOutcome } from '../../contract/contract.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { kinds, type MarkedEntity, markerOf, readTickets } from './find.ts'
import { ticketForms } from './long-forms.ts'
import { markerField, readMarker, removedMarker, toMarker } from './marker.ts'
import { ticketsAtOnce, type WriteContext } from './post-messages.ts'
import { take } from './schema.ts'

export async function removeRecords(
  context: WriteContext,
  entity: string,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  const isWatched = entity === 'tickets' && records.some(({ version }) => version !== null)
  const versions = new Map<string, string>()
  for (const { id, form } of isWatched ? await readTickets(context, records) : []) {
    versions.set(id, await ticketForms('ticketVersion', form, context.facts))
  }
  const remove = async (record: RemovableRecord): Promise<RemoveOutcome> => {
    const { key, destinationId, version } = record
    if (entity === 'contacts' || entity === 'groups') return disable(context, entity, record)
    if (entity !== 'tickets') return kept(key, 'Request Tracker does not let it be removed by itself.')
    // A ticket that was not found counts as unchanged here; `removeTicket` reports it as missing.
    const isChanged = version !== null && (versions.get(destinationId) ?? version) !== version
    return isChanged
      ? kept(key, 'People have changed this ticket since it was imported.')
      : removeTicket(context, key, `/ticket/${Number(destinationId)}`)
  }
  return sideBySide(records, ticketsAtOnce, remove)
}

const kept = (key: string, message: string): RemoveOutcome => ({ key, result: 'kept', message })

/** Deletes a ticket. Searches and pages no longer show it, so it counts as removed, although the database keeps it. */
async function removeTicket(context: WriteContext, key: string, path: string): Promise<RemoveOutcome> {
  const record = await context.api.get(path)
  const raw = record && take('ticket', record)
  // A merged ticket's id returns the ticket that it was merged into.
  if (!raw || raw.Status === 'deleted' || markerOf(record) !== toMarker(key)) return { key, result: 'missing' }
  if (await hasWorkOfPeople(context, raw.id)) {
    return kept(key, 'People have worked on this ticket since it was imported.')
  }
  await context.api.remove(path)
  return { key, result: 'removed' }
}

/**
 * Whether people wrote messages or made changes. Messages with our key, and changes by us or the site's rules, do not
 * count.
 */
async function hasWorkOfPeople({ api }: WriteContext, ticketId: string): Promise<boolean> {
  const history = await api.listAll(`/ticket/${ticketId}/history`, { fields: 'id,Type,Creator,CustomFields' })
  const entries = history.map((entry) => take('transaction', entry))
  const isOurs = (entry: (typeof entries)[number]) => readMarker(entry.CustomFields) !== null
  // Our messages have our account as author.
  const writers = new Set(['RT_System', ...entries.filter(isOurs).map(({ Creator }) => String(Creator?.id))])
  return entries.some((entry) => {
    if (['Create', 'Correspond', 'Comment'].includes(entry.Type ?? '')) return !isOurs(entry)
    return entry.Creator !== undefined && entry.Creator !== null && !writers.has(String(entry.Creator.id))
  })
}

/** Users and queues cannot be deleted. A disabled record is hidden, and its marker allows us to use it again. */
async function disable(context: WriteContext, entity: MarkedEntity, sent: RemovableRecord): Promise<RemoveOutcome> {
  const { api } = context
  const { key, version } = sent
  const { path, read } = kinds[entity]
  const place = `${path}/${Number(sent.destinationId)}`
  const record = await api.get(place)
  if (!record || markerOf(record) !== toMarker(key)) return { key, result: 'missing' }
  if (version !== null && version !== (await read(context, record)).version) {
    return kept(key, 'People have changed it since it was imported.')
  }
  const message = await whyItStays[entity](context, record)
  if (message !== null) return kept(key, message)
  await api.update(place, { Disabled: 1 })
  await api.update(place, { CustomFields: { [markerField]: removedMarker(toMarker(key)) } })
  return { key, result: 'removed' }
}

const whyItStays: Record<MarkedEntity, (context: WriteContext, record: RawRecord) => Promise<string | null>> = {
  async groups({ api }, { id }) {
    const total = await api.count('/tickets', `Queue = ${Number(id)}`)
    return total === 0 ? null : 'There are tickets in this queue that people made.'
  },
  async contacts({ api }, record) {
    const { id, Privileged = 0 } = take('user', record)
    if (Number(Privileged) !== 0) return 'This user has become an agent since.'
    const total = await api.count('/tickets', `Watcher.id = ${id} OR Owner.id = ${id}`)
    if (total !== 0) return 'This person requested or watches tickets.'
    const groups = await api.list(`/user/${id}/groups`, { fields: 'id', perPage: 1 })
    return groups.items.length === 0 ? null : 'This person has become a member of a group since.'
  },
}
