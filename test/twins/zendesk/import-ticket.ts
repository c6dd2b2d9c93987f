import { AnswerError, answer, refuse } from '../answers.ts'
import { createJobs, type Job } from '../jobs.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, blank, found, idOf, invalid, momentOf, type Ticket, type User } from './account.ts'
import { addComment, type CommentBody, checkAuthor } from './comments.ts'
import { blankTicket, mergeTicket, type TicketBody } from './save-ticket.ts'
import { shapes } from './shapes.ts'
import { presentTicket } from './tickets.ts'

const maxComments = 5_000
const first = '1970-01-01T00:00:00Z'

/** Imports a ticket: no mail is sent, and all given times are kept. */
export function importTicket(account: Account, body: TicketBody, me: User, isArchived = false): Ticket {
  const { tickets } = account
  const clip = (name: 'created_at' | 'updated_at') => {
    const moment = momentOf(body[name], name)
    // A ticket older than 1970 gets the first moment of 1970.
    return moment !== undefined && moment < first ? first : moment
  }
  const merged = mergeTicket(account, body, blankTicket(account, me), me)
  const created_at = clip('created_at') ?? account.now()
  const updated_at = clip('updated_at') ?? account.now()
  const comments: CommentBody[] = [
    ...(body.description ? [{ body: body.description, created_at, author_id: merged.requester_id }] : []),
    ...(body.comments ?? []),
  ]
  if (comments.length === 0) blank('base', 'Description')
  if (comments.length > maxComments) invalid('comments', `Comments: there can be ${maxComments}`)
  const said = comments.map((comment) => checkComment(account, comment, created_at))
  const isSolved = ['solved', 'closed'].includes(merged.status)
  const ticket = tickets.put({
    ...merged,
    id: tickets.nextId(),
    created_at,
    updated_at,
    solved_at: isSolved ? (momentOf(body.solved_at, 'solved_at') ?? updated_at) : null,
    isArchived: isArchived && merged.status === 'closed',
  })
  for (const { comment, at } of said) addComment(account, idOf(ticket), comment, at, ticket.requester_id)
  return ticket
}

function checkComment(account: Account, comment: CommentBody, otherwise: string) {
  const { clock, uploads } = account
  if (!comment.body && !comment.html_body && !comment.value) blank('comment', 'Comment')
  const at = momentOf(comment.created_at, 'created_at') ?? otherwise
  if (at < first || Date.parse(at) > clock.now())
    invalid('created_at', 'Created at: cannot be before 1970 or in the future')
  checkAuthor(account, comment)
  for (const token of comment.uploads ?? []) {
    const upload = uploads.get(token)
    if (!upload || clock.now() >= upload.until) invalid('uploads', `Upload: ${token} is invalid or has expired`)
  }
  return { comment, at }
}

type Result = { index: number; id?: number; status?: string; error?: string; details?: unknown }

export function importOperations(account: Account, meOf: (headers: object) => User) {
  const jobs = createJobs<Result[]>(account.clock, {
    most: 30,
    takesMs: 2_000,
    tooMany: { error: 'TooManyJobs', description: 'Too many jobs are currently queued or running. Try again later.' },
  })
  const totals = new Map<string, number>()
  const present = ({ id, state, result }: Job<Result[]>) => ({
    id,
    job_type: 'Bulk Import Ticket',
    url: account.address(`job_statuses/${id}.json`),
    total: totals.get(id) ?? null,
    progress: result?.length ?? null,
    status: state,
    message: state === 'completed' ? 'Completed' : null,
    results: result,
  })
  const operations: Operation[] = [
    {
      ...shapes.importTicket,
      act({ json, headers, query }) {
        const isArchived = query.get('archive_immediately') === 'true'
        const ticket = importTicket(account, json.ticket, meOf(headers), isArchived)
        const shown = presentTicket(account, ticket)
        return answer(201, { ticket: shown }, { location: String(shown.url) })
      },
    },
    {
      ...shapes.importTickets,
      act({ json, headers, query }) {
        const bodies = json.tickets as TicketBody[]
        if (bodies.length > 100) refuse(400, { error: 'TooManyTickets', description: 'Up to 100 tickets' })
        const isArchived = query.get('archive_immediately') === 'true'
        const me = meOf(headers)
        const job = jobs.start(() =>
          bodies.map((body, index): Result => {
            try {
              return { index, id: idOf(importTicket(account, body, me, isArchived)), status: 'Created' }
            } catch (error) {
              if (!(error instanceof AnswerError)) throw error
              return { index, error: 'TicketCreateFailed', details: error.answer.json }
            }
          }),
        )
        totals.set(job.id, bodies.length)
        return answer(200, { job_status: present(job) })
      },
    },
    {
      ...shapes.job,
      act: ({ params }) => answer(200, { job_status: present(found(jobs.get(String(params.id)) ?? undefined)) }),
    },
    {
      ...shapes.manyJobs,
      act({ query }) {
        const ids = (query.get('ids') ?? '').split(',')
        return answer(200, { job_statuses: ids.flatMap((id) => jobs.get(id) ?? []).map(present) })
      },
    },
    {
      ...shapes.jobs,
      act: () => answer(200, { job_statuses: [...totals.keys()].flatMap((id) => jobs.get(id) ?? []).map(present) }),
    },
  ]
  return { operations, settle: () => jobs.settle() }
}
