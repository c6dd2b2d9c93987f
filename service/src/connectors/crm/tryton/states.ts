import { type FixedRecords, fixedRecordFor } from '../../kit/fixed-records.ts'

/** All states of an opportunity in Tryton's order. Users cannot add states. */
export const states = [
  { id: 'lead', label: 'Lead', outcome: 'open' },
  { id: 'opportunity', label: 'Opportunity', outcome: 'open' },
  { id: 'converted', label: 'Converted', outcome: 'open' },
  { id: 'won', label: 'Won', outcome: 'won' },
  { id: 'cancelled', label: 'Cancelled', outcome: 'lost' },
  { id: 'lost', label: 'Lost', outcome: 'lost' },
] as const

export type State = (typeof states)[number]['id']

/** Tryton has exactly one pipeline. */
export const pipelineId = 'opportunities'
export const pipelineName = 'Opportunities'

export const isState = (text: unknown): text is State => states.some(({ id }) => id === text)

export const outcomeOf = (state: string): 'open' | 'won' | 'lost' =>
  states.find(({ id }) => id === state)?.outcome ?? 'open'

/** A stage of another tool becomes the state of the same name or, without one, of its outcome. */
export const fixedStates: FixedRecords<State> = {
  named: Object.fromEntries(states.map(({ id, label }) => [label.toLowerCase(), id])),
  field: 'outcome',
  values: { won: 'won', lost: 'lost' },
  otherwise: 'opportunity',
}

export const stateFor = (name: string, outcome: string): State => fixedRecordFor(fixedStates, name, { outcome })
