// Request Tracker's values and the family's equivalents, in both directions. Statuses of a site's own lifecycle keep
// their names.

const statusToFamily: Record<string, string> = { stalled: 'on_hold', resolved: 'solved' }
const statusFromFamily: Record<string, string> = {
  pending: 'stalled',
  on_hold: 'stalled',
  solved: 'resolved',
  closed: 'resolved',
}

/** The statuses that a customer can choose. The family has no equivalent for the last one, "rejected". */
export const statusOptions = ['new', 'open', 'pending', 'on_hold', 'solved', 'closed', 'rejected']
export const defaultStatus = 'new'

export const readStatus = (status: string): string => statusToFamily[status] ?? status
export const writeStatus = (status: string): string => statusFromFamily[status] ?? status.toLowerCase()

/**
 * Request Tracker stores a number. Pages show Low, Medium from 50 on and High from 100 on, unless the site changed
 * these names.
 */
export const priorityOptions = ['low', 'normal', 'high', 'urgent']
const priorityNumbers: Record<string, number> = { low: 0, normal: 50, high: 100, urgent: 100 }

export function readPriority(number: number): string {
  if (number >= 100) return 'high'
  return number >= 50 ? 'normal' : 'low'
}

export const writePriority = (priority: string): number => priorityNumbers[priority] ?? 0

/**
 * Statuses with which Request Tracker's default lifecycle can create a ticket, and statuses that only an open ticket
 * can get.
 */
const bornWith = ['new', 'open', 'resolved']
const reachedFromOpen = ['stalled', 'rejected']

/** Statuses to try when creating a ticket, in order. The final status is set with the first message. */
export function statusesAtBirth(status: string): string[] {
  if (bornWith.includes(status)) return [status]
  return reachedFromOpen.includes(status) ? ['open'] : [status, 'open']
}
