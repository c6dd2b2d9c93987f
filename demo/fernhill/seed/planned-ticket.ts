import type { FileSeed } from './files.ts'

export interface PlannedComment {
  by: 'agent' | 'contact'
  authorId: number
  /** False for a private note. */
  public: boolean
  body: string
  files?: readonly FileSeed[]
}

/** A planned ticket of the seed; the insert fills in the missing fields. */
export interface PlannedTicket {
  subject: string
  description: string
  requesterId: number
  comments: readonly PlannedComment[]
  status?: string
  priority?: string
  type?: string
  channel?: string
  assigneeId?: number | null
  groupId?: number
  cc?: readonly string[]
  tags?: readonly string[]
  customFields?: Record<string, unknown>
  dueInDays?: number
  createdAt?: string
}

export const byAgent = (authorId: number, body: string, files: readonly FileSeed[] = []): PlannedComment => ({
  by: 'agent',
  authorId,
  public: true,
  body,
  files,
})

export const byContact = (authorId: number, body: string, files: readonly FileSeed[] = []): PlannedComment => ({
  by: 'contact',
  authorId,
  public: true,
  body,
  files,
})

export const note = (authorId: number, body: string): PlannedComment => ({
  by: 'agent',
  authorId,
  public: false,
  body,
})
