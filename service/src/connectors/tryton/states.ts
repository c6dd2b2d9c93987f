/** Every opportunity is in one of these, in this order; nobody can add any. */
export const states = [
  { id: 'lead', label: 'Lead', outcome: 'open' },
  { id: 'opportunity', label: 'Opportunity', outcome: 'open' },
  { id: 'converted', label: 'Converted', outcome: 'open' },
  { id: 'won', label: 'Won', outcome: 'won' },
  { id: 'cancelled', label: 'Cancelled', outcome: 'lost' },
  { id: 'lost', label: 'Lost', outcome: 'lost' },
] as const

export type State = (typeof states)[number]['id']

/** Tryton has one way of selling. */
export const pipelineId = 'opportunities'
export const pipelineName = 'Opportunities'

export const isState = (text: unknown): text is State => states.some(({ id }) => id === text)

export function outcomeOf(state: string): 'open' | 'won' | 'lost' {
  return states.find(({ id }) => id === state)?.outcome ?? 'open'
}

/** The state for a stage of another tool: by its name, or by what it comes to. */
export function stateFor(name: string, outcome: string): State {
  const word = name.trim().toLowerCase()
  const named = states.find(({ id, label }) => id === word || label.toLowerCase() === word)
  if (named) return named.id
  if (outcome === 'won') return 'won'
  return outcome === 'lost' ? 'lost' : 'opportunity'
}
