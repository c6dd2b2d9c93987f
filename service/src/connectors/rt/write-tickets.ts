import type { WriteLoss } from '../../warnings/codes.ts'
import type { OutgoingRecord, WriteOutcome } from '../contract.ts'
import { requireMarker } from './account-facts.ts'
import { customRequest } from './custom-texts.ts'
import { readBeside, readTickets } from './find-tickets.ts'
import { ticketForms } from './long-forms.ts'
import { markerField, noteMarker, textMarker, toMarker } from './marker.ts'
import { withOrigin } from './origin-line.ts'
import {
  inTurns,
  type OutgoingMessage,
  type Posted,
  postMessages,
  readStatuses,
  requireMarkers,
  type WriteContext,
} from './post-messages.ts'
import { statusesAtBirth } from './standard-options.ts'
import { toRtMoment, toSecond } from './stored-values.ts'
import { type TicketForm, toRequest } from './ticket-form.ts'

export async function writeTickets(context: WriteContext, records: readonly OutgoingRecord[]): Promise<WriteOutcome[]> {
  const outcomes = new Map<string, WriteOutcome>()
  const texts: { key: string; form: TicketForm; message: OutgoingMessage }[] = []
  await inTurns(records, async (record) => {
    const form = await ticketForms('formOfContent', record, context.facts)
    if (record.destinationId !== null) {
      outcomes.set(record.key, await updateTicket(context, record, record.destinationId, form))
      return
    }
    const created = await createTicket(context, record, form)
    if ('refused' in created) {
      outcomes.set(record.key, { key: record.key, result: 'refused', code: 'refused', message: created.refused })
      return
    }
    const changes = created.status === form.status ? undefined : [['Status', form.status] as const]
    texts.push({
      key: record.key,
      form,
      message: { ...firstMessage(record, created.id, form), ...(changes && { changes }) },
    })
  })
  await requireMarkers(context.api, new Map(texts.map(({ key, message }) => [message.ticketId, toMarker(key)])))
  const posted = await postMessages(
    context,
    texts.map(({ message }) => message),
  )
  const moved = texts.flatMap(({ message }) => (message.changes ? [message.ticketId] : []))
  const statuses = await readStatuses(context.api, moved)
  const beside = await readBeside(
    context,
    texts.map(({ message }) => message.ticketId),
  )
  for (const { key, form, message } of texts) {
    const reason = whyNotWhole(message, posted.get(message.marker), statuses.get(message.ticketId))
    // What is not whole would pass for it.
    if (reason !== null) await context.api.remove(`/ticket/${message.ticketId}`)
    outcomes.set(
      key,
      reason === null
        ? {
            ...(await written(context, key, message.ticketId, form, beside)),
            ...lossesOf(records.find((record) => record.key === key)),
          }
        : { key, result: 'refused', code: 'not_recorded', message: reason },
    )
  }
  return records.map(({ key }) => outcomes.get(key) as WriteOutcome)
}

/** Moments before 1970 would be shown as never set. */
function lossesOf(record: OutgoingRecord | undefined): { losses?: WriteLoss[] } {
  const given = [record?.fields.due_at, record?.fields.solved_at, record?.fields.closed_at, record?.createdAt]
  const isLost = given.some((moment) => typeof moment === 'string' && toSecond(moment) === null)
  return isLost ? { losses: ['moment_not_kept'] } : {}
}

function whyNotWhole(
  { changes }: OutgoingMessage,
  text: Posted | undefined,
  status: string | undefined,
): string | null {
  if (!text || 'refused' in text) return text?.refused ?? 'Request Tracker did not take the text.'
  const wanted = changes?.[0]?.[1]
  return wanted === undefined || wanted === status ? null : `Tickets of this queue cannot have the status "${wanted}".`
}

/** Without a transaction: that way no rule of the site runs, so that no mail leaves, and dates are kept. */
async function createTicket({ api, facts }: WriteContext, record: OutgoingRecord, form: TicketForm) {
  requireMarker(facts, 'tickets')
  requireMarker(facts, 'comments')
  const { Owner, ...request } = toRequest(form)
  const body = {
    ...request,
    ...(form.assignee === null ? {} : { Owner }),
    ...(form.createdAt === null ? oldMoment(record.createdAt) : { Created: toRtMoment(form.createdAt) }),
    ...creatorOf(record, form),
    MemberOf: form.parent === null ? [] : [form.parent],
    DependsOn: form.dependsOn,
    RefersTo: [...form.linked, ...form.urls],
    CustomFields: { ...customRequest(facts.fields.tickets, form.custom), [markerField]: toMarker(record.key) },
    _RecordTransaction: 0,
  }
  let reason = ''
  for (const status of statusesAtBirth(form.status)) {
    const created = await api.create('/ticket', { ...body, Status: status })
    if ('id' in created) return { id: created.id, status }
    reason ||= created.refused
  }
  return { refused: reason }
}

/** What is before 1970 is kept, and yet shown as never set. */
function oldMoment(createdAt: string | null): { Created?: string } {
  const ms = createdAt === null ? Number.NaN : Date.parse(createdAt)
  return Number.isNaN(ms) ? {} : { Created: toRtMoment(new Date(ms).toISOString()) }
}

/** The agent who made it, or the customer who asked. */
function creatorOf({ createdBy }: OutgoingRecord, { requester }: TicketForm): { Creator?: number } {
  const id = Number(createdBy ? (createdBy.userId ?? Number.NaN) : (requester ?? Number.NaN))
  return Number.isInteger(id) ? { Creator: id } : {}
}

function firstMessage(record: OutgoingRecord, ticketId: string, form: TicketForm): OutgoingMessage {
  const { createdBy, createdAt } = record
  const at = createdAt === null || Number.isNaN(Date.parse(createdAt)) ? null : new Date(createdAt).toISOString()
  return {
    ticketId,
    marker: textMarker(toMarker(record.key)),
    isPublic: true,
    html: withOrigin({ number: form.number, author: createdBy?.name ?? null, at }, form.description),
  }
}

/** A ticket that is there becomes what is sent, except for its text, which Request Tracker never changes. */
async function updateTicket(
  context: WriteContext,
  record: OutgoingRecord,
  id: string,
  form: TicketForm,
): Promise<WriteOutcome> {
  const { key } = record
  const marker = toMarker(key)
  const before = (await readTickets(context, [{ key, destinationId: id, parent: null }]))[0]
  if (!before) return { key, result: 'refused', code: 'gone', message: 'The ticket is not there any more.' }
  const messages: OutgoingMessage[] = before.hasText ? [] : [firstMessage(record, id, form)]
  const changes = loudChanges(form, before.form)
  if (changes.length > 0) {
    const html = withOrigin({ number: null, author: 'Changed by the import', at: null }, '')
    messages.push({ ticketId: id, marker: noteMarker(marker), isPublic: false, html, changes })
  }
  if (messages.length > 0) await postMessages(context, messages)
  const now = messages.length > 0 ? (await readTickets(context, [{ key, destinationId: id, parent: null }]))[0] : before
  const request = quietChanges(form, now?.form ?? before.form, context)
  if (Object.keys(request).length > 0) await context.api.update(`/ticket/${id}`, request)
  return written(context, key, id, form, await readBeside(context, [id]))
}

/** What makes Request Tracker write to people; it goes with a note that tells it not to. */
function loudChanges(form: TicketForm, now: TicketForm): [string, string][] {
  const changes: [string, string][] = []
  if (form.status !== now.status) changes.push(['Status', form.status])
  if (form.assignee !== now.assignee && form.assignee !== null) {
    changes.push(['Owner', form.assignee], ['ForceOwnerChange', '1'])
  }
  return changes
}

/** Links are only added: those that people made since stay. */
function quietChanges(form: TicketForm, now: TicketForm, { facts }: WriteContext): Record<string, unknown> {
  const { Status: _status, Owner: _owner, ...wanted } = toRequest(form)
  const current: Record<string, unknown> = toRequest(now)
  const differs = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b)
  const added = (ids: readonly string[], known: readonly string[]) => ids.filter((id) => !known.includes(id))
  const links = {
    AddMemberOf: form.parent !== null && form.parent !== now.parent ? [form.parent] : [],
    AddDependsOn: added(form.dependsOn, now.dependsOn),
    AddRefersTo: [...added(form.linked, now.linked), ...added(form.urls, now.urls)],
  }
  const custom = customRequest(facts.fields.tickets, form.custom)
  const customNow = customRequest(facts.fields.tickets, now.custom)
  const changedCustom = Object.entries(custom).filter(([name, value]) => differs(value, customNow[name]))
  return {
    ...Object.fromEntries(Object.entries(wanted).filter(([name, value]) => differs(value, current[name]))),
    ...Object.fromEntries(Object.entries(links).filter(([, ids]) => ids.length > 0)),
    ...(changedCustom.length > 0 ? { CustomFields: Object.fromEntries(changedCustom) } : {}),
  }
}

async function written(
  { api, facts }: WriteContext,
  key: string,
  id: string,
  form: TicketForm,
  beside: ReadonlyMap<string, string[]>,
): Promise<WriteOutcome> {
  const url = `${api.base}/Ticket/Display.html?id=${id}`
  const version = await ticketForms('ticketVersion', { ...form, beside: beside.get(id) ?? [] }, facts)
  return { key, result: 'written', destinationId: id, url, version }
}
