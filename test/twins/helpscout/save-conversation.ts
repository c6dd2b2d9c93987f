import { refuse } from '../answers.ts'
import { type Account, type Conversation, errorOf, type Field, found, lengthOf, momentOf, wrong } from './account.ts'
import { addTag } from './directory.ts'
import { type Given, nameCustomer } from './save-customer.ts'
import {
  checkAssignee,
  checkStatus,
  checkUser,
  importedAt,
  lineItem,
  makeThread,
  type NewType,
  newTypes,
  touch,
  withStatus,
} from './save-thread.ts'

/** Checks that a value of a custom field has the form of its type. */
function checkField({ type, options, name }: Field, value: string, path: string): void {
  const fail = (format: string) => wrong(path, `${name}: expected ${format}`, value.slice(0, 100))
  if (type === 'number' && !/^-?\d{1,255}$/.test(value)) fail('an integer')
  if (type === 'date' && (!/^\d{4}-\d\d-\d\d$/.test(value) || Number.isNaN(Date.parse(value)))) fail('YYYY-MM-DD')
  if (type === 'dropdown' && !options.some(({ id }) => String(id) === value)) fail('the id of an option')
  if (type === 'singleline' && lengthOf(value) > 255) fail('at most 255 characters')
  if (type === 'multiline' && lengthOf(value) > 15_000) fail('at most 15,000 characters')
}

export function checkFields({ mailboxes }: Account, mailboxId: number, values: { id: number; value: string }[]) {
  const { fields } = found(mailboxes.get(String(mailboxId)))
  for (const [at, { id, value }] of values.entries()) {
    const field = fields.find((one) => one.id === id) ?? wrong(`fields[${at}].id`, 'no such field in this inbox', id)
    checkField(field, value, `fields[${at}].value`)
  }
  return values
}

export function saveConversation(account: Account, given: Given, me = account.users.list()[0]): Conversation {
  const { conversations, mailboxes, nextId, nextNumber, clock } = account
  const threads = given.threads as Given[]
  if (threads.length > 100) refuse(412, errorOf('Conversation cannot have more than 100 threads'))
  if (threads.length === 0) wrong('threads', 'may not be empty')
  if (String(given.subject).trim() === '') wrong('subject', 'may not be empty')
  if (!['chat', 'email', 'phone'].includes(String(given.type)))
    wrong('type', 'Expected chat, email or phone', given.type)
  if (!mailboxes.get(String(given.mailboxId))) wrong('mailboxId', 'Mailbox does not exist', given.mailboxId)
  const status = checkStatus(given.status)
  const createdAt = importedAt(account, given)
  const creator = given.user === undefined ? found(me) : checkUser(account, given.user)
  const fields = checkFields(account, Number(given.mailboxId), (given.fields ?? []) as { id: number; value: string }[])
  const isSilent = given.imported === true
  const replies = threads.filter(({ type, draft }) => type === 'reply' && draft !== true)
  // Inboxes assign a conversation to its replier, unless the request says otherwise.
  const owner = replies.length > 0 ? Number(replies.at(-1)?.user ?? creator.id) : null
  const told = given.assignTo
  const assigneeId = told === undefined ? owner : told === null ? null : checkAssignee(account, Number(told))
  const place = { id: String(nextId()), type: given.type as Conversation['type'], assigneeId }
  const customer = nameCustomer(account, given.customer as Given)
  const made = threads.map((thread, at) => {
    const path = `threads[${at}].`
    if (!newTypes.includes(thread.type as NewType))
      wrong(`${path}type`, `Expected one of these: ${newTypes}`, thread.type)
    return makeThread(account, place, thread.type as NewType, thread, { me: creator, path, isSilent })
  })
  if (!isSilent && given.autoReply === true && threads.some(({ type }) => type === 'customer'))
    account.mails.push({
      kind: 'auto reply',
      to: customer.emails.slice(0, 1).map(({ value }) => value),
      conversationId: Number(place.id),
    })
  if (isSilent) made.push(lineItem(account, 'imported', 'Conversation was imported', Number(creator.id)))
  const [first] = made
  const isDraft = made.every(({ state, type }) => state === 'draft' || type === 'lineitem')
  const byUsers = made.filter(({ createdBy, type }) => createdBy.type === 'user' && type !== 'lineitem')
  return conversations.put({
    ...place,
    number: nextNumber(),
    state: isDraft ? 'draft' : 'published',
    subject: String(given.subject),
    mailboxId: Number(given.mailboxId),
    customerId: Number(customer.id),
    createdBy: found(first).createdBy,
    createdAt,
    ...(withStatus(account, status, Number(creator.id)) as Pick<Conversation, 'status' | 'closedAt' | 'closedBy'>),
    ...(isSilent &&
      status === 'closed' &&
      given.closedAt !== undefined && { closedAt: momentOf('closedAt', String(given.closedAt)) }),
    userUpdatedAt:
      byUsers
        .map((thread) => thread.createdAt)
        .sort()
        .at(-1) ?? createdAt,
    changedAt: clock.now(),
    source: { type: 'api', via: found(first).source.via },
    tags: [...new Set(((given.tags ?? []) as string[]).map((tag) => addTag(account, tag)))],
    cc: [...new Set(made.flatMap(({ cc }) => cc))],
    bcc: [...new Set(made.flatMap(({ bcc }) => bcc))],
    fields,
    snooze: null,
    threads: made,
  })
}

/** Merges one conversation into another. The old id redirects to the other conversation. */
export function mergeConversation(account: Account, fromId: string, intoId: string): void {
  const from = found(account.conversations.get(fromId))
  const into = found(account.conversations.get(intoId))
  const merged = lineItem(account, 'merged', `Merged with conversation ${from.number}`)
  touch(account, intoId, { threads: [...into.threads, ...from.threads, merged] })
  account.conversations.remove(fromId)
  account.merged.set(fromId, intoId)
}
