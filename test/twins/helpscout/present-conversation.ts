import type { TwinRequest } from '../answers.ts'
import type { Account, Conversation, Person, Thread } from './account.ts'
import { colorOf, folderOf } from './directory.ts'
import { isSeen, system } from './save-thread.ts'

/** The number of characters of a chat that a list embeds. */
const embeddedChat = 100
/** The most threads that a conversation embeds: https://github.com/helpscout/helpscout-api-php/issues/269. */
const embeddedThreads = 25

export const newestFirst = (threads: readonly Thread[]) =>
  threads.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.id - a.id)

export function presentPerson({ users, customers }: Account, { type, id }: Person) {
  if (type === 'user') {
    const user = users.get(String(id))
    if (!user) return { ...system, id }
    return { id, type, first: user.firstName, last: user.lastName, photoUrl: '', email: user.email }
  }
  const customer = customers.get(String(id))
  const email = customer?.emails[0]?.value
  return {
    id,
    type,
    first: customer?.firstName ?? '',
    last: customer?.lastName ?? '',
    photoUrl: '',
    // A person without an address has none here either.
    ...(email !== undefined && { email }),
  }
}

function presentAssignee(account: Account, id: number) {
  const team = account.teams.get(String(id))
  if (team) return { id, type: 'team', first: team.name, last: '', email: '' }
  const { photoUrl: _photoUrl, ...person } = presentPerson(account, { type: 'user', id })
  return person
}

/** Threads use a special id for "anyone". */
const anyone = { id: 1, type: 'team', first: 'Anyone', last: '', email: '' }

export function presentThread(
  account: Account,
  { origin }: TwinRequest,
  conversationId: string,
  thread: Thread,
  isEmbedded = false,
) {
  const at = `${origin}/v2/conversations/${conversationId}`
  const isChat = thread.type === 'chat' || thread.type === 'beaconchat'
  const files = thread.attachments.flatMap((id) => account.attachments.get(String(id)) ?? [])
  const body = isEmbedded && isChat ? thread.body?.slice(0, embeddedChat) : thread.body
  const author = thread.createdBy.type === 'user' ? 'createdByUser' : 'createdByCustomer'
  return {
    id: thread.id,
    type: thread.type,
    status: thread.status,
    state: thread.state,
    action: { ...thread.action, associatedEntities: {} },
    ...(body !== null && { body }),
    source: thread.source,
    ...(thread.customerId !== null && {
      customer: presentPerson(account, { type: 'customer', id: thread.customerId }),
    }),
    createdBy: presentPerson(account, thread.createdBy),
    assignedTo: thread.assigneeId === null ? anyone : presentAssignee(account, thread.assigneeId),
    savedReplyId: 0,
    to: thread.to,
    cc: thread.cc,
    bcc: thread.bcc,
    createdAt: thread.createdAt,
    ...(thread.scheduled && { scheduled: thread.scheduled }),
    ...(thread.rating && { rating: thread.rating }),
    ...(thread.linkedConversationId !== null && { linkedConversationId: thread.linkedConversationId }),
    _embedded: {
      attachments: files.map(({ id, fileName, mimeType, bytes, state }) => ({
        id: Number(id),
        filename: fileName,
        mimeType,
        width: 0,
        height: 0,
        size: bytes.length,
        state,
        _links: {
          data: { href: `${at}/attachments/${id}/data` },
          self: { href: `${at}/attachments/${id}` },
          web: { href: `https://secure.helpscout.net/file/${id}` },
        },
      })),
    },
    _links: { [author]: { href: `${origin}/v2/${thread.createdBy.type}s/${thread.createdBy.id}` } },
  }
}

export function presentConversation(account: Account, request: TwinRequest, conversation: Conversation) {
  const { origin, query } = request
  const { id, threads, assigneeId, closedBy, customerId, createdBy } = conversation
  const link = (path: string) => ({ href: `${origin}/v2/${path}` })
  const fields = account.mailboxes.list().flatMap((mailbox) => mailbox.fields)
  const seen = newestFirst(threads.filter(isSeen))
  const tags = conversation.tags.map((name) => {
    const tag = account.tags.list((one) => one.name === name)[0]
    return { id: Number(tag?.id), color: colorOf(tag?.id ?? 0), tag: name }
  })
  const latest = seen.find(({ type }) => type !== 'note')
  return {
    id: Number(id),
    number: conversation.number,
    threads: seen.length,
    type: conversation.type,
    folderId: folderOf(conversation),
    status: conversation.status,
    state: conversation.state,
    subject: conversation.subject,
    preview: (seen[0]?.body ?? '').replaceAll(/<[^>]*>/g, '').slice(0, 185),
    mailboxId: conversation.mailboxId,
    ...(assigneeId !== null && { assignee: presentAssignee(account, assigneeId) }),
    createdBy: presentPerson(account, createdBy),
    createdAt: conversation.createdAt,
    closedBy: closedBy ?? 0,
    ...(closedBy !== null && { closedByUser: presentPerson(account, { type: 'user', id: closedBy }) }),
    ...(conversation.closedAt !== null && { closedAt: conversation.closedAt }),
    userUpdatedAt: conversation.userUpdatedAt,
    customerWaitingSince: {
      time: latest?.createdAt ?? conversation.createdAt,
      friendly: 'some time ago',
      ...(latest && { latestReplyFrom: latest.createdBy.type }),
    },
    source: conversation.source,
    tags,
    cc: conversation.cc,
    bcc: conversation.bcc,
    primaryCustomer: presentPerson(account, { type: 'customer', id: customerId }),
    customFields: conversation.fields.map((value) => {
      const field = fields.find((one) => one.id === value.id)
      const option = field?.options.find((one) => String(one.id) === value.value)
      return { id: value.id, name: field?.name ?? '', value: value.value, text: option?.label ?? value.value }
    }),
    ...(conversation.snooze && {
      snooze: {
        snoozedBy: conversation.snooze.snoozedBy,
        snoozedUntil: conversation.snooze.snoozedUntil,
        unsnoozeOnCustomerReply: conversation.snooze.unsnoozeOnCustomerReply,
      },
    }),
    _embedded: {
      threads:
        query.get('embed') === 'threads'
          ? newestFirst(threads)
              .slice(0, embeddedThreads)
              .map((thread) => presentThread(account, request, id, thread, true))
          : [],
    },
    _links: {
      ...(assigneeId !== null && { assignee: link(`users/${assigneeId}`) }),
      ...(closedBy !== null && { closedBy: link(`users/${closedBy}`) }),
      [createdBy.type === 'user' ? 'createdByUser' : 'createdByCustomer']: link(`${createdBy.type}s/${createdBy.id}`),
      mailbox: link(`mailboxes/${conversation.mailboxId}`),
      primaryCustomer: link(`customers/${customerId}`),
      self: link(`conversations/${id}`),
      threads: link(`conversations/${id}/threads`),
      web: { href: `https://secure.helpscout.net/conversation/${id}/${conversation.number}` },
    },
  }
}
