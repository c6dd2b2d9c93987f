import type { WriteLoss } from '../../../warnings/codes.ts'
import type * as contract from '../../contract/contract.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { refused, written } from '../../kit/outcomes.ts'
import { removeEach } from '../../kit/remove.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { changesOf } from '../../kit/whole-form.ts'
import { openBatch, type WriteBatch } from '../../kit/write-batch.ts'
import { markerMissing, requireMarker } from './account-facts.ts'
import { ofSite, withMade } from './custom-fields.ts'
import { moment, take } from './lenses.ts'
import { hasMarker, markerField, markerOf, noteMarker, readOrigin, textMarker, toMarker, withOrigin } from './marker.ts'
import { readBodies, withParts } from './messages.ts'
import { toMoment, toRtMoment, toSecond } from './stored-values.ts'
import {
  besideTicket,
  formOfRaw,
  idsOfPeople,
  statusesAtBirth,
  type TicketForm,
  ticketFields,
  tickets,
  toRequest,
} from './tickets.ts'
import * as post from './write-messages.ts'

type Context = post.WriteContext

export function ticketEntity(context: Context): WrittenEntity {
  const { facts } = context
  const { declared, offer } = ofSite(tickets, facts.fields.tickets, { fields: { description: { isFixed: true } } })
  return {
    // Request Tracker has one date for both "solved" and "closed".
    declared: { ...declared, fields: { ...declared.fields, closed_at: moment('Resolved') } },
    offer,
    write: (records) => writeTickets(context, records),
    find: (sought) => findTickets(context, sought),
    remove: (records) => removeTickets(context, records),
    asStored: (content) => post.runForms('storedOfContent', content, facts),
    lossesOf,
  }
}

interface NewTicket {
  record: contract.OutgoingRecord
  form: TicketForm
  message: post.OutgoingMessage
}

async function writeTickets(context: Context, records: readonly contract.OutgoingRecord[]) {
  const batch = openBatch(records, post.ticketsAtOnce)
  const born: NewTicket[] = []
  await batch.attemptEach(
    records,
    ({ key }) => [key],
    async (record) => {
      const { key, destinationId } = record
      const form = await post.runForms('formOfContent', record, context.facts)
      if (destinationId !== null) return batch.settle(await updateTicket(context, record, destinationId, form))
      const created = await createTicket(context, record, form)
      if ('refused' in created) return batch.settle(refused(key, 'refused', created.refused))
      const message = firstMessage(record, created.id, form)
      const status = String(form.values.Status)
      if (created.status !== status) message.changes = [['Status', status]]
      born.push({ record, form, message })
    },
  )
  // Created tickets get their text even if other tickets failed.
  const keys = born.map(({ record }) => record.key)
  await batch.attempt(keys, () => finishTickets(context, born, batch.settle))
  return batch.outcomes()
}

async function finishTickets(context: Context, born: readonly NewTicket[], settle: WriteBatch['settle']) {
  const { api } = context
  const messages = born.map(({ message }) => message)
  await requireMarkers(context, messages)
  const batch = openBatch(messages, post.ticketsAtOnce)
  const posted = await post.postMessages(context, batch, messages)
  const through = born.filter(({ message }) => posted.has(message.marker))
  const idsOf = (some: readonly NewTicket[]) => some.map(({ message }) => message.ticketId)
  const stored = await post.loadTickets(api, idsOf(through.filter(({ message }) => message.changes)))
  const beside = await readBeside(context, idsOf(through))
  for (const { record, form, message } of through) {
    const { key, ticketId, marker } = message
    const reason = whyNotWhole(message, posted.get(marker), stored.get(ticketId)?.Status)
    if (reason === null) {
      const now = { ...form, beside: beside.get(ticketId) ?? [] }
      settle(await settled(context, key, ticketId, now, lossesOf(record)))
      continue
    }
    // Deletes the incomplete ticket, because nobody could tell it from a complete one.
    await api.remove(`/ticket/${ticketId}`)
    settle(refused(key, 'not_recorded', reason))
  }
  batch.rethrow()
}

/** Deletes a new ticket that lacks our key, because it could not be found again. */
async function requireMarkers({ api }: Context, messages: readonly post.OutgoingMessage[]): Promise<void> {
  const ids = messages.map(({ ticketId }) => ticketId)
  const made = await post.loadTickets(api, ids)
  for (const { ticketId, key } of messages) {
    if (markerOf(made.get(ticketId)) === toMarker(key)) continue
    await api.remove(`/ticket/${ticketId}`)
    throw markerMissing('tickets')
  }
}

/** Request Tracker shows moments before 1970 as never set. */
function lossesOf({ fields, createdAt }: contract.OutgoingRecord): WriteLoss[] {
  const given = [fields.due_at, fields.solved_at, fields.closed_at, createdAt]
  return given.some((at) => typeof at === 'string' && toSecond(at) === null) ? ['moment_not_kept'] : []
}

function whyNotWhole({ changes }: post.OutgoingMessage, text: post.Posted | undefined, status?: string): string | null {
  if (!text || 'refused' in text) return text?.refused ?? 'Request Tracker did not take the text.'
  const wanted = changes?.[0]?.[1]
  return wanted === undefined || wanted === status ? null : `Tickets of this queue cannot have the status "${wanted}".`
}

/** Creates a ticket without a transaction. So no scrip runs, no mail is sent, and the dates stay. */
async function createTicket({ api, facts }: Context, record: contract.OutgoingRecord, form: TicketForm) {
  requireMarker(facts, 'tickets')
  requireMarker(facts, 'comments')
  const { request, links } = toRequest(form.values)
  const { Owner, CustomFields, ...others } = request
  // Request Tracker stores a moment before 1970, but shows it as never set.
  const createdAt = form.createdAt ?? toMoment(record.createdAt)
  const [requester] = form.values.Requestor as string[]
  // The agent who created the ticket, or the requester.
  const creator = Number((record.createdBy ? record.createdBy.userId : requester) ?? Number.NaN)
  const body = {
    ...others,
    ...(Owner === 'Nobody' ? {} : { Owner }),
    ...(createdAt === null ? {} : { Created: toRtMoment(createdAt) }),
    ...(Number.isInteger(creator) ? { Creator: creator } : {}),
    ...links,
    CustomFields: { ...CustomFields, [markerField]: toMarker(record.key) },
    _RecordTransaction: 0,
  }
  let reason = ''
  for (const status of statusesAtBirth(String(form.values.Status))) {
    const created = await api.create('/ticket', { ...body, Status: status })
    if ('id' in created) return { id: created.id, status }
    reason ||= created.refused
  }
  return { refused: reason }
}

function firstMessage(record: contract.OutgoingRecord, ticketId: string, { values }: TicketForm): post.OutgoingMessage {
  const { key, createdBy, createdAt } = record
  const origin = { number: values.OldNumber as string | null, author: createdBy?.name ?? null, at: toMoment(createdAt) }
  const html = withOrigin(origin, String(values.Text))
  return { key, ticketId, marker: textMarker(toMarker(key)), isPublic: true, html }
}

/** Updates an existing ticket, except for its text: Request Tracker cannot change a message. */
async function updateTicket(context: Context, record: contract.OutgoingRecord, id: string, form: TicketForm) {
  const { key } = record
  const read = async () => (await readTickets(context, [record]))[0]
  const before = await read()
  if (!before) return refused(key, 'gone', 'The ticket is no longer there.')
  const messages: post.OutgoingMessage[] = before.hasText ? [] : [firstMessage(record, id, form)]
  const changes = loudChanges(form, before.form)
  if (changes.length > 0) {
    const html = withOrigin({ number: null, author: 'Changed by the import', at: null }, '')
    messages.push({ key, ticketId: id, marker: noteMarker(toMarker(key)), isPublic: false, html, changes })
  }
  let now = before
  if (messages.length > 0) {
    const batch = openBatch([record])
    await post.postMessages(context, batch, messages)
    batch.rethrow()
    now = (await read()) ?? before
  }
  const request = quietChanges(form, now.form, context)
  if (Object.keys(request).length > 0) await context.api.update(`/ticket/${id}`, request)
  const beside = (await readBeside(context, [id])).get(id) ?? []
  return settled(context, key, id, { ...form, beside })
}

/** Changes for which Request Tracker would send mails. They are made with a note, whose form suppresses mails. */
function loudChanges({ values }: TicketForm, { values: now }: TicketForm): [string, string][] {
  const changes: [string, string][] = []
  if (values.Status !== now.Status) changes.push(['Status', String(values.Status)])
  if (values.Owner !== now.Owner && values.Owner !== 'Nobody') {
    changes.push(['Owner', String(values.Owner)], ['ForceOwnerChange', '1'])
  }
  return changes
}

/** Changes that send no mail. Links are only added, so that links that people made stay. */
function quietChanges(form: TicketForm, now: TicketForm, { facts }: Context): Record<string, unknown> {
  const changed = changesOf(withMade(tickets, facts.fields.tickets), form.values, now.values)
  const { Status: _status, Owner: _owner, CustomFields, ...quiet } = toRequest(changed).request
  const [wanted, known] = [toRequest(form.values).links, toRequest(now.values).links]
  const links = Object.entries(wanted).flatMap(([name, ids]) => {
    const added = ids.filter((id) => !known[name as keyof typeof known].includes(id))
    return added.length > 0 ? [[`Add${name}`, added]] : []
  })
  const hasCustom = Object.keys(CustomFields).length > 0
  return { ...quiet, ...Object.fromEntries(links), ...(hasCustom ? { CustomFields } : {}) }
}

async function settled(context: Context, key: string, id: string, form: TicketForm, losses: WriteLoss[] = []) {
  const version = await post.runForms('ticketVersion', form, context.facts)
  return written(key, id, { url: post.ticketUrl(context, id), version }, losses)
}

const besideFields = 'SLA,FinalPriority,CustomRoles'
const idsOfRoles = { ...idsOfPeople, CustomRoles: 'id' }

/**
 * Finds tickets by our key, or by id if people removed the key. The search never returns deleted tickets. `hasText` is
 * false if the write stopped before the first message.
 */
export function readTickets({ api, facts }: Context, sought: readonly Omit<contract.SoughtRecord, 'parent'>[]) {
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
    const transactions = await post.findTransactions(api, [...new Set(matching.map(({ text }) => text))])
    const bodies = await readBodies(api, await withParts(api, transactions))
    return matching.map(({ raw, key, text }) => {
      const first = transactions.find((one) => one.marker === text && String(one.ObjectId) === raw.id)
      const origin = first ? readOrigin(bodies.get(first.id)?.body ?? '') : null
      return { key, id: raw.id, form: formOfRaw(raw, origin, facts), hasText: origin !== null }
    })
  })
}

export async function findTickets(context: Context, sought: readonly contract.SoughtRecord[]) {
  return sideBySide(await readTickets(context, sought), 1, async ({ key, id, form }) => {
    const content = await post.runForms('foundTicket', form, context.facts)
    return { ...content, key, destinationId: id, url: post.ticketUrl(context, id) }
  })
}

/** Values of tickets that we never write, by ticket id (see `besideTicket`). */
export async function readBeside({ api }: Context, ids: readonly string[]): Promise<Map<string, string[]>> {
  const fields = `id,Requestor,Cc,AdminCc,${besideFields}`
  const listed = await api.listByIds('/tickets', ids, { fields, expand: idsOfRoles })
  return new Map(listed.map((item) => [String(item.id), besideTicket(take('ticket', item))]))
}

export async function removeTickets(context: Context, records: readonly contract.RemovableRecord[]) {
  const { api, facts } = context
  const isWatched = records.some(({ version }) => version !== null)
  const versions = new Map<string, string>()
  for (const { id, form } of isWatched ? await readTickets(context, records) : []) {
    versions.set(id, await post.runForms('ticketVersion', form, facts))
  }
  const remove = async ({ key, destinationId, version }: contract.RemovableRecord) => {
    // A ticket that was not found counts as unchanged here, and as missing below.
    const isChanged = version !== null && (versions.get(destinationId) ?? version) !== version
    if (isChanged) return 'People have changed this ticket since it was imported.'
    const path = `/ticket/${Number(destinationId)}`
    const raw = await api.one('ticket', path)
    // A merged ticket's id returns the ticket that it was merged into.
    if (!raw || raw.Status === 'deleted' || markerOf(raw) !== toMarker(key)) return null
    if (await hasWorkOfPeople(context, raw.id)) return 'People have worked on this ticket since it was imported.'
    // Searches and pages no longer show a deleted ticket, so it counts as removed, although the database keeps it.
    return api.remove(path)
  }
  return removeEach(records, remove, post.ticketsAtOnce)
}

/** Messages with our key, and changes by us or the site's rules, are no work of people. */
async function hasWorkOfPeople({ api }: Context, ticketId: string): Promise<boolean> {
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
