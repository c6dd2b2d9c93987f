import { answer, refuse } from '../answers.ts'
import { hourMs } from '../clock.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Attachment, type Comment, found, idOf, invalid, notFound } from './account.ts'
import { sendList } from './lists.ts'
import { shapes } from './shapes.ts'

const maxFileBytes = 50 * 1024 * 1024

export interface CommentBody {
  body?: string | null
  html_body?: string | null
  value?: string | null
  public?: boolean | null
  author_id?: number | null
  uploads?: string[]
  created_at?: string
  via?: { channel: string; source?: object }
  custom?: Record<string, unknown>
}

const withoutScripts = (html: string) => html.replaceAll(/<script\b[\s\S]*?<\/script>/gi, '')

/** HTML as comments store it: without scripts, in a separate box, and with the direction of each paragraph. */
const asHtml = (html: string) =>
  `<div class="zd-comment" dir="auto">${withoutScripts(html).replaceAll(/<(p|ol|ul)>/g, '<$1 dir="auto">')}</div>`

/** Placeholders in messages are filled in. Unknown ones are dropped; in code all of them stay. */
function fillIn(html: string, ticketId: number): string {
  const pieces = html.split(/(<(?:code|pre)\b[\s\S]*?<\/(?:code|pre)>)/)
  const filled = pieces.map((piece, at) =>
    at % 2 === 1
      ? piece
      : piece
          .replaceAll(/\{\{\s*ticket\.id\s*\}\}/g, String(ticketId))
          .replaceAll(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, ''),
  )
  return filled.join('')
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const asPlain = (html: string) =>
  withoutScripts(html)
    .replaceAll(/<(br|\/p|\/li|\/div)[^>]*>/gi, '\n')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim()

export function checkAuthor({ users }: Account, { author_id: author }: CommentBody): void {
  if (author && !users.get(String(author))) invalid('author', 'Author: is invalid')
}

/** Adds a comment with the files of its uploads, whose tokens are then used up. */
export function addComment(account: Account, ticketId: number, said: CommentBody, at: string, author: number): Comment {
  const { comments, uploads, clock, nextId } = account
  const text = said.body ?? said.value ?? ''
  const html = said.html_body
    ? asHtml(said.via ? said.html_body : fillIn(said.html_body, ticketId))
    : asHtml(`<p dir="auto">${escaped(text).replaceAll('\n', '<br>')}</p>`)
  const attachments = (said.uploads ?? []).flatMap((token) => {
    const upload = uploads.get(token)
    if (!upload || clock.now() >= upload.until) return invalid('uploads', `Upload: ${token} is invalid or has expired`)
    uploads.remove(token)
    return upload.attachments
  })
  // A picture that the text shows is listed as a file only on request.
  for (const id of attachments) {
    const { secret } = found(account.attachments.get(id))
    if (html.includes(`/attachments/token/${secret}/`)) account.attachments.change(id, { inline: true })
  }
  const comment: Comment = {
    id: nextId(),
    ticket_id: ticketId,
    author_id: said.author_id ?? author,
    html,
    plain: said.html_body ? asPlain(said.html_body) : text,
    public: said.public ?? true,
    via: { channel: said.via?.channel ?? 'api', source: { from: {}, to: {}, rel: null } },
    attachments,
    created_at: at,
    ...(said.custom && { custom: said.custom }),
  }
  comments.put(comment)
  account.commentsOf.set(ticketId, [...(account.commentsOf.get(ticketId) ?? []), comment])
  return comment
}

/** The comments of a ticket by their creation time, as the list shows them. */
export const commentsOf = ({ commentsOf: kept }: Account, ticketId: number): Comment[] =>
  (kept.get(ticketId) ?? []).toSorted((a, b) => a.created_at.localeCompare(b.created_at) || idOf(a) - idOf(b))

export function dropComments({ comments, commentsOf: kept, attachments }: Account, ticketId: number): void {
  for (const comment of kept.get(ticketId) ?? []) {
    for (const id of comment.attachments) attachments.remove(id)
    comments.remove(comment.id)
  }
  kept.delete(ticketId)
}

export function presentAttachment(account: Account, { id, file_name, content_type, bytes, ...rest }: Attachment) {
  const address = `${account.origin}/attachments/token/${rest.secret}/?name=${encodeURIComponent(file_name)}`
  return {
    id: Number(id),
    url: account.address(`attachments/${id}.json`),
    file_name,
    content_url: address,
    mapped_content_url: address,
    content_type,
    size: bytes.length,
    width: null,
    height: null,
    inline: rest.inline,
    deleted: false,
    malware_access_override: false,
    malware_scan_result: 'malware_not_found',
    thumbnails: [],
  }
}

const presentComment = (account: Account, one: Comment, hasInline = true) => ({
  id: idOf(one),
  type: 'Comment',
  author_id: one.author_id,
  body: one.plain,
  html_body: one.html,
  plain_body: one.plain,
  public: one.public,
  attachments: one.attachments.flatMap((id) => {
    const file = account.attachments.get(id)
    return file && (hasInline || !file.inline) ? [presentAttachment(account, file)] : []
  }),
  audit_id: idOf(one) + 1,
  via: one.via,
  metadata: { system: {}, custom: one.custom ?? {} },
  created_at: one.created_at,
})

/** The events of a ticket that have a comment. */
export function presentAudit(account: Account, comment: Comment) {
  const { metadata, via, created_at, ...event } = presentComment(account, comment)
  const { ticket_id, author_id } = comment
  return { id: event.audit_id, ticket_id, author_id, created_at, metadata, via, events: [event] }
}

export function commentOperations(account: Account): Operation[] {
  const { attachments, uploads, clock, nextId, now } = account
  return [
    {
      ...shapes.audits,
      act(request) {
        const ticket = found(account.tickets.get(String(request.params.id)))
        const list = commentsOf(account, idOf(ticket))
        return sendList(request, list, { name: 'audits', present: (one) => presentAudit(account, one) })
      },
    },
    {
      ...shapes.comments,
      act(request) {
        // A deleted ticket returns nothing.
        const ticket = found(account.tickets.get(String(request.params.id)))
        const isDescending = request.query.get('sort_order') === 'desc'
        const list = commentsOf(account, idOf(ticket))
        const sortBy = { created_at: (one: Comment) => one.created_at }
        const byTime = new URL(request.url)
        if (!byTime.searchParams.has('sort')) byTime.searchParams.set('sort', `${isDescending ? '-' : ''}created_at`)
        const hasInline = request.query.get('include_inline_images') === 'true'
        const present = (one: Comment) => presentComment(account, one, hasInline)
        return sendList({ ...request, query: byTime.searchParams }, list, { name: 'comments', present, sortBy })
      },
    },
    {
      ...shapes.hideComment,
      act({ params }) {
        const ticket = found(account.tickets.get(String(params.id)))
        const comment = found(commentsOf(account, idOf(ticket)).find(({ id }) => id === String(params.comment)))
        if (ticket.status === 'closed') invalid('status', 'Status: closed prevents ticket update')
        comment.public = false
        account.comments.change(comment.id, { public: false })
        return { status: 200, body: '' }
      },
    },
    {
      ...shapes.upload,
      act({ query, headers, bytes }) {
        const fileName = query.get('filename')
        if (!fileName) return refuse(400, { error: 'ParameterMissing', description: 'filename is required' })
        if (bytes.length > maxFileBytes)
          refuse(413, { error: 'AttachmentTooLarge', description: 'The file is larger than 50 MB' })
        const said = query.get('token')
        const known = said === null ? undefined : uploads.get(said)
        if (said !== null && (!known || clock.now() >= known.until)) return notFound()
        const file: Attachment = {
          id: nextId(),
          file_name: fileName,
          content_type: String(headers['content-type'] ?? 'application/octet-stream'),
          bytes,
          inline: false,
          secret: `s${nextId()}`,
          created_at: now(),
        }
        attachments.put(file)
        const token = known?.id ?? `upload${nextId()}`
        const ids = [...(known?.attachments ?? []), file.id]
        uploads.put({ id: token, attachments: ids, until: known?.until ?? clock.now() + hourMs })
        const shown = ids.map((id) => presentAttachment(account, found(attachments.get(id))))
        return answer(201, { upload: { token, attachment: shown.at(-1), attachments: shown } })
      },
    },
    {
      ...shapes.removeUpload,
      act({ params }) {
        const upload = found(uploads.get(String(params.token)))
        for (const id of upload.attachments) attachments.remove(id)
        uploads.remove(upload.id)
        return answer(204)
      },
    },
    {
      ...shapes.attachment,
      act: ({ params }) =>
        answer(200, { attachment: presentAttachment(account, found(attachments.get(String(params.id)))) }),
    },
    {
      ...shapes.content,
      act({ params }, { files }) {
        const [file] = attachments.list(({ secret }) => secret === params.secret)
        if (!file) return { status: 404, body: 'Not Found' }
        // The bytes are on another host, which refuses credentials.
        return answer(302, undefined, { location: files.sign(file.bytes, file.content_type) })
      },
    },
  ]
}
