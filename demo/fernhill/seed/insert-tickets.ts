import type { DatabaseSync } from 'node:sqlite'
import { computedBytes, sha256Of } from '../attachment-bytes.ts'
import { insertInto } from '../open-database.ts'
import type { PersonSeed } from './insert-people.ts'
import { FIRST_NUMBER } from './plan-tickets.ts'
import type { PlannedComment, PlannedTicket } from './planned-ticket.ts'
import type { Random } from './random.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SPAN_DAYS = 420

/** Inserts the tickets with their comments and files. Lower numbers get earlier dates. */
export function insertTickets(
  db: DatabaseSync,
  random: Random,
  now: Date,
  planned: readonly PlannedTicket[],
  people: readonly PersonSeed[],
): void {
  const insertTicket = insertInto(db, 'tickets')
  const insertComment = createCommentInsert(db)
  const step = (SPAN_DAYS * DAY_MS) / planned.length

  planned.forEach((ticket, index) => {
    const id = index + 1
    const spread = now.getTime() - (planned.length - index) * step + random.below(step * 0.8)
    const createdAt = ticket.createdAt ? Date.parse(ticket.createdAt) : Math.floor(spread)
    const times = commentTimes(random, createdAt, now.getTime(), ticket.comments.length)
    const purchaseDate = new Date(createdAt - 9 * DAY_MS).toISOString().slice(0, 10)
    const custom = { ...ticket.customFields, ...(index % 3 === 0 && { purchase_date: purchaseDate }) }
    const due = ticket.dueInDays === undefined ? null : new Date(createdAt + ticket.dueInDays * DAY_MS).toISOString()
    insertTicket({
      id,
      number: FIRST_NUMBER + index,
      subject: ticket.subject,
      description: ticket.description,
      status: ticket.status ?? 'solved',
      priority: ticket.priority ?? 'normal',
      type: ticket.type ?? 'question',
      channel: ticket.channel ?? 'email',
      requester_id: ticket.requesterId,
      assignee_id: ticket.assigneeId === undefined ? firstAgent(ticket.comments) : ticket.assigneeId,
      group_id: ticket.groupId ?? null,
      organization_id: people[ticket.requesterId - 1]?.organizationId ?? null,
      cc: JSON.stringify(ticket.cc ?? []),
      tags: JSON.stringify(ticket.tags ?? []),
      custom_fields: JSON.stringify(custom),
      due_at: due,
      created_at: new Date(createdAt).toISOString(),
      updated_at: new Date(times.at(-1) ?? createdAt).toISOString(),
    })
    ticket.comments.forEach((comment, position) => {
      insertComment(id, comment, new Date(times[position] ?? createdAt).toISOString())
    })
  })
}

function createCommentInsert(db: DatabaseSync) {
  const insertComment = insertInto(db, 'comments')
  const insertAttachment = insertInto(db, 'attachments')
  let comments = 0
  let attachments = 0
  return (ticketId: number, { by, authorId, public: isPublic, body, files = [] }: PlannedComment, stamp: string) => {
    const stamps = { created_at: stamp, updated_at: stamp }
    const firstFile = attachments + 1
    comments += 1
    insertComment({
      id: comments,
      ticket_id: ticketId,
      author_type: by,
      author_id: authorId,
      public: isPublic ? 1 : 0,
      // The plan refers to inline pictures by their position in the comment, because their ids are known only now.
      body: body.replaceAll(
        /\/attachments\/file-(\d+)/g,
        (_match, place) => `/attachments/${firstFile + Number(place)}`,
      ),
      ...stamps,
    })
    for (const { name, type, size, content, inline } of files) {
      attachments += 1
      insertAttachment({
        comment_id: comments,
        ticket_id: ticketId,
        file_name: name,
        content_type: type,
        size,
        sha256: sha256Of(content ? [content] : computedBytes(size)),
        inline: inline ? 1 : 0,
        content,
        ...stamps,
      })
    }
  }
}

/** Comments follow after 1 to 30 hours. In a recent ticket they follow faster, so that all are before `now`. */
function commentTimes(random: Random, createdAt: number, now: number, count: number): number[] {
  let total = 0
  const offsets = Array.from({ length: count }, () => {
    total += random.between(1, 30) * HOUR_MS - random.below(HOUR_MS)
    return total
  })
  const scale = Math.min(1, (now - createdAt - HOUR_MS) / Math.max(total, 1))
  return offsets.map((offset) => Math.floor(createdAt + offset * scale))
}

function firstAgent(comments: readonly PlannedComment[]): number | null {
  return comments.find(({ by }) => by === 'agent')?.authorId ?? null
}
