import { refuse, type TwinRequest } from '../answers.ts'
import { toSecond } from '../clock.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Conversation, errorOf, found, momentOf, notFound, wrong } from './account.ts'
import type { Auth } from './auth.ts'
import { addTag, folderOf } from './directory.ts'
import { created, done, hal, halPage } from './hal.ts'
import { presentConversation } from './present-conversation.ts'
import { parseQuery, type Searched } from './query.ts'
import { checkFields, saveConversation } from './save-conversation.ts'
import { type Given, nameCustomer } from './save-customer.ts'
import { checkAssignee, checkStatus, lineItem, touch, withStatus } from './save-thread.ts'
import { bodies, conversationQuery } from './shapes.ts'

export function conversationIn(account: Account, { params }: TwinRequest): Conversation {
  const conversation = found(account.conversations.get(String(params.id)))
  if (account.hiddenMailboxes.has(conversation.mailboxId)) refuse(403, errorOf('Forbidden'))
  return conversation
}

function searchedOf(account: Account, one: Conversation): Searched {
  const { customers, users, mailboxes } = account
  const ids = [one.customerId, ...one.threads.flatMap(({ customerId }) => customerId ?? [])]
  const people = ids.flatMap((id) => customers.get(String(id)) ?? [])
  const assignee = users.get(String(one.assigneeId))
  return {
    id: { kind: 'exact', values: [one.id] },
    number: { kind: 'exact', values: [one.number] },
    subject: { kind: 'words', values: [one.subject] },
    body: { kind: 'words', values: one.threads.flatMap(({ body }) => body ?? []) },
    tag: { kind: 'exact', values: one.tags },
    status: { kind: 'exact', values: [one.status] },
    mailboxid: { kind: 'exact', values: [one.mailboxId] },
    mailbox: { kind: 'words', values: [mailboxes.get(String(one.mailboxId))?.name ?? ''] },
    email: { kind: 'exact', values: people.flatMap(({ emails }) => emails.map(({ value }) => value)) },
    customerIds: { kind: 'exact', values: ids },
    assigned: { kind: 'words', values: [assignee ? `${assignee.firstName} ${assignee.lastName}` : 'Unassigned'] },
    attachment: { kind: 'exact', values: [String(one.threads.some(({ attachments }) => attachments.length > 0))] },
    modifiedAt: { kind: 'moment', values: [one.changedAt] },
    createdAt: { kind: 'moment', values: [Date.parse(one.createdAt)] },
  }
}

function select(account: Account, { query }: TwinRequest): Conversation[] {
  const { conversations, customers, hiddenMailboxes } = account
  const status = query.get('status') ?? 'active'
  const list = (name: string) => query.get(name)?.split(',')
  const since = query.get('modifiedSince')
  const asked = query.get('query')
  const test = asked === null ? null : parseQuery(asked)
  const isWanted = (one: Conversation) => {
    const inStatus =
      status === 'all' ||
      (status === 'open' ? one.status === 'active' || one.status === 'pending' : one.status === status)
    const fields = list('customFieldsByIds') ?? []
    return (
      inStatus &&
      !hiddenMailboxes.has(one.mailboxId) &&
      (list('mailbox')?.includes(String(one.mailboxId)) ?? true) &&
      (!query.has('folder') || String(folderOf(one)) === query.get('folder')) &&
      (list('tag')?.some((tag) => one.tags.includes(tag.toLowerCase())) ?? true) &&
      (!query.has('assigned_to') || String(one.assigneeId) === query.get('assigned_to')) &&
      (!query.has('number') || String(one.number) === query.get('number')) &&
      (since === null || Date.parse(toSecond(one.changedAt)) > Date.parse(since)) &&
      fields.every((text) => one.fields.some(({ id, value }) => `${id}:${value}` === text)) &&
      (test === null || test(searchedOf(account, one)))
    )
  }
  const wanted = test === null && !account.listsLag ? conversations.list(isWanted) : conversations.search(isWanted)
  const nameOf = (one: Conversation) => {
    const customer = customers.get(String(one.customerId))
    return `${customer?.firstName ?? ''} ${customer?.lastName ?? ''}`
  }
  const keys: Record<string, (one: Conversation) => string | number> = {
    createdAt: (one) => Date.parse(one.createdAt),
    modifiedAt: (one) => one.changedAt,
    number: (one) => one.number,
    subject: (one) => one.subject,
    status: (one) => one.status,
    mailboxid: (one) => one.mailboxId,
    customerName: nameOf,
    customerEmail: (one) => customers.get(String(one.customerId))?.emails[0]?.value ?? '',
    waitingSince: (one) => Date.parse(one.threads.at(-1)?.createdAt ?? one.createdAt),
    score: (one) => one.number,
  }
  const key = keys[query.get('sortField') ?? 'createdAt'] ?? notFound
  const rising = wanted.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)]
    return left < right ? -1 : left > right ? 1 : Number(a.id) - Number(b.id)
  })
  return query.get('sortOrder') === 'asc' ? rising : rising.reverse()
}

export function conversationOperations(account: Account, { meOf }: Auth): Operation[] {
  const { conversations, merged, pageSizes } = account
  const present = (request: TwinRequest) => (one: Conversation) => presentConversation(account, request, one)
  return [
    {
      method: 'GET',
      path: '/v2/conversations',
      query: conversationQuery,
      act: (request) =>
        halPage(request, 'conversations', select(account, request), pageSizes.conversations, present(request)),
    },
    {
      method: 'POST',
      path: '/v2/conversations',
      json: bodies.conversation,
      act(request) {
        const { id } = saveConversation(account, request.json, meOf(request))
        return created(request, '/v2/conversations', id)
      },
    },
    {
      method: 'GET',
      path: '/v2/conversations/:id',
      query: { embed: /threads/ },
      act(request) {
        const into = merged.get(String(request.params.id))
        if (into === undefined) return hal(present(request)(conversationIn(account, request)))
        return { status: 301, headers: { location: `${request.origin}/v2/conversations/${into}` } }
      },
    },
    {
      // The conversation moves to the folder of deleted ones, which the API cannot read.
      method: 'DELETE',
      path: '/v2/conversations/:id',
      act(request) {
        conversations.remove(conversationIn(account, request).id, { isKept: true })
        return done
      },
    },
    {
      method: 'PATCH',
      path: '/v2/conversations/:id',
      json: bodies.patch,
      act(request) {
        patchConversation(account, conversationIn(account, request), request.json, Number(meOf(request).id))
        return done
      },
    },
    {
      method: 'PUT',
      path: '/v2/conversations/:id/tags',
      json: bodies.tags,
      act(request) {
        const tags = (request.json.tags as string[]).map((tag) => addTag(account, tag))
        touch(account, conversationIn(account, request).id, { tags: [...new Set(tags)] })
        return done
      },
    },
    {
      method: 'PUT',
      path: '/v2/conversations/:id/fields',
      json: bodies.fields,
      act(request) {
        const { id, mailboxId } = conversationIn(account, request)
        touch(account, id, { fields: checkFields(account, mailboxId, request.json.fields) })
        return done
      },
    },
    {
      method: 'PUT',
      path: '/v2/conversations/:id/snooze',
      json: bodies.snooze,
      act(request) {
        const until = momentOf('snoozedUntil', request.json.snoozedUntil)
        const isLater = Date.parse(until) > account.clock.now() && until < '2101'
        if (!isLater) wrong('snoozedUntil', 'must be in the future', until)
        const { unsnoozeOnCustomerReply } = request.json
        const snooze = { snoozedUntil: until, unsnoozeOnCustomerReply, snoozedBy: Number(meOf(request).id) }
        touch(account, conversationIn(account, request).id, { snooze })
        return done
      },
    },
    {
      method: 'DELETE',
      path: '/v2/conversations/:id/snooze',
      act(request) {
        const conversation = conversationIn(account, request)
        const isOpen = conversation.status === 'active'
        touch(account, conversation.id, { snooze: null, ...(!isOpen && withStatus(account, 'active', null)) })
        return done
      },
    },
  ]
}

function patchConversation(account: Account, one: Conversation, patch: Given, byUser: number): void {
  const { op, path, value } = patch
  const allowed: Record<string, string[]> = {
    '/subject': ['replace'],
    '/primaryCustomer.id': ['replace'],
    '/draft': ['replace'],
    '/mailboxId': ['move'],
    '/status': ['replace'],
    '/assignTo': ['replace', 'remove'],
  }
  if (!allowed[String(path)]?.includes(String(op))) wrong('path', 'this cannot be done here', `${op} ${path}`)
  const note = (type: string, text: string) => [...one.threads, lineItem(account, type, text, byUser)]
  if (path === '/subject') {
    if (String(value ?? '').trim() === '') wrong('value', 'may not be empty')
    touch(account, one.id, { subject: String(value) })
  } else if (path === '/primaryCustomer.id') {
    const { id } = nameCustomer(account, { id: value }, 'value')
    touch(account, one.id, { customerId: Number(id), threads: note('changed-ticket-customer', 'Customer changed') })
  } else if (path === '/draft') {
    const threads = one.threads.map((thread) => ({ ...thread, state: 'published' as const }))
    touch(account, one.id, { state: 'published', threads })
    const to = one.threads.filter((thread) => thread.state === 'draft').flatMap((thread) => thread.to)
    account.mails.push({ kind: 'mail', to, conversationId: Number(one.id) })
  } else if (path === '/mailboxId') {
    const mailbox = account.mailboxes.get(String(value)) ?? wrong('value', 'Mailbox does not exist', value)
    // Custom fields belong to an inbox, so they do not move with the conversation.
    const fields = one.fields.filter(({ id }) => mailbox.fields.some((field) => field.id === id))
    const threads = note('moved-from-mailbox', 'Moved from another inbox')
    touch(account, one.id, { mailboxId: Number(value), fields, threads })
  } else if (path === '/status') {
    const status = checkStatus(value, 'value')
    touch(account, one.id, { ...withStatus(account, status, byUser), threads: note('status', `Marked as ${status}`) })
  } else {
    const assigneeId = op === 'remove' ? null : checkAssignee(account, Number(value), 'value')
    touch(account, one.id, { assigneeId, threads: note('assigned', 'Assigned') })
    const to = account.users.list((user) => Number(user.id) === assigneeId).map(({ email }) => email)
    if (assigneeId !== null && assigneeId !== byUser)
      account.mails.push({ kind: 'notification', to, conversationId: Number(one.id) })
  }
}
