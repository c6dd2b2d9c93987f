import { answer, refuse, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  type Agent,
  type Conversation,
  cleanHtml,
  found,
  idOf,
  invalid,
  missing,
  plainOf,
  type Ticket,
} from './account.ts'
import { bodyOf, checkWeight, keepFiles, presentFiles } from './files.ts'
import { made, sendList } from './lists.ts'
import { shapes } from './shapes.ts'

/** The conversations of a ticket, oldest first. */
export function conversationsOf(account: Account, ticket: number): Conversation[] {
  const ids = [...(account.conversationsOf.get(ticket) ?? [])]
  return ids.flatMap((id) => account.conversations.get(id) ?? [])
}

export function dropConversations(account: Account, ticket: number): void {
  for (const { id } of conversationsOf(account, ticket)) account.conversations.remove(id)
  account.conversationsOf.delete(ticket)
}

/** The files of a ticket and of its conversations share one limit. */
export const weighedFiles = (account: Account, ticket: Ticket): string[] => [
  ...ticket.attachments,
  ...conversationsOf(account, idOf(ticket)).flatMap(({ attachments }) => attachments),
]

export function presentConversation(account: Account, conversation: Conversation) {
  return {
    ...conversation,
    id: idOf(conversation),
    body_text: plainOf(conversation.body),
    attachments: presentFiles(account, conversation.attachments),
  }
}

export function mailOf({ agents, contacts }: Account, user: number | null): string | null {
  const id = String(user)
  return agents.get(id)?.email ?? contacts.get(id)?.email ?? null
}

type Said = Partial<Conversation> & { user_id: number; body: string }

/** The time of a conversation cannot be set: it is the time of the request. */
export function addConversation(account: Account, ticket: Ticket, said: Said): Conversation {
  const conversation = account.conversations.put({
    id: account.nextId(),
    ticket_id: idOf(ticket),
    incoming: false,
    private: true,
    source: 2,
    from_email: null,
    support_email: null,
    to_emails: [],
    cc_emails: [],
    bcc_emails: [],
    attachments: [],
    last_edited_at: null,
    last_edited_user_id: null,
    ...account.times(),
    ...said,
    body: cleanHtml(said.body),
  })
  const known = account.conversationsOf.get(idOf(ticket)) ?? new Set()
  account.conversationsOf.set(idOf(ticket), known.add(conversation.id))
  const isAnswer = !conversation.private && !conversation.incoming && account.agents.get(String(said.user_id))
  const first = ticket.first_responded_at ?? (isAnswer ? conversation.created_at : null)
  account.tickets.change(ticket.id, { updated_at: conversation.created_at, first_responded_at: first })
  return conversation
}

export function conversationOperations(
  account: Account,
  meOf: (headers: object) => Agent,
  findTicket: (request: TwinRequest) => Ticket,
): Operation[] {
  const { conversations, tickets } = account
  const find = ({ params }: TwinRequest) => found(conversations.get(String(params.id)))
  const ticketOf = ({ ticket_id }: Conversation) => found(tickets.get(String(ticket_id)))
  const present = (one: Conversation) => presentConversation(account, one)
  const say = (request: TwinRequest, more: (given: Record<string, unknown>) => Partial<Conversation>) => {
    const ticket = findTicket(request)
    const { body, files } = bodyOf(request)
    if (!body.body?.trim()) missing('body')
    const user_id: number = body.user_id ?? idOf(meOf(request.headers))
    if (!account.agents.get(String(user_id)) && !account.contacts.get(String(user_id)))
      invalid('user_id', 'There is no user matching the given user_id')
    checkWeight(account, weighedFiles(account, ticket), files)
    const attachments = keepFiles(account, files)
    const said = addConversation(account, ticket, { user_id, body: body.body, attachments, ...more(body) })
    return { ticket, body, said }
  }
  return [
    {
      ...shapes.conversations,
      act: (request) => sendList(request, conversationsOf(account, idOf(findTicket(request))), present),
    },
    {
      ...shapes.makeNote,
      act(request) {
        const { ticket, body, said } = say(request, (given) => ({
          incoming: given.incoming === true,
          private: given.private !== false,
          to_emails: (given.notify_emails as string[] | undefined) ?? [],
        }))
        for (const to of said.to_emails) account.mails.push(`${to}: a note in ticket ${ticket.id}`)
        if (!said.private && !said.incoming) {
          account.notify(mailOf(account, ticket.requester_id), `a comment in ticket ${ticket.id}`)
        } else if (said.incoming) {
          account.notify(mailOf(account, ticket.responder_id), `an answer in ticket ${ticket.id}`)
        }
        const {
          source: _source,
          to_emails,
          cc_emails: _cc,
          bcc_emails: _bcc,
          from_email: _from,
          ...rest
        } = present(said)
        return made(account, 'conversations', said.id, { ...rest, notified_to: body.notify_emails ?? to_emails })
      },
    },
    {
      ...shapes.makeReply,
      // A reply is always sent as a mail, whatever the account's settings.
      act(request) {
        const { ticket, said } = say(request, (given) => ({
          private: false,
          source: 0,
          from_email: (given.from_email as string | undefined) ?? 'support@example.test',
          support_email: 'support@example.test',
          cc_emails: (given.cc_emails as string[] | undefined) ?? [],
          bcc_emails: (given.bcc_emails as string[] | undefined) ?? [],
        }))
        const to = mailOf(account, ticket.requester_id)
        const all = [...(to ? [to] : []), ...said.cc_emails, ...said.bcc_emails]
        conversations.change(said.id, { to_emails: to ? [to] : [] })
        for (const one of all) account.mails.push(`${one}: a reply in ticket ${ticket.id}`)
        return made(account, 'conversations', said.id, { ...present(said), replied_to: to ? [to] : [] })
      },
    },
    {
      ...shapes.changeConversation,
      act(request) {
        const said = find(request)
        if (said.source !== 2) refuse(405, { code: 'method_not_allowed', message: 'Only notes can be edited' })
        const { body, files } = bodyOf(request)
        checkWeight(account, weighedFiles(account, ticketOf(said)), files)
        const changed = conversations.change(said.id, {
          ...(body.body !== undefined && { body: cleanHtml(body.body || missing('body')) }),
          attachments: [...said.attachments, ...keepFiles(account, files)],
          updated_at: account.now(),
          last_edited_at: account.now(),
          last_edited_user_id: idOf(meOf(request.headers)),
        })
        return answer(200, present(found(changed)))
      },
    },
    {
      ...shapes.removeConversation,
      act(request) {
        const said = find(request)
        account.conversationsOf.get(said.ticket_id)?.delete(said.id)
        conversations.remove(said.id)
        return answer(204)
      },
    },
  ]
}
