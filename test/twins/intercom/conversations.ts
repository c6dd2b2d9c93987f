import { Type } from 'typebox'
import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  type Conversation,
  closed,
  fail,
  idShape,
  invalid,
  notFound,
  nullable,
  optional,
} from './account.ts'
import { checkCustom } from './attributes.ts'
import { missingCompany } from './companies.ts'
import { findContact } from './contacts.ts'
import { askedInQuery, askedSize, cursorPages, numberedPages } from './paging.ts'
import { addReply, addStep, adminAuthor, contactAuthor, momentOf, presentPart, replyShapes } from './parts.ts'
import { searcher, searchShape } from './search.ts'
import { conversationFields, presentConversation } from './show-conversation.ts'
import { paragraphs } from './texts.ts'

const manageShape = Type.Union([
  closed({
    message_type: Type.Literal('close'),
    type: Type.Literal('admin'),
    admin_id: idShape,
    body: optional(Type.String()),
  }),
  closed({ message_type: Type.Literal('snoozed'), admin_id: idShape, snoozed_until: Type.Integer() }),
  closed({ message_type: Type.Literal('open'), admin_id: idShape }),
  closed({
    message_type: Type.Literal('assignment'),
    type: Type.Union([Type.Literal('admin'), Type.Literal('team')]),
    admin_id: idShape,
    assignee_id: idShape,
    body: optional(Type.String()),
  }),
])

export function conversationOperations(account: Account): Operation[] {
  const { conversations, contacts, now, settings } = account
  const find = (id: string | undefined) => conversations.get(`${id}`) ?? notFound()
  const isPlain = (query: URLSearchParams) => query.get('display_as') === 'plaintext'
  const whole = (id: string, query = new URLSearchParams()) =>
    answer(200, presentConversation(account, find(id), { isPlain: isPlain(query), withParts: true }))
  const shown = { display_as: /plaintext|html/, include_translations: /true|false/ }
  const list = (items: readonly Conversation[], page: Record<string, unknown>) =>
    answer(200, {
      type: 'conversation.list',
      conversations: items.map((one) => presentConversation(account, one)),
      ...page,
    })
  return [
    {
      method: 'GET',
      path: '/conversations',
      query: { per_page: /\d+/, starting_after: true },
      act(request) {
        const { items, ...page } = cursorPages(conversations.list(), askedInQuery(request, 20), (one) => one.updatedAt)
        return list(items, page)
      },
    },
    {
      method: 'POST',
      path: '/conversations',
      json: closed({
        from: closed({
          type: Type.Union([Type.Literal('lead'), Type.Literal('user'), Type.Literal('contact')]),
          id: Type.String(),
        }),
        body: Type.String(),
        subject: optional(Type.String()),
        created_at: optional(Type.Integer()),
      }),
      act({ json }) {
        const contact = findContact(account, json.from.id)
        if (json.body.trim() === '') fail(400, 'parameter_not_found', 'Body is a required parameter.', 'body')
        const createdAt = momentOf(account, json.created_at)
        const one = conversations.put({
          id: account.nextId(),
          title: null,
          sourceId: account.nextId(),
          sourceType: 'conversation',
          subject: '',
          body: paragraphs(json.body),
          author: contactAuthor(contact),
          fileIds: [],
          contactIds: [contact.id],
          companyId: null,
          state: 'open',
          isRead: false,
          priority: 'none',
          adminAssigneeId: 0,
          teamAssigneeId: 0,
          snoozedUntil: null,
          tagIds: [],
          custom: {},
          createdAt,
          updatedAt: now(),
          waitingSince: createdAt,
        })
        if (settings.mailsConversations)
          account.notifications.push({ to: 'contact', about: 'conversation', id: one.id })
        // The answer is the message, whose id differs from that of the conversation.
        return answer(200, {
          type: 'user_message',
          id: one.sourceId,
          created_at: createdAt,
          body: json.body,
          message_type: 'inapp',
          conversation_id: one.id,
        })
      },
    },
    {
      method: 'POST',
      path: '/conversations/search',
      json: searchShape(),
      act({ json }) {
        const { query, pagination = {} } = json
        const fields = conversationFields(account)
        const isFound = searcher(query, { fieldOf: (name) => fields[name] })
        const asked = { perPage: askedSize(pagination.per_page, 20), after: pagination.starting_after ?? null }
        const { items, ...page } = cursorPages(conversations.search(isFound), asked, (one) => one.updatedAt)
        return list(items, page)
      },
    },
    {
      method: 'GET',
      path: '/conversations/deleted',
      query: { page: /\d+/, per_page: /\d+/, order: /asc|desc/ },
      act(request) {
        const all = account.deletedConversations.toSorted((a, b) => b.at - a.at)
        if (request.query.get('order') === 'asc') all.reverse()
        const { items, ...page } = numberedPages(all, request, 20, 60)
        const told = items.map(({ id, at, keepsMetrics }) => ({
          type: 'conversation',
          id,
          metrics_retained: keepsMetrics,
          deleted_at: at,
        }))
        return answer(200, { type: 'conversations.list', conversations: told, ...page })
      },
    },
    {
      method: 'GET',
      path: '/conversations/:id',
      query: shown,
      act: ({ params, query }) => whole(`${params.id}`, query),
    },
    {
      method: 'GET',
      path: '/conversations/:id/side_conversations',
      query: { page: /\d+/, per_page: /\d+/ },
      act(request) {
        // Tickets are conversations, too.
        const id = `${request.params.id}`
        if (!account.conversations.get(id) && !account.tickets.get(id)) notFound()
        const { items, ...page } = numberedPages(account.sideThreads.get(id) ?? [], request, 25, 50)
        const shown = items.map((parts, index) => ({
          side_conversation_id: `${id}${index}`,
          conversation_parts: parts.map((part) => presentPart(account, part, 'conversation_part')),
          total_count: parts.length,
        }))
        return answer(200, { type: 'side_conversation.list', side_conversations: shown, ...page })
      },
    },
    {
      method: 'PUT',
      path: '/conversations/:id',
      query: { display_as: /plaintext|html/ },
      json: closed({
        read: optional(Type.Boolean()),
        title: optional(Type.String()),
        custom_attributes: optional(Type.Record(Type.String(), Type.Unknown())),
        company_id: nullable(Type.String()),
      }),
      act({ params, json, query }) {
        const known = find(params.id)
        const companyId = json.company_id === undefined ? known.companyId : json.company_id
        if (companyId !== null && !account.companies.get(companyId)) missingCompany()
        conversations.change(known.id, {
          isRead: json.read ?? known.isRead,
          title: json.title ?? known.title,
          companyId,
          custom: checkCustom(account, 'conversation', json.custom_attributes ?? {}, known.custom),
          updatedAt: now(),
        })
        return whole(known.id, query)
      },
    },
    {
      method: 'DELETE',
      path: '/conversations/:id',
      query: { retain_metrics: /true|false/ },
      act({ params, query }) {
        const { id } = find(params.id)
        if (query.get('retain_metrics') === 'false')
          fail(403, 'forbidden', 'The delete_conversations_and_metrics scope is needed')
        conversations.remove(id)
        account.forgetParts(id)
        account.deletedConversations.push({ id, at: now(), keepsMetrics: true })
        return answer(200, { id, object: 'conversation', deleted: true })
      },
    },
    {
      method: 'POST',
      path: '/conversations/:id/reply',
      json: replyShapes.conversations,
      act({ params, json }) {
        const known = find(params.id)
        const part = addReply(account, known.id, json, known.state === 'closed')
        const isContact = part.author.type !== 'admin'
        conversations.change(known.id, {
          state: isContact ? 'open' : known.state,
          waitingSince: isContact ? part.createdAt : part.partType === 'note' ? known.waitingSince : null,
          updatedAt: now(),
        })
        return whole(known.id)
      },
    },
    {
      method: 'POST',
      path: '/conversations/:id/parts',
      json: manageShape,
      act({ params, json }) {
        const { id } = find(params.id)
        const author = adminAuthor(account, json.admin_id)
        const body = json.body ? paragraphs(json.body) : null
        if (json.body) account.notifications.push({ to: 'contact', about: json.message_type, id })
        const updatedAt = now()
        if (json.message_type === 'close') {
          conversations.change(id, { state: 'closed', snoozedUntil: null, updatedAt })
          addStep(account, id, 'close', author, { body })
        } else if (json.message_type === 'open') {
          conversations.change(id, { state: 'open', snoozedUntil: null, updatedAt })
          addStep(account, id, 'open', author)
        } else if (json.message_type === 'snoozed') {
          if (json.snoozed_until <= now()) invalid('snoozed_until must be in the future', 'snoozed_until')
          conversations.change(id, { state: 'snoozed', snoozedUntil: json.snoozed_until, updatedAt })
          addStep(account, id, 'snoozed', author)
        } else {
          const to = String(json.assignee_id)
          const isTeam = account.teams.get(to) !== undefined
          if (to !== '0' && !isTeam && !account.admins.get(to))
            fail(404, 'assignee_not_found', 'Assignee not found', 'assignee_id')
          conversations.change(id, {
            updatedAt,
            ...(isTeam || (to === '0' && json.type === 'team')
              ? { teamAssigneeId: Number(to) }
              : { adminAssigneeId: Number(to) }),
          })
          if (to !== '0' && !isTeam) account.notifications.push({ to: 'admin', about: 'assignment', id })
          const assignedTo =
            to === '0' ? { type: 'nobody_admin', id: null } : { type: isTeam ? 'team' : 'admin', id: to }
          addStep(account, id, 'assignment', author, { body, assignedTo })
        }
        return whole(id)
      },
    },
    {
      method: 'POST',
      path: '/conversations/:id/customers',
      json: closed({ admin_id: optional(idShape), customer: closed({ intercom_user_id: Type.String() }) }),
      act({ params, json }) {
        const known = find(params.id)
        const { id } = contacts.get(json.customer.intercom_user_id) ?? notFound('User Not Found')
        conversations.change(known.id, { contactIds: [...new Set([...known.contactIds, id])], updatedAt: now() })
        return whole(known.id)
      },
    },
  ]
}
