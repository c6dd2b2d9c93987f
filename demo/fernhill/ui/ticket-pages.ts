import { notFound } from '../errors.ts'
import type { Records } from '../records.ts'
import type { AttachmentRow, CommentRow, TicketRow } from '../rows.ts'
import { STATUSES } from '../ticket-schemas.ts'
import { type Html, html, trusted } from './html.ts'
import { fileSize, moment, type PageParts, statusBadge, subjectText } from './layout.ts'
import { renderBody } from './render-body.ts'

const PAGE_SIZE = 40

interface ListFilter {
  status: string
  search: string
  before: number
}

export function ticketListPage(records: Records, filter: ListFilter): PageParts {
  const status = STATUSES.find((known) => known === filter.status)
  const pattern = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`
  const rows = records.all(
    'tickets',
    `SELECT * FROM tickets WHERE (? IS NULL OR status = ?) AND subject LIKE ? ESCAPE '\\' AND number < ?
     ORDER BY number DESC LIMIT ?`,
    status ?? null,
    status ?? null,
    pattern,
    filter.before,
    PAGE_SIZE + 1,
  )
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  const query = new URLSearchParams({ ...(status && { status }), ...(filter.search && { q: filter.search }) })
  const tabs = ['', ...STATUSES].map((name) => {
    const count = name === '' ? records.count('tickets') : records.count('tickets WHERE status = ?', name)
    const current = name === (status ?? '') && trusted(' aria-current="true"')
    return html`<a href="${name === '' ? '/' : `/?status=${name}`}"${current}>${name === '' ? 'all' : name.replace('_', ' ')} <span class="count">${count}</span></a>`
  })
  const older =
    last && rows.length > page.length ? new URLSearchParams([...query, ['before', String(last.number)]]) : null
  return {
    title: 'Tickets',
    section: '/',
    body: html`<div class="heading"><h1>Tickets</h1>
<form action="/" role="search">${status && html`<input type="hidden" name="status" value="${status}">`}<input type="search" name="q" value="${filter.search}" placeholder="Search subjects" aria-label="Search subjects"></form></div>
<nav class="tabs" aria-label="Status">${tabs}</nav>
${page.length === 0 ? html`<p class="empty">No ticket matches.</p>` : ticketTable(records, page)}
${older && html`<p class="more"><a href="/?${older.toString()}">Older tickets</a></p>`}`,
  }
}

export function ticketTable(records: Records, tickets: readonly TicketRow[]): Html {
  const rows = tickets.map((ticket) => {
    const requester = records.row('contacts', ticket.requester_id)
    const assignee = ticket.assignee_id === null ? undefined : records.row('agents', ticket.assignee_id)
    return html`<tr><td class="number">#${ticket.number}</td>
<td class="subject"><a href="/tickets/${ticket.number}">${subjectText(ticket.subject)}</a></td>
<td class="state">${statusBadge(ticket.status)}${priorityMark(ticket.priority)}</td>
<td class="who"><bdi>${requester?.name}</bdi></td>
<td class="owner">${assignee?.name ?? html`<span class="none">Unassigned</span>`}</td>
<td class="date">${moment(ticket.updated_at)}</td></tr>`
  })
  return html`<table class="list tickets"><thead><tr><th>No.</th><th>Subject</th><th>Status</th><th>Requester</th><th>Assignee</th><th>Updated</th></tr></thead><tbody>${rows}</tbody></table>`
}

export function ticketPage(records: Records, number: number, publicUrl: string): PageParts {
  const ticket = records.all('tickets', 'SELECT * FROM tickets WHERE number = ?', number)[0]
  if (!ticket) throw notFound('This ticket')
  const requester = records.row('contacts', ticket.requester_id)
  const comments = records.all('comments', 'SELECT * FROM comments WHERE ticket_id = ? ORDER BY id', ticket.id)
  const opening = html`<article class="message contact"><header><strong><bdi>${requester?.name}</bdi></strong> ${moment(ticket.created_at)}</header>
<div class="text" dir="auto">${renderBody(records.withLinks(ticket.description), publicUrl)}</div></article>`
  return {
    title: `#${number} ${ticket.subject || 'No subject'}`,
    section: '/',
    body: html`<div class="ticket"><div>
<p class="crumb"><a href="/">Tickets</a> / #${number}</p>
<h1>${subjectText(ticket.subject)}</h1>
<section class="thread" aria-label="Conversation">${opening}${comments.map((comment) => message(records, comment, publicUrl))}</section>
</div>${properties(records, ticket)}</div>`,
  }
}

function message(records: Records, comment: CommentRow, publicUrl: string): Html {
  const author = records.row(comment.author_type === 'agent' ? 'agents' : 'contacts', comment.author_id)
  const kind = comment.public === 0 ? 'note' : comment.author_type
  const left = author && 'deleted_at' in author && author.deleted_at !== null
  const files = records.attachmentsOf(comment.id)
  return html`<article class="message ${kind}"><header><strong><bdi>${author?.name ?? 'Unknown'}</bdi></strong>
${kind === 'note' && html`<span class="badge">private note</span>`}${left && html`<span class="badge">left the team</span>`}
${moment(comment.created_at)}</header>
<div class="text" dir="auto">${renderBody(records.withLinks(comment.body), publicUrl)}</div>
${files.length > 0 && html`<ul class="files">${files.map(fileLink)}</ul>`}</article>`
}

function fileLink(file: AttachmentRow): Html {
  return html`<li><a href="/attachments/${file.id}"><bdi>${file.file_name}</bdi></a> <span>${fileSize(file.size)}</span></li>`
}

function properties(records: Records, ticket: TicketRow): Html {
  const assignee = ticket.assignee_id === null ? undefined : records.row('agents', ticket.assignee_id)
  const group = ticket.group_id === null ? undefined : records.row('groups', ticket.group_id)
  const requester = records.row('contacts', ticket.requester_id)
  const organization =
    ticket.organization_id === null ? undefined : records.row('organizations', ticket.organization_id)
  const custom: Record<string, unknown> = JSON.parse(ticket.custom_fields)
  const tags: string[] = JSON.parse(ticket.tags)
  const cc: string[] = JSON.parse(ticket.cc)
  const line = (label: string, value: Html | string | null | undefined | false) =>
    value ? html`<div><dt>${label}</dt><dd>${value}</dd></div>` : html``
  const fields = records.all('ticket_fields', 'SELECT * FROM ticket_fields ORDER BY position').map((field) => {
    const labels = new Map(
      (JSON.parse(field.options) as { value: string; label: string }[]).map((o) => [o.value, o.label]),
    )
    const value = custom[field.key]
    const shown = [value]
      .flat()
      .map((item) => labels.get(String(item)) ?? (item === true ? 'Yes' : item === false ? 'No' : String(item)))
    return line(field.label, value !== undefined && value !== null && shown.join(', '))
  })
  return html`<aside aria-label="Properties"><dl>
${line('Status', statusBadge(ticket.status))}${line('Priority', ticket.priority)}${line('Type', ticket.type)}
${line('Requester', requester && html`<a href="/contacts/${requester.id}"><bdi>${requester.name}</bdi></a>`)}
${line('Organization', organization && html`<a href="/organizations/${organization.id}">${organization.name}</a>`)}
${line('Assignee', assignee?.name ?? 'Unassigned')}${line('Group', group?.name)}
${line('Copies to', cc.join(', '))}${line('Due', ticket.due_at && moment(ticket.due_at))}
${line('Tags', tags.length > 0 && html`${tags.map((tag) => html`<span class="tag">${tag}</span>`)}`)}
${fields}${line('Received', html`${moment(ticket.created_at)} by ${ticket.channel}`)}${line('Updated', moment(ticket.updated_at))}
</dl></aside>`
}

function priorityMark(priority: string): Html | false {
  return (
    (priority === 'high' || priority === 'urgent') && html` <span class="badge priority-${priority}">${priority}</span>`
  )
}
