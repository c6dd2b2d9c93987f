import { refuse } from '../answers.ts'
import { toSecond } from '../clock.ts'
import {
  type Account,
  type Conversation,
  errorOf,
  found,
  looksLikeMail,
  momentOf,
  type Status,
  type Thread,
  type ThreadType,
  type User,
  wrong,
} from './account.ts'
import { type Given, nameCustomer } from './save-customer.ts'

export const statuses: readonly string[] = ['active', 'closed', 'pending', 'spam']
export const newTypes = ['chat', 'customer', 'note', 'phone', 'reply'] as const
export type NewType = (typeof newTypes)[number]

/** Workflows and the account itself write under this name. */
export const system = { id: 1, type: 'user', first: 'Help', last: 'Scout', photoUrl: '', email: 'none@nowhere.com' }

export const isSeen = ({ type, state }: Thread) => type !== 'lineitem' && (state === 'published' || state === 'hidden')

/** The time of an imported thread; other threads cannot set a time. */
export function importedAt(account: Account, given: Given, path = ''): string {
  if (given.createdAt === undefined) return account.now()
  if (given.imported !== true) wrong(`${path}createdAt`, 'can only be used with imported set to true')
  return momentOf(`${path}createdAt`, String(given.createdAt))
}

export function checkStatus(value: unknown, path = 'status'): Status {
  if (!statuses.includes(String(value))) wrong(path, `Expected one of these: '${statuses.join("', '")}'`, value)
  return value as Status
}

export function checkUser({ users }: Account, id: unknown, path = 'user'): User {
  const user = users.get(String(id))
  return user && !user.isGone ? user : wrong(path, 'User does not exist', id)
}

export function checkAssignee(account: Account, id: number, path = 'assignTo'): number {
  if (!account.teams.get(String(id))) checkUser(account, id, path)
  return id
}

/** Stores a file whose bytes are in the request itself. */
export function saveAttachment(account: Account, given: Given, path = ''): number {
  const data = String(given.data).replaceAll(/\s/g, '')
  if (given.fileName === '') wrong(`${path}fileName`, 'may not be empty')
  if (given.mimeType === '') wrong(`${path}mimeType`, 'may not be empty')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data) || data.length % 4 !== 0) wrong(`${path}data`, 'is not Base64')
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > 10_000_000) refuse(413, errorOf('Attachments of at most 10 MB are supported'))
  const fields = { fileName: String(given.fileName), mimeType: String(given.mimeType), bytes }
  const state = bytes.includes('EICAR-STANDARD-ANTIVIRUS-TEST-FILE') ? 'malicious' : 'valid'
  return Number(account.attachments.put({ id: String(account.nextId()), ...fields, state }).id)
}

function checkCopies(given: Given, path: string): { cc: string[]; bcc: string[] } {
  const read = (name: 'cc' | 'bcc') => {
    const list = (given[name] ?? []) as string[]
    const strange = list.find((text) => !looksLikeMail(text))
    if (strange !== undefined) wrong(`${path}${name}`, 'not a well-formed email address', strange)
    return list
  }
  return { cc: read('cc'), bcc: read('bcc') }
}

interface Place {
  me: User
  path?: string
  /** True if the whole conversation is imported, so no mail is sent. */
  isSilent?: boolean
}

/** Makes a thread from the sent values, and records every mail that Help Scout would send. */
export function makeThread(
  account: Account,
  conversation: Pick<Conversation, 'id' | 'type' | 'assigneeId'>,
  type: NewType,
  given: Given,
  { me, path = '', isSilent = false }: Place,
): Thread {
  if (String(given.text).trim() === '') wrong(`${path}text`, 'may not be empty')
  const isByUser = type === 'note' || type === 'reply'
  const customer =
    type === 'note' ? null : nameCustomer(account, given.customer as Given | undefined, `${path}customer`)
  const user = given.user === undefined ? me : checkUser(account, given.user, `${path}user`)
  const createdAt = importedAt(account, given, path)
  const status = given.status === undefined ? 'nochange' : checkStatus(given.status, `${path}status`)
  const copies = checkCopies(given, path)
  const files = (given.attachments ?? []) as Given[]
  const attachments = files.map((file, at) => saveAttachment(account, file, `${path}attachments[${at}].`))
  const isDraft = given.draft === true
  const via = isByUser ? ('user' as const) : ('customer' as const)
  const to = customer?.emails.slice(0, 1).map(({ value }) => value) ?? []
  const kept: ThreadType = type === 'reply' ? 'message' : type
  const isQuiet = isSilent || given.imported === true || isDraft
  const { mails } = account
  const conversationId = Number(conversation.id)
  if (!isQuiet && type === 'reply' && conversation.type === 'email')
    mails.push({ kind: 'mail', to: [...to, ...copies.cc, ...copies.bcc], conversationId })
  if (!isQuiet && type !== 'reply')
    mails.push({ kind: 'notification', to: watchers(account, conversation), conversationId })
  return {
    id: account.nextId(),
    type: kept,
    status,
    state: isDraft ? 'draft' : 'published',
    body: String(given.text),
    source: { type: 'api', via },
    createdBy: isByUser ? { type: 'user', id: Number(user.id) } : { type: 'customer', id: Number(customer?.id) },
    customerId: customer ? Number(customer.id) : null,
    assigneeId: conversation.assigneeId,
    to: type === 'reply' ? to : [],
    ...copies,
    attachments,
    action: { type: 'default', text: '' },
    linkedConversationId: null,
    createdAt,
  }
}

function watchers({ users }: Account, { assigneeId }: Pick<Conversation, 'assigneeId'>): string[] {
  return users.list((user) => !user.isGone && Number(user.id) === assigneeId).map(({ email }) => email)
}

/** An entry in the history of a conversation, without an author. */
export function lineItem(account: Account, type: string, text: string, byUser: number = system.id): Thread {
  return {
    id: account.nextId(),
    type: 'lineitem',
    status: 'nochange',
    state: 'published',
    body: null,
    source: { type: 'web', via: 'user' },
    createdBy: { type: 'user', id: byUser },
    customerId: null,
    assigneeId: null,
    to: [],
    cc: [],
    bcc: [],
    attachments: [],
    action: { type, text },
    linkedConversationId: null,
    createdAt: account.now(),
  }
}

/** The side effects of a changed status. */
export function withStatus(account: Account, status: Status, byUser: number | null): Partial<Conversation> {
  const isClosed = status === 'closed'
  return { status, closedAt: isClosed ? account.now() : null, closedBy: isClosed ? byUser : null }
}

export function touch(account: Account, id: string, changes: Partial<Conversation>): Conversation {
  return found(account.conversations.change(id, { ...changes, changedAt: account.clock.now() }))
}

/** Adds a thread to an existing conversation. */
export function addThread(account: Account, conversation: Conversation, type: NewType, given: Given, me: User): Thread {
  const { threadWall } = account
  if (threadWall !== null && conversation.threads.filter(isSeen).length >= threadWall)
    refuse(412, errorOf(`Conversation has ${threadWall} threads already`))
  const thread = makeThread(account, conversation, type, given, { me })
  const changes: Partial<Conversation> = { threads: [...conversation.threads, thread] }
  const byUser = Number(me.id)
  if (thread.status !== 'nochange') Object.assign(changes, withStatus(account, thread.status, byUser))
  // A reply makes the conversation active unless it sets a status. A customer's thread does too, perhaps unless it is
  // imported.
  else if (type === 'reply' && thread.state === 'published') Object.assign(changes, withStatus(account, 'active', null))
  else if (type === 'customer' && (given.imported !== true || account.customersReopen))
    Object.assign(changes, withStatus(account, 'active', null), { snooze: null })
  if (type === 'reply' && thread.state === 'published' && given.assignTo !== undefined)
    changes.assigneeId = given.assignTo === null ? null : checkAssignee(account, Number(given.assignTo))
  if (thread.createdBy.type === 'user') changes.userUpdatedAt = toSecond(account.clock.now())
  touch(account, conversation.id, changes)
  return thread
}
