import type { DatabaseSync } from 'node:sqlite'
import { invalid, notFound } from './errors.ts'
import { insertInto, inTransaction } from './open-database.ts'
import { isDay, parseMoment } from './query-parameters.ts'
import type { Records } from './records.ts'
import type { TicketFieldRow, TicketRow } from './rows.ts'

/** The fields that a client may set. The route's schema has checked their types. */
export interface TicketInput {
  subject?: string
  description?: string
  status?: string
  priority?: string
  type?: string
  requester_id?: number
  assignee_id?: number | null
  group_id?: number | null
  organization_id?: number | null
  cc?: string[]
  tags?: string[]
  custom_fields?: Record<string, unknown>
  due_at?: string | null
}

export interface CommentInput {
  author_type: 'agent' | 'contact'
  author_id: number
  body: string
  public?: boolean
}

const TICKET_COLUMNS = [
  'subject',
  'description',
  'status',
  'priority',
  'type',
  'channel',
  'requester_id',
  'assignee_id',
  'group_id',
  'organization_id',
  'cc',
  'tags',
  'custom_fields',
  'due_at',
] as const satisfies (keyof TicketRow)[]

export function createTicketWriter(db: DatabaseSync, records: Records, now: () => Date) {
  const insertTicket = insertInto(db, 'tickets')
  const insertComment = insertInto(db, 'comments')
  const update = db.prepare(
    `UPDATE tickets SET ${TICKET_COLUMNS.map((name) => `${name} = :${name}`).join(', ')}, updated_at = :updated_at
     WHERE id = :id`,
  )
  const touch = db.prepare('UPDATE tickets SET updated_at = ? WHERE id = ?')
  // Files belong to comments, and comments to tickets, so files are deleted first and tickets last.
  const deleteOf = (column: 'ticket_id' | 'comment_id') => ({
    attachments: db.prepare(`DELETE FROM attachments WHERE ${column} = ?`),
    comments: db.prepare(`DELETE FROM comments WHERE ${column === 'comment_id' ? 'id' : column} = ?`),
  })
  const ofTicket = deleteOf('ticket_id')
  const ofComment = deleteOf('comment_id')
  const dropTicket = db.prepare('DELETE FROM tickets WHERE id = ?')

  const mustFind = (id: number): TicketRow => {
    const row = records.row('tickets', id)
    if (!row) throw notFound('This ticket')
    return row
  }

  return {
    createTicket(input: TicketInput): number {
      return inTransaction(db, () => {
        const fields = checkTicket(input, records)
        const requester = records.row('contacts', input.requester_id ?? 0)
        if (!requester) throw invalid({ requester_id: 'A requester is needed.' })
        const stamp = now().toISOString()
        const last = db.prepare('SELECT max(number) AS number FROM tickets').get()
        return insertTicket({
          subject: '',
          description: '',
          status: 'new',
          priority: 'normal',
          type: 'question',
          channel: 'api',
          assignee_id: null,
          group_id: null,
          organization_id: requester.organization_id,
          cc: '[]',
          tags: '[]',
          custom_fields: '{}',
          due_at: null,
          ...fields,
          requester_id: requester.id,
          number: Number(last?.number ?? 1000) + 1,
          created_at: stamp,
          updated_at: stamp,
        })
      })
    },

    /** Custom fields are merged key by key. A change without effect does not change `updated_at`. */
    changeTicket(id: number, input: TicketInput): void {
      inTransaction(db, () => {
        const before = mustFind(id)
        const fields = checkTicket(input, records)
        if (fields.custom_fields !== undefined) {
          const merged = { ...JSON.parse(before.custom_fields), ...JSON.parse(fields.custom_fields) }
          fields.custom_fields = JSON.stringify(merged)
        }
        const after = { ...before, ...fields }
        if (TICKET_COLUMNS.every((name) => after[name] === before[name])) return
        const values = Object.fromEntries(TICKET_COLUMNS.map((name) => [name, after[name]]))
        update.run({ ...values, id, updated_at: laterThan(before.updated_at, now()) })
      })
    },

    addComment(ticketId: number, input: CommentInput): number {
      return inTransaction(db, () => {
        const ticket = mustFind(ticketId)
        if (!records.row(input.author_type === 'agent' ? 'agents' : 'contacts', input.author_id)) {
          throw invalid({ author_id: `There is no ${input.author_type} with this id.` })
        }
        const stamp = laterThan(ticket.updated_at, now())
        touch.run(stamp, ticketId)
        return insertComment({
          ticket_id: ticketId,
          author_type: input.author_type,
          author_id: input.author_id,
          public: input.public === false ? 0 : 1,
          body: input.body,
          created_at: stamp,
          updated_at: stamp,
        })
      })
    },

    /** Deletes the ticket with its comments and their files. */
    deleteTicket(id: number): void {
      inTransaction(db, () => {
        mustFind(id)
        ofTicket.attachments.run(id)
        ofTicket.comments.run(id)
        dropTicket.run(id)
      })
    },

    /** Deletes the comment with its files. */
    deleteComment(id: number): void {
      inTransaction(db, () => {
        const comment = records.row('comments', id)
        if (!comment) throw notFound('This comment')
        touch.run(laterThan(mustFind(comment.ticket_id).updated_at, now()), comment.ticket_id)
        ofComment.attachments.run(id)
        ofComment.comments.run(id)
      })
    },
  }
}

export type TicketWriter = ReturnType<typeof createTicketWriter>

/** Each time is later than the one before, so that readers with `updated_since` see every change. */
function laterThan(previous: string, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString()
}

function checkTicket(input: TicketInput, records: Records): Partial<TicketRow> {
  const { cc, tags, custom_fields: custom, due_at: dueAt, ...plain } = input
  const problems: Record<string, string> = {}
  const references = [
    ['requester_id', 'contacts', input.requester_id],
    ['assignee_id', 'agents', input.assignee_id],
    ['group_id', 'groups', input.group_id],
    ['organization_id', 'organizations', input.organization_id],
  ] as const
  for (const [field, entity, id] of references) {
    const row = typeof id === 'number' ? records.row(entity, id) : null
    if (row === undefined) problems[field] = `There is no record with this id in ${entity}.`
    else if (row && 'deleted_at' in row && row.deleted_at !== null) problems[field] = 'This agent was deleted.'
  }
  const moment = typeof dueAt === 'string' ? parseMoment(dueAt) : null
  if (typeof dueAt === 'string' && moment === null) problems.due_at = 'Must be an ISO 8601 date or time, or null.'
  for (const [key, value] of Object.entries(custom ?? {})) {
    const definition = records.all('ticket_fields', 'SELECT * FROM ticket_fields WHERE key = ?', key)[0]
    const problem = definition ? checkCustomValue(definition, value) : 'There is no such ticket field.'
    if (problem) problems[`custom_fields.${key}`] = problem
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return {
    ...plain,
    ...(cc && { cc: JSON.stringify(cc) }),
    ...(tags && { tags: JSON.stringify(tags) }),
    ...(custom && { custom_fields: JSON.stringify(custom) }),
    ...(dueAt !== undefined && { due_at: moment }),
  }
}

function checkCustomValue(field: TicketFieldRow, value: unknown): string | null {
  if (value === null) return null
  const allowed = (JSON.parse(field.options) as { value: string }[]).map((option) => option.value)
  const isOption = (item: unknown) => typeof item === 'string' && allowed.includes(item)
  const checks: Record<TicketFieldRow['type'], [boolean, string]> = {
    text: [typeof value === 'string', 'Must be a text.'],
    number: [typeof value === 'number', 'Must be a number.'],
    date: [typeof value === 'string' && isDay(value), 'Must be a date such as 2025-03-31.'],
    checkbox: [typeof value === 'boolean', 'Must be true or false.'],
    select: [isOption(value), 'Must be one of the options of this field.'],
    multi_select: [Array.isArray(value) && value.every(isOption), 'Must be a list of options of this field.'],
  }
  const [fits, problem] = checks[field.type]
  return fits ? null : problem
}
