import { type Channel, channel } from 'node:diagnostics_channel'

/** Results of one record. `created` and `updated` are sent records that arrived. */
export type RecordOutcome =
  | 'created'
  | 'updated'
  | 'matched'
  | 'refused'
  | 'filtered'
  | 'held'
  | 'deleted'
  | 'unknown'
  | 'removed'
  | 'kept'

/** Every signal that the service gives about its own work. Ids, names and contents have no place here. */
export interface Signals {
  /** The template of the route; undefined for an address that has none. */
  answered: { route: string | undefined; method: string; status: number; seconds: number }
  limited: { limit: 'partner' | 'failed_authentication' | 'portal_link' | 'console_sign_in' }
  'page read': { tool: string; records: number }
  'records settled': { tool: string; outcomes: Partial<Record<RecordOutcome, number>> }
  'run changed': { kind: string; change: 'started' | 'finished' | 'paused' }
  retried: { work: 'run' | 'tool_request' | 'webhook' | 'mail' }
  'obstacle met': { code: string }
  /** Null without an answer. */
  'tool asked': { tool: string; status: number | null; seconds: number }
  'delivery tried': {
    outcome: 'delivered' | 'refused' | 'no_answer' | 'stopped'
    seconds: number
    /** From the commit of the change to the target's answer; null if the message did not arrive. */
    arrivalSeconds: number | null
  }
  'deliveries given up': { count: number }
  'mail tried': { outcome: 'sent' | 'put_off' | 'given_up' }
}

type Name = keyof Signals

const channels = new Map<Name, Channel>()

function channelOf(name: Name): Channel {
  const known = channels.get(name)
  if (known) return known
  const made = channel(`wherry:${name}`)
  channels.set(name, made)
  return made
}

/** Costs next to nothing while nobody watches. */
export function tell<N extends Name>(name: N, signal: Signals[N]): void {
  const told = channelOf(name)
  if (told.hasSubscribers) told.publish(signal)
}

/** Calls back for every signal of this process, until the returned function is called. */
export function watch<N extends Name>(name: N, onSignal: (signal: Signals[N]) => void): () => void {
  const listener = (signal: unknown) => onSignal(signal as Signals[N])
  const told = channelOf(name)
  told.subscribe(listener)
  return () => told.unsubscribe(listener)
}

/** Counts how often each outcome occurs. */
export function countOutcomes(outcomes: Iterable<RecordOutcome>): Partial<Record<RecordOutcome, number>> {
  const counts: Partial<Record<RecordOutcome, number>> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
