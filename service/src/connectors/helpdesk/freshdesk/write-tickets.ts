import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  FoundRecord,
  OutgoingContent,
  OutgoingRecord,
  SentRelation,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { withoutLinks } from '../../kit/compared-texts.ts'
import { safeFileName } from '../../kit/files.ts'
import { findParts } from '../../kit/found-parts.ts'
import { type Key, markerKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { nowPrivate, written } from '../../kit/outcomes.ts'
import { removeEach } from '../../kit/remove.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { accepted, label, largestPage, present, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { externalOf } from './find-contacts.ts'
import { markIn, markOf, mostTags, tagsOf, withOrigin } from './lenses.ts'
import { beginning } from './list-tickets.ts'
import { forgetNotes, notesOf } from './notes.ts'
import { storedCustom } from './own-fields.ts'
import { messagesNow, openFiles, placeOf, rootOf } from './write-files.ts'
import { sendWithout, type WriteContext } from './write-people.ts'

// Tickets and their messages. Every message becomes a note, because Freshdesk would mail replies to customers.

const urlOf = ({ api }: WriteContext, ticketId: unknown) => `${api.site}/a/tickets/${ticketId}`
const noteKind = 'requester_of_ticket'

const dispensable: Readonly<Record<string, WriteLoss>> = {
  responder_id: 'assignee_refused',
  group_id: 'relation_refused',
  company_id: 'relation_refused',
  parent_id: 'parent_refused',
  status: 'status_refused',
}

export function ticketEntities(context: WriteContext): Record<'tickets' | 'comments' | 'attachments', WrittenEntity> {
  const { api } = context
  const withParent = { removal: 'with parent' as const }
  return {
    tickets: {
      declared: context.tickets,
      offer: { customFields: 'any', sendsMail: true, hidesLinks: true },
      write: (records) => writeEach(records, (record) => writeTicket(context, record)),
      async look(sought) {
        await forgetNotes(context, noteKind, sought)
        return {
          byIds: async (ids) =>
            (await api.viewEach('/tickets', ids)).filter(({ deleted, spam }) => deleted !== true && spam !== true),
          key: ticketKey(context),
          toFound: (raw) => foundTicket(context, raw),
          // Moves the ticket to the trash, where people can restore it.
          remove: (id) => api.http.send('DELETE', `/tickets/${encodeURIComponent(id)}`),
        }
      },
      asStored: (content) => ({
        ...asStored(context.tickets, content),
        customFields: storedCustom('tickets', content.customFields),
      }),
      async lossesOf(record) {
        const { hasLost } = await context.fields.toBody('tickets', record.customFields, record.destinationId !== null)
        return ticketLosses(record, hasLost)
      },
    },
    comments: {
      declared: desk.comments,
      offer: {
        required: ['ticket'],
        ...withParent,
        sendsMail: true,
        hidesLinks: true,
        // New tickets have a limit of their own, which is a part of the account's.
        besideParents: true,
        capabilities: { lane: 'ticket' },
      },
      write: (records) => writeEach(records, (record) => writeComment(context, record)),
      find: (sought) => findComments(context, sought),
      // A note that arrived twice.
      remove: (records) =>
        removeEach(records, ({ destinationId }) =>
          api.http.send('DELETE', `/conversations/${encodeURIComponent(destinationId.split('-')[1] ?? '')}`),
        ),
      asStored: (content) => storedComment(context.me, content),
      lossesOf: (record) => thatHold([authorOf(record) === null, 'author_not_kept']),
    },
    attachments: {
      declared: desk.attachments,
      offer: {
        ...{ required: ['parent', 'file_name'], ...withParent, isUnchangeable: true },
        capabilities: { silentCreate: true, lane: 'parent', laneIdEnds: '-' },
      },
      ...openFiles(context),
      asStored: storedFile,
    },
  }
}

/** Notes the ticket's requester in the ledger before sending: `ticketKey` searches the requester's tickets. */
async function writeTicket(context: WriteContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api, fields, sides, me } = context
  const { key, destinationId } = record
  const isNew = destinationId === null
  // A change clears the values that the source has lost since.
  const plain = writeRecord(context.tickets, record, { isWhole: !isNew })
  const custom = await fields.toBody('tickets', record.customFields, !isNew)
  const text = { description: withOrigin(record, plain.description) }
  const requester = Number(plain.requester_id ?? me)
  const whose = isNew || plain.requester_id !== undefined ? { requester_id: requester } : {}
  const body = { ...plain, ...text, ...whose, ...custom.body }
  if (isNew) {
    await sides.note({ kind: noteKind, mark: externalOf(key), destinationId: String(requester), version: null })
  }
  const { sent, losses } = await sendWithout(
    // Freshdesk requires a subject, a status and a priority for a new ticket.
    isNew ? { subject: desk.noSubject, status: 2, priority: 1, ...body } : body,
    dispensable,
    (json) =>
      isNew ? api.http.send('POST', '/tickets', { json }) : api.http.send('PUT', `/tickets/${destinationId}`, { json }),
  )
  const answer = api.one(accepted(sent), 'ticket')
  const parent = losses.includes('parent_refused') ? undefined : plain.parent_id
  const isWhole = isNew && (parent === undefined || isChildOf(answer, parent))
  const raw = isWhole ? answer : ((await api.view('/tickets', answer.id)) ?? answer)
  if (parent !== undefined && !isChildOf(raw, parent)) losses.push('parent_refused')
  const said = isNew ? [] : await messagesNow(context, String(raw.id))
  losses.push(...ticketLosses(record, custom.hasLost))
  return written(key, raw.id, await foundTicket(context, raw, said), losses)
}

/** Losses that follow from the content alone. Freshdesk requires a requester. */
const ticketLosses = ({ fields, destinationId }: OutgoingRecord, hasLost: boolean): WriteLoss[] =>
  thatHold(
    [hasLost, 'custom_value_refused'],
    [destinationId === null && !fields.requester, 'author_replaced'],
    [tagsOf(fields.tags).length > mostTags, 'tags_left_out'],
  )

const parentIn = ({ association_type: kind, associated_tickets_list: list }: RawRecord): unknown =>
  kind === 2 ? ([list ?? []].flat()[0] ?? null) : null
const isChildOf = (raw: RawRecord, parent: unknown) => String(parentIn(raw)) === String(parent)

/** The version includes the number of messages that others wrote. Messages that we add later do not change it. */
async function foundTicket(context: WriteContext, ticket: RawRecord, said?: readonly RawRecord[]) {
  const messages = said ?? (await messagesNow(context, String(ticket.id)))
  const blank = { type: null, responder_id: null, group_id: null, company_id: null, tags: [], description: null }
  const raw = { ...blank, ...ticket, parent_id: parentIn(ticket) }
  const customFields = await context.fields.stored('tickets', ticket)
  const content = { ...toStored(label, context.tickets, raw), customFields }
  const others = messages.filter(({ body }) => markIn(body) === null).length
  const words = { ...content.fields, description: withoutLinks(content.fields.description) }
  const version = versionOf(words, customFields, others)
  return { ...content, version, url: urlOf(context, ticket.id), marker: markIn(ticket.description) }
}

/**
 * Finds tickets in the list of the requester's tickets, because the search is minutes behind. The ledger notes the
 * requester. A ticket without a note was never sent.
 */
const ticketKey = (context: WriteContext): Key => {
  const { api } = context
  return markerKey(
    markOf,
    async (sought) => {
      const noted = await notesOf(context, noteKind, sought)
      const requesters = [...new Set(noted.flatMap(({ destinationId }) => destinationId ?? []))]
      const lists = await sideBySide(requesters, requestsAtOnce, (id) =>
        api.all('/tickets', {
          ...{ requester_id: id, updated_since: beginning, order_by: 'created_at', order_type: 'desc' },
          include: 'description',
        }),
      )
      const found = lists.flat().filter(({ description }) => markIn(description) !== null)
      // The list omits tags and related tickets, so each ticket is requested by id.
      const wanted = new Set(sought.map(({ key }) => markOf(key)))
      const own = found.filter(({ description }) => wanted.has(String(markIn(description))))
      return api.viewEach(
        '/tickets',
        own.map(({ id }) => id),
      )
    },
    largestPage,
  )
}

const authorOf = ({ fields }: Pick<OutgoingContent, 'fields'>): { id: string; isContact: boolean } | null => {
  if (typeof fields.author_agent === 'string') return { id: fields.author_agent, isContact: false }
  const contact = fields.author_contact as SentRelation | undefined
  return contact ? { id: contact.destinationId, isContact: true } : null
}

/** The line of a note names its author, where Freshdesk shows another one. A contact may be refused as author. */
async function textBy(context: WriteContext, record: OutgoingRecord, body: unknown, isShown: boolean): Promise<string> {
  const author = authorOf(record)
  const contact = author?.isContact && !isShown ? await context.api.view('/contacts', author.id) : null
  const email = typeof contact?.email === 'string' ? contact.email : null
  const createdBy = contact ? { name: String(contact.name ?? ''), email, userId: null } : record.createdBy
  return withOrigin({ ...record, createdBy }, body)
}

async function writeComment(context: WriteContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api } = context
  const { key, destinationId, fields } = record
  const { body, private: isPrivate } = writeRecord(desk.comments, record, { isWhole: true })
  const author = authorOf(record)
  if (destinationId !== null) {
    const [ticketId = '', id] = destinationId.split('-')
    const isAsked = isPrivate !== false || author?.isContact === true
    const now = isAsked ? await messageNow(context, ticketId, id) : null
    // No request makes a note private.
    if (isPrivate !== false && now?.private === false) throw nowPrivate(label)
    const text = await textBy(context, record, body, String(now?.user_id) === author?.id)
    accepted(await api.http.send('PUT', `/conversations/${id}`, { json: { body: text } }))
    return writtenIn(context, key, `${ticketId}-${id}`)
  }
  const ticketId = String((fields.ticket as SentRelation | undefined)?.destinationId ?? '')
  // Notes are private unless the record says otherwise.
  const note = {
    ...{ body: await textBy(context, record, body, true), private: isPrivate !== false },
    ...(author && { user_id: Number(author.id), incoming: author.isContact }),
  }
  const { sent, losses } = await sendWithout(note, { user_id: 'author_not_kept' }, async (left) => {
    const isShown = left.user_id !== undefined
    const json = isShown ? left : { ...left, body: await textBy(context, record, body, false) }
    return api.http.send('POST', `/tickets/${ticketId}/notes`, { json })
  })
  const made = api.one(accepted(sent), 'note')
  // A note without an author appears under the name of the key's owner.
  return writtenIn(context, key, `${ticketId}-${made.id}`, author ? losses : [...losses, 'author_not_kept'])
}

async function messageNow(context: WriteContext, ticketId: string, id: string | undefined): Promise<RawRecord> {
  return present((await messagesNow(context, ticketId)).find((message) => String(message.id) === id))
}

/** The outcome of a message or file in a ticket. */
const writtenIn = (context: WriteContext, key: string, id: string, losses: WriteLoss[] = []) =>
  written(key, id, { url: urlOf(context, id.split('-')[0]), version: null }, losses)

function storedComment(me: string, content: OutgoingContent) {
  const stored = asStored(desk.comments, content)
  const { author_contact: _contact, ...fields } = stored.fields
  return { ...stored, fields: { ...fields, author_agent: authorOf(content)?.id ?? me } }
}

function storedFile({ fields }: OutgoingContent) {
  const parent = fields.parent as SentRelation | undefined
  const content = { parent: parent ? rootOf(placeOf(parent)) : null, file_name: safeFileName(fields.file_name) }
  return { fields: content, customFields: {}, createdAt: null, updatedAt: null }
}

/** Finds notes by id, or by our origin line in the ticket's messages. */
async function findComments(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  return findParts(sought, requestsAtOnce, async (ticketId, some) => {
    const messages = await messagesNow(context, ticketId)
    return some.flatMap(({ key, destinationId }) =>
      messages
        .filter(({ id, body }) =>
          destinationId === null ? markIn(body) === markOf(key) : String(id) === destinationId.split('-')[1],
        )
        .map((message) => {
          const raw = { ...message, ticket_id: ticketId, author_agent: message.user_id ?? null, author_contact: null }
          const { author_contact: _none, ...fields } = toStored(label, desk.comments, raw).fields
          const place = { destinationId: `${ticketId}-${message.id}`, url: urlOf(context, ticketId) }
          return { key, ...place, fields, customFields: {}, createdAt: null, updatedAt: null, version: null }
        }),
    )
  })
}
