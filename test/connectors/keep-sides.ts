import type { SideRecord, SideRecords } from '../../service/src/connectors/contract/contract.ts'

/**
 * A writer's notes as the ledger keeps them: they outlive the writer. `all` lists the newest first, as an undo needs.
 */
export function keepSides(): SideRecords & { all(): SideRecord[] } {
  const notes = new Map<string, SideRecord>()
  const nameOf = ({ kind, mark }: Pick<SideRecord, 'kind' | 'mark'>) => `${kind} ${mark}`
  return {
    async note(...records) {
      for (const record of records) notes.set(nameOf(record), record)
    },
    async forget(...records) {
      for (const record of records) notes.delete(nameOf(record))
    },
    list: async (kind, marks) =>
      [...notes.values()].filter((record) => record.kind === kind && (marks?.includes(record.mark) ?? true)),
    all: () => [...notes.values()].reverse(),
  }
}
