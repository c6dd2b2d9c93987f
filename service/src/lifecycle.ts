/** The nine statuses, by code, with the texts that API and webhooks use. */
export const statusTexts = {
  collecting_credentials: 'Collecting credentials',
  waiting_to_start_sample_migration: 'Waiting to start sample migration',
  sample_migration_in_progress: 'Sample migration in progress',
  sample_migration_completed: 'Sample migration completed',
  in_preparation: 'In preparation',
  migration_in_progress: 'Migration in progress',
  migration_completed: 'Migration completed',
  undo_in_progress: 'Undo in progress',
  migration_cleaned: 'Migration cleaned',
} as const

export type ImportStatus = keyof typeof statusTexts

export const importStatuses = Object.keys(statusTexts) as ImportStatus[]

export const initialStatus: ImportStatus = 'collecting_credentials'

export type Sponsorship = 'undecided' | 'accepted' | 'rejected'

/** Further conditions of a move; each is one condition on the import's own row (see move-import.ts). */
export type MoveCondition =
  | 'sample first'
  | 'start_full'
  | 'sponsorship accepted'
  | 'sponsorship accepted or paid'
  | 'paid'
  | 'not paid'
  | 'not paid, with a sample'
  | 'not paid, without a sample'

export interface Move {
  from: ImportStatus
  event: string
  when?: MoveCondition
  to: ImportStatus
}

/** All allowed moves. No other move can happen: move-import.ts builds its statement from this table. */
export const moves = [
  {
    from: 'collecting_credentials',
    event: 'both accounts authorized',
    when: 'sample first',
    to: 'waiting_to_start_sample_migration',
  },
  { from: 'collecting_credentials', event: 'both accounts authorized', when: 'start_full', to: 'in_preparation' },
  {
    from: 'waiting_to_start_sample_migration',
    event: 'customer starts the sample',
    to: 'sample_migration_in_progress',
  },
  {
    from: 'sample_migration_in_progress',
    event: 'last sample record verified',
    to: 'sample_migration_completed',
  },
  {
    from: 'sample_migration_completed',
    event: 'customer changes the mapping and restarts',
    to: 'sample_migration_in_progress',
  },
  { from: 'sample_migration_completed', event: 'purchase is paid', when: 'paid', to: 'in_preparation' },
  {
    from: 'sample_migration_completed',
    event: 'customer starts the full migration',
    when: 'sponsorship accepted',
    to: 'migration_in_progress',
  },
  {
    from: 'in_preparation',
    event: 'customer starts the full migration',
    when: 'sponsorship accepted or paid',
    to: 'migration_in_progress',
  },
  {
    from: 'in_preparation',
    event: 'purchase is refunded',
    when: 'not paid, with a sample',
    to: 'sample_migration_completed',
  },
  {
    from: 'in_preparation',
    event: 'purchase is refunded',
    when: 'not paid, without a sample',
    to: 'waiting_to_start_sample_migration',
  },
  { from: 'migration_in_progress', event: 'last record verified', to: 'migration_completed' },
  {
    from: 'migration_completed',
    event: 'customer asks for the changes since',
    when: 'sponsorship accepted or paid',
    to: 'migration_in_progress',
  },
  { from: 'sample_migration_completed', event: 'customer undoes', to: 'undo_in_progress' },
  { from: 'migration_completed', event: 'customer undoes', to: 'undo_in_progress' },
  { from: 'sample_migration_in_progress', event: 'customer stops and undoes', to: 'undo_in_progress' },
  { from: 'migration_in_progress', event: 'customer stops and undoes', to: 'undo_in_progress' },
  { from: 'undo_in_progress', event: 'last record removed', to: 'migration_cleaned' },
  {
    from: 'migration_cleaned',
    event: 'customer starts over',
    when: 'not paid',
    to: 'waiting_to_start_sample_migration',
  },
  { from: 'migration_cleaned', event: 'customer starts over', when: 'paid', to: 'in_preparation' },
] as const satisfies Move[]

export type MoveEvent = (typeof moves)[number]['event']

/** The diagram of docs/architecture.md, in Mermaid's words. */
export function lifecycleDiagram(): string {
  const line = ({ from, event, when, to }: Move) => `  ${from} --> ${to}: ${event}${when ? ` (${when})` : ''}`
  const names = importStatuses.map((code) => `  state "${statusTexts[code]}" as ${code}`)
  return ['stateDiagram-v2', ...names, `  [*] --> ${initialStatus}: created`, ...moves.map(line)].join('\n')
}
