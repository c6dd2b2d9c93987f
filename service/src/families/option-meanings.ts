/**
 * Options of different names with one meaning. `names` are in order of preference; `instead` are the meanings to use
 * where a tool has none of the names. Written without spaces and capitals; see `closestOption`.
 */
export const optionMeanings: Readonly<Record<string, { names: readonly string[]; instead: readonly string[] }>> = {
  new: { names: ['new', 'unopened', 'todo', 'backlog', 'unassigned', 'planned'], instead: ['open'] },
  open: {
    names: ['open', 'inprogress', 'doing', 'active', 'started', 'assigned', 'reopened', 'ongoing'],
    instead: ['new'],
  },
  pending: {
    names: ['pending', 'waiting', 'waitingoncustomer', 'waitingforcustomer', 'awaitingreply', 'feedback', 'hold'],
    instead: ['on_hold', 'open', 'draft'],
  },
  on_hold: {
    names: ['onhold', 'hold', 'paused', 'stalled', 'deferred', 'blocked', 'locked'],
    instead: ['pending', 'open'],
  },
  solved: { names: ['solved', 'resolved', 'done', 'fixed', 'answered', 'completed', 'complete'], instead: ['closed'] },
  closed: { names: ['closed', 'archived', 'done', 'finished', 'completed', 'complete'], instead: ['solved'] },
  rejected: {
    names: ['rejected', 'declined', 'wontfix', 'invalid', 'cancelled', 'canceled', 'duplicate', 'rescheduled'],
    instead: ['closed', 'solved'],
  },
  // Calls, meetings and e-mails that took place without success, or that a tool never finished.
  attempted: {
    names: [
      ...['attempted', 'noshow', 'noanswer', 'missed', 'busy', 'bounced', 'connected'],
      ...['connecting', 'ringing', 'callingcrmuser', 'sending'],
    ],
    instead: ['closed'],
  },
  lowest: { names: ['lowest', 'trivial', 'minor'], instead: ['low'] },
  low: { names: ['low', 'minor', 'trivial', 'lowest'], instead: ['normal'] },
  normal: { names: ['normal', 'medium', 'default', 'moderate', 'none'], instead: [] },
  high: { names: ['high', 'major', 'important'], instead: ['urgent', 'normal'] },
  urgent: { names: ['urgent', 'critical', 'highest', 'immediate', 'emergency', 'blocker'], instead: ['high'] },
  immediate: { names: ['immediate', 'emergency', 'blocker', 'highest', 'critical'], instead: ['urgent', 'high'] },
  question: { names: ['question', 'support', 'inquiry', 'help'], instead: ['task'] },
  incident: { names: ['incident', 'problem', 'bug', 'defect', 'issue'], instead: ['task', 'question'] },
  problem: { names: ['problem', 'bug', 'defect', 'incident', 'issue'], instead: ['incident', 'task'] },
  bug: { names: ['bug', 'defect', 'problem', 'incident'], instead: ['task'] },
  feature: { names: ['feature', 'enhancement', 'story', 'improvement', 'featurerequest'], instead: ['task'] },
  task: { names: ['task', 'todo', 'chore', 'subtask'], instead: ['feature', 'question'] },
  published: { names: ['published', 'publish', 'live'], instead: [] },
  draft: { names: ['draft', 'autodraft', 'pending'], instead: [] },
  scheduled: { names: ['scheduled', 'future'], instead: ['draft'] },
  private: { names: ['private', 'internal', 'members', 'restricted'], instead: ['draft'] },
  public: { names: ['public', 'everyone', 'published'], instead: [] },
  approved: { names: ['approved', 'approve', 'published'], instead: [] },
  spam: { names: ['spam', 'junk', 'hidden'], instead: [] },
  trash: { names: ['trash', 'deleted', 'hidden'], instead: ['spam'] },
  won: { names: ['won', 'closedwon', 'converted', 'success'], instead: ['closed'] },
  lost: { names: ['lost', 'closedlost', 'cancelled', 'failed'], instead: ['closed'] },
}
