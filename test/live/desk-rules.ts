import type { DeskRules } from './compare-desks.ts'

const isReal = (person: string) =>
  person.includes('@') &&
  !person.endsWith('@agents.example') &&
  !person.endsWith('.invalid') &&
  !person.startsWith('admin@') &&
  !person.endsWith('@localhost')

/** How each value of one tool must appear in the other, and which values are lost. */
export const rtToRedmineRules: DeskRules = {
  status: (given) =>
    ({ new: 'New', open: 'In Progress', stalled: 'Feedback', resolved: 'Resolved', rejected: 'Rejected' })[given] ??
    given,
  priority: (given) => (Number(given) >= 100 ? 'High' : Number(given) >= 50 ? 'Normal' : 'Low'),
  day: (given) => given,
  noSubject: '(no subject)',
  takesPrivateFiles: false,
  sharedFields: ['Severity', 'Reported on'],
  agents: ['amelia@agents.example'],
  isCounted: isReal,
}

export const redmineToRtRules: DeskRules = {
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
  // Request Tracker has other values for Severity, and no days before 1970.
  isRefused: (field, value) =>
    field === 'Severity' ? !['Low', 'Medium', 'High'].includes(value) : field === 'Reported on' && value < '1970',
  agents: ['ann.stone@customer.example', 'bob.hadad@customer.example'],
  isCounted: isReal,
}

export const csvToRedmineRules: DeskRules = {
  ...rtToRedmineRules,
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

export const csvToRtRules: DeskRules = {
  ...redmineToRtRules,
  status: (given) =>
    ({ pending: 'stalled', on_hold: 'stalled', solved: 'resolved', closed: 'resolved' })[given] ?? given,
  priority: (given) => ({ low: 0, normal: 50, high: 100, urgent: 100 })[given] ?? given,
  sharedFields: [],
}

const inHarbour = {
  day: (given: string | null) => given,
  noSubject: '',
  namesAuthors: false,
  agents: [],
  isCounted: (person: string) => person.includes('@'),
}

export const rtInHarbour: DeskRules = {
  ...inHarbour,
  sharedFields: ['Severity', 'Components', 'Customer number', 'Aliases', 'Reported on', 'Notes for QA'],
  status: (given) => ({ stalled: 'on_hold', resolved: 'solved', rejected: 'closed' })[given] ?? given,
  priority: (given) => (Number(given) >= 100 ? 'high' : Number(given) >= 50 ? 'normal' : 'low'),
}

export const redmineInHarbour: DeskRules = {
  ...inHarbour,
  // All custom fields except those with people and versions.
  sharedFields: [
    ...['Severity', 'Platforms', 'Customer', 'Reported on', 'Story points', 'Budget', 'Billable', 'QA notes', 'Spec'],
    'Phase',
  ],
  status: (given) =>
    ({
      New: 'new',
      'In Progress': 'open',
      Feedback: 'pending',
      Resolved: 'solved',
      Closed: 'closed',
      Rejected: 'closed',
    })[given] ?? given,
  priority: (given) => ({ Immediate: 'urgent' })[given] ?? String(given).toLowerCase(),
}
