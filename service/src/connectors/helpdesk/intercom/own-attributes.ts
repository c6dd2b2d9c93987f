// Attributes that Intercom itself gives to every conversation. Its list of attributes has only those of the workspace.

/** What they say is about the conversation. They are read unless the workspace has attributes of these names. */
const telling = ['AI Title', 'Created by app package code', 'Language']

/** Marks of Intercom's own features. Without `true` or a number they say nothing. */
const marks = new Set([
  'Auto-translated',
  'Copilot used',
  'Fin AI Agent: Image used in reply',
  'Fin AI Agent: Preview',
  'Fin awaiting teammate input',
  'Has attachments',
  'Has QA Notes',
  'Imported via standalone',
  'QA Notes Count',
  'SDR Success Counted',
])

type Raw = Readonly<Record<string, unknown>>

export function withIntercoms(attributes: readonly Raw[]): Raw[] {
  const names = new Set(attributes.map(({ name }) => name))
  return [...attributes, ...telling.flatMap((name) => (names.has(name) ? [] : { name, data_type: 'string' }))]
}

/** The values without marks that say nothing. */
export const withoutMarks = (values: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries((values ?? {}) as Raw).filter(([name, value]) => !marks.has(name) || value))
