import { Type } from 'typebox'
import {
  type Account,
  type Author,
  type Contact,
  closed,
  fail,
  idShape,
  invalid,
  notFound,
  optional,
  type Part,
  type Values,
} from './account.ts'
import { findContact } from './contacts.ts'
import { paragraphs, plainText, shownAuthor, signFile, someHtml, withFiles } from './texts.ts'

const fileShape = Type.Array(closed({ content_type: Type.String(), data: Type.String(), name: Type.String() }))

// Addresses of pictures (`attachment_urls`) are left out, because Intercom fetches them from the public internet.
const base = { body: optional(Type.String()), created_at: optional(Type.Integer()) }

const adminShape = (more: Record<string, ReturnType<typeof optional>>) =>
  closed({
    message_type: Type.String(),
    type: Type.Literal('admin'),
    admin_id: idShape,
    attachment_files: optional(fileShape),
    ...base,
    ...more,
  })
const contactShape = (more: Record<string, ReturnType<typeof optional>>) =>
  closed({
    message_type: Type.Literal('comment'),
    type: Type.Literal('user'),
    intercom_user_id: optional(Type.String()),
    user_id: optional(Type.String()),
    email: optional(Type.String()),
    ...base,
    ...more,
  })
const skip = { skip_notifications: optional(Type.Boolean()) }

/** In a conversation, only admins can be silent. In a ticket, only admins can attach files. */
export const replyShapes = {
  conversations: Type.Union([adminShape(skip), contactShape({ attachment_files: optional(fileShape) })]),
  tickets: Type.Union([adminShape({ ...skip, cross_post: optional(Type.Boolean()) }), contactShape(skip)]),
}

export const adminAuthor = ({ admins }: Account, id: unknown): Author => {
  const admin = admins.get(String(id)) ?? notFound('Admin not found', 'admin_not_found')
  return { type: 'admin', id: admin.id, name: admin.name, email: admin.email }
}

export const contactAuthor = ({ id, role, name, email }: Contact): Author => ({ type: role, id, name, email })

/** The given time; times in the future are refused. */
export function momentOf({ now }: Account, given: unknown): number {
  const at = given === undefined ? now() : Number(given)
  return at > now() || at < 0 ? invalid('created_at must be a time in the past', 'created_at') : at
}

const mostFiles = 10

export function keepFiles(
  account: Account,
  given: { name: string; data: string; content_type: string }[] = [],
): string[] {
  if (given.length > mostFiles) invalid(`You can include up to ${mostFiles} files`, 'attachment_files')
  return given.map(({ name, data, content_type: contentType }) => {
    if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(data)) invalid('data is not base64', 'attachment_files')
    const id = account.nextId()
    account.files.set(id, { name, contentType, bytes: Buffer.from(data, 'base64') })
    return id
  })
}

/** The author of a reply: an admin, or a contact by one of three identifiers. */
function authorOf(account: Account, json: Values): Author {
  if (json.type === 'admin') return adminAuthor(account, json.admin_id)
  if (typeof json.intercom_user_id === 'string') return contactAuthor(findContact(account, json.intercom_user_id))
  const [one] = account.contacts.list(
    ({ externalId, email, isArchived }) =>
      !isArchived &&
      ((json.user_id !== undefined && externalId === json.user_id) || (email !== null && email === json.email)),
  )
  return contactAuthor(one ?? notFound('User Not Found'))
}

/** Adds a reply as a part of a conversation or a ticket. */
export function addReply(account: Account, id: string, json: Values, isClosed: boolean): Part {
  const { message_type: kind, body, attachment_files: files } = json
  if (kind !== 'comment' && kind !== 'note') return invalid(`message_type cannot be ${String(kind)}`, 'message_type')
  const hasFiles = Array.isArray(files) && files.length > 0
  if ((typeof body !== 'string' || body.trim() === '') && !hasFiles)
    fail(400, 'parameter_not_found', 'Body is a required parameter.', 'body')
  const author = authorOf(account, json)
  const isHtml = kind === 'note' || (author.type === 'admin' && account.settings.hasHtmlComments)
  const text = typeof body === 'string' && body !== '' ? body : null
  const part: Part = {
    id: account.nextId(),
    // A contact who writes opens a closed conversation, and the part says so.
    partType: author.type !== 'admin' && isClosed ? 'open' : kind,
    body: text === null ? null : isHtml ? someHtml(text) : paragraphs(text),
    createdAt: momentOf(account, json.created_at),
    author,
    fileIds: keepFiles(account, files as never),
    assignedTo: null,
    isRedacted: false,
    isByApi: true,
  }
  account.partsOf(id).push(part)
  if (kind === 'comment' && json.skip_notifications !== true)
    account.notifications.push({ to: author.type === 'admin' ? 'contact' : 'admin', about: 'reply', id })
  return part
}

/** Adds a step without text, such as closing. */
export function addStep(
  account: Account,
  id: string,
  partType: string,
  author: Author,
  more: Partial<Part> = {},
): void {
  account.partsOf(id).push({
    id: account.nextId(),
    partType,
    body: null,
    createdAt: account.now(),
    author,
    fileIds: [],
    assignedTo: null,
    isRedacted: false,
    ...more,
  })
}

export const presentFiles = (account: Account, ids: readonly string[]) =>
  ids.flatMap((id) => {
    const file = account.files.get(id)
    if (!file) return []
    const isImage = file.contentType.startsWith('image/')
    return [
      {
        type: 'upload',
        name: file.name,
        url: signFile(account, id),
        content_type: file.contentType,
        filesize: file.bytes.length,
        width: isImage ? 1 : null,
        height: isImage ? 1 : null,
      },
    ]
  })

export function shownBody(account: Account, body: string | null, isPlain: boolean): string | null {
  return body === null ? null : isPlain ? plainText(body) : withFiles(account, body)
}

type PartType = 'conversation_part' | 'ticket_part'

/** For parts without an app, conversations have null and tickets lack the field. */
function appOf({ settings }: Account, { isByApi }: Part, type: PartType): { app_package_code?: string | null } {
  if (isByApi && settings.tellsApp) return { app_package_code: 'test-integration' }
  return type === 'conversation_part' ? { app_package_code: null } : {}
}

export const presentPart = (account: Account, part: Part, type: PartType, isPlain = false) => ({
  type,
  id: part.id,
  part_type: part.partType,
  body: shownBody(account, part.body, isPlain),
  ...(part.ticketState && { previous_ticket_state: part.ticketState[0], ticket_state: part.ticketState[1] }),
  created_at: part.createdAt,
  updated_at: part.createdAt,
  ...(type === 'conversation_part' && { notified_at: part.createdAt }),
  assigned_to: part.assignedTo,
  author: shownAuthor(part.author),
  attachments: presentFiles(account, part.fileIds),
  external_id: null,
  redacted: part.isRedacted,
  ...appOf(account, part, type),
})

/** The newest parts, oldest first. Older parts are never shown, and not counted here. */
export function presentParts(account: Account, id: string, type: PartType, isPlain = false) {
  const shown = account.partsOf(id).slice(-account.settings.mostParts)
  const list = shown.map((part) => presentPart(account, part, type, isPlain))
  return { type: `${type}.list`, [`${type}s`]: list, total_count: list.length }
}
