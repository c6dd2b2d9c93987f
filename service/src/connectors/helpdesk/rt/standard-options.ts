// Request Tracker's own values and the family's equivalents, both ways. Sites can have lifecycles of their own: their
// statuses keep their names.

const statusToFamily: Record<string, string> = { stalled: 'on_hold', resolved: 'solved' }
const statusFromFamily: Record<string, string> = {
  pending: 'stalled',
  on_hold: 'stalled',
  solved: 'resolved',
  closed: 'resolved',
}

/** The customer's choices. The last one has no equivalent in the family. */
export const statusOptions = ['new', 'open', 'pending', 'on_hold', 'solved', 'closed', 'rejected']
export const defaultStatus = 'new'

export const readStatus = (status: string): string => statusToFamily[status] ?? status
export const writeStatus = (status: string): string => statusFromFamily[status] ?? status.toLowerCase()

/** A number, which pages show as Low, Medium from 50 on and High from 100 on, unless the site has other words. */
export const priorityOptions = ['low', 'normal', 'high', 'urgent']
const priorityNumbers: Record<string, number> = { low: 0, normal: 50, high: 100, urgent: 100 }

export function readPriority(number: number): string {
  if (number >= 100) return 'high'
  return number >= 50 ? 'normal' : 'low'
}

export const writePriority = (priority: string): number => priorityNumbers[priority] ?? 0

/** Statuses that a ticket can be born with in the lifecycle that comes with Request Tracker, and those that it cannot. */
const bornWith = ['new', 'open', 'resolved']
const reachedFromOpen = ['stalled', 'rejected']

/** Statuses to create a ticket with, tried until one is accepted; the true status follows with the first message. */
export function statusesAtBirth(status: string): string[] {
  if (bornWith.includes(status)) return [status]
  return reachedFromOpen.includes(status) ? ['open'] : [status, 'open']
}
