import type { DeskRules } from './compare-desks.ts'

const isReal = (person: string) =>
  person.includes('@') &&
  !person.endsWith('@agents.example') &&
  !person.endsWith('.invalid') &&
  !person.startsWith('admin@') &&
  !person.endsWith('@localhost')

/** What the names of one tool mean in the other, and what cannot be kept. */
export const rtToRedmine: DeskRules = {
  status: (given) =>
    ({ new: 'New', open: 'In Progress', stalled: 'Feedback', resolved: 'Resolved', rejected: 'Rejected' })[given] ??
    given,
  priority: (given) => (Number(given) >= 100 ? 'High' : Number(given) >= 50 ? 'Normal' : 'Low'),
  day: (given) => given,
  noSubject: '(no subject)',
  sharedFields: ['Severity', 'Reported on'],
  agents: ['amelia@agents.example'],
  isCounted: isReal,
}

export const redmineToRt: DeskRules = {
  status: (given) =>
    ({
      New: 'new',
      'In Progress': 'open',
      Feedback: 'stalled',
      Resolved: 'resolved',
      Closed: 'resolved',
      Rejected: 'rejected',
    })[given] ?? given,
  priority: (given) => ({ Low: 0, Normal: 50 })[given] ?? 100,
  day: (given) => (given !== null && given < '1970' ? null : given),
  noSubject: '',
  sharedFields: ['Severity', 'Reported on'],
  // Request Tracker has other values here, and no days before 1970.
  isRefused: (field, value) =>
    field === 'Severity' ? !['Low', 'Medium', 'High'].includes(value) : field === 'Reported on' && value < '1970',
  agents: ['ann.stone@customer.example', 'bob.hadad@customer.example'],
  isCounted: isReal,
}

export const csvToRedmine: DeskRules = {
  ...rtToRedmine,
  status: (given) =>
    ({
      new: 'New',
      open: 'In Progress',
      pending: 'Feedback',
      on_hold: 'Feedback',
      solved: 'Resolved',
      closed: 'Closed',
    })[given] ?? given,
  priority: (given) => ({ low: 'Low', normal: 'Normal', high: 'High', urgent: 'Urgent' })[given] ?? given,
  sharedFields: [],
}

export const csvToRt: DeskRules = {
  ...redmineToRt,
  status: (given) =>
    ({ pending: 'stalled', on_hold: 'stalled', solved: 'resolved', closed: 'resolved' })[given] ?? given,
  priority: (given) => ({ low: 0, normal: 50, high: 100, urgent: 100 })[given] ?? given,
  sharedFields: [],
}
