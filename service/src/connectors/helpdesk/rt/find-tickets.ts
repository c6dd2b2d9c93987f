import type { FoundRecord, RemovableRecord, RemoveOutcome, SoughtRecord } from '../../contract/contract.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { formOfRaw } from './forms.ts'
import { idsOfPeople, ticketFields } from './lists.ts'
import { hasMarker, markerOf, textMarker, toMarker } from './marker.ts'
import { readBodies, withParts } from './messages.ts'
import { readOrigin } from './origin-line.ts'
import { findTransactions, ticketsAtOnce, ticketUrl, type WriteContext } from './post-messages.ts'
import { runForms } from './run-forms.ts'
import { take } from './schema.ts'
import { besideTicket } from './tickets.ts'

const besideFields = 'SLA,FinalPriority,CustomRoles'
const idsOfRoles = { ...idsOfPeople, CustomRoles: 'id' }

/**
 * Finds tickets by our key, or by id if people removed the key. The search never returns deleted tickets. `hasText` is
 * false if the write stopped before the first message.
 */
export function readTickets({ api, facts }: WriteContext, sought: readonly Omit<SoughtRecord, 'parent'>[]) {
  return inChunks(sought, 20, async (some) => {
    const keys = new Map(some.map(({ key }) => [toMarker(key), key]))
    const ids = new Map(some.flatMap(({ destinationId: id, key }) => (id === null ? [] : [[id, key] as const])))
    const byId = [...ids.keys()].map((id) => `id = ${Number(id)}`)
    const query = [hasMarker([...keys.keys()]), ...byId].join(' OR ')
    const fields = `${ticketFields},${besideFields}`
    const matching = (await api.all('ticket', '/tickets', { query, fields, expand: idsOfRoles })).flatMap((raw) => {
      const marker = markerOf(raw)
      const key = marker === null ? ids.get(raw.id) : keys.get(marker)
      return key === undefined ? [] : [{ raw, key, text: textMarker(toMarker(key)) }]
    })
    const transactions = await findTransactions(api, [...new Set(matching.map(({ text }) => text))])
    const bodies = await readBodies(api, await withParts(api, transactions))
    return matching.map(({ raw, key, text }) => {
      const first = transactions.find((one) => one.marker === text && String(one.ObjectId) === raw.id)
      const origin = first ? readOrigin(bodies.get(first.id)?.body ?? '') : null
      return { key, id: raw.id, form: formOfRaw(raw, origin, facts), hasText: origin !== null }
    })
  })
}

export async function findTickets(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  for (const { key, id, form } of await readTickets(context, sought)) {
    const content = await runForms('foundTicket', form, context.facts)
    found.push({ ...content, key, destinationId: id, url: ticketUrl(context, id) })
  }
  return found
}

/** Values of tickets that we never write, by ticket id (see `besideTicket`). */
export async function readBeside({ api }: WriteContext, ids: readonly string[]): Promise<Map<string, string[]>> {
  const fields = `id,Requestor,Cc,AdminCc,${besideFields}`
  const listed = await api.listByIds('/tickets', ids, { fields, expand: idsOfRoles })
  return new Map(listed.map((item) => [String(item.id), besideTicket(take('ticket', item))]))
}

export async function removeTickets(
  context: WriteContext,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  const { api, facts } = context
  const isWatched = records.some(({ version }) => version !== null)
  const versions = new Map<string, string>()
  for (const { id, form } of isWatched ? await readTickets(context, records) : []) {
    versions.set(id, await runForms('ticketVersion', form, facts))
  }
  return sideBySide(records, ticketsAtOnce, async ({ key, destinationId, version }): Promise<RemoveOutcome> => {
    const kept = (message: string) => ({ key, result: 'kept' as const, message })
    // A ticket that was not found counts as unchanged here, and as missing below.
    const isChanged = version !== null && (versions.get(destinationId) ?? version) !== version
    if (isChanged) return kept('People have changed this ticket since it was imported.')
    const path = `/ticket/${Number(destinationId)}`
    const raw = await api.one('ticket', path)
    // A merged ticket's id returns the ticket that it was merged into.
    if (!raw || raw.Status === 'deleted' || markerOf(raw) !== toMarker(key)) return { key, result: 'missing' }
    if (await hasWorkOfPeople(context, raw.id)) return kept('People have worked on this ticket since it was imported.')
    // Searches and pages no longer show a deleted ticket, so it counts as removed, although the database keeps it.
    await api.remove(path)
    return { key, result: 'removed' }
  })
}

/**
 * Whether people wrote messages or made changes. Messages with our key, and changes by us or the site's rules, do not
 * count.
 */
async function hasWorkOfPeople({ api }: WriteContext, ticketId: string): Promise<boolean> {
  const fields = 'id,Type,Creator,CustomFields'
  const entries = await api.all('transaction', `/ticket/${ticketId}/history`, { fields })
  const ours = entries.filter((entry) => markerOf(entry) !== null)
  // Our messages have our account as author.
  const writers = new Set(['RT_System', ...ours.map(({ Creator }) => String(Creator?.id))])
  return entries.some((entry) => {
    if (['Create', 'Correspond', 'Comment'].includes(entry.Type ?? '')) return !ours.includes(entry)
    return entry.Creator !== undefined && entry.Creator !== null && !writers.has(String(entry.Creator.id))
  })
}
