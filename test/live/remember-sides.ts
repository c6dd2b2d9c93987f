import type { SideOutcome, SideRecord, SideRecords, Writer } from '../../service/src/connectors/contract/contract.ts'

export interface RememberedSides extends SideRecords {
  all(): SideRecord[]
  /** Removes all side records, like the last stage of an undo. Remaining records stay remembered. */
  removeAll(writer: Writer): Promise<SideOutcome[]>
}

/** Keeps the side records of a writer that works without the service. */
export function rememberSides(): RememberedSides {
  const noted = new Map<string, SideRecord>()
  const keyOf = ({ kind, mark }: Pick<SideRecord, 'kind' | 'mark'>) => `${kind} ${mark}`
  const all = () => [...noted.values()].reverse()
  const forget = async (...records: Pick<SideRecord, 'kind' | 'mark'>[]) => {
    for (const record of records) noted.delete(keyOf(record))
  }
  return {
    all,
    forget,
    async note(...records) {
      for (const record of records) noted.set(keyOf(record), record)
    },
    list: async (kind, marks) =>
      all().filter((record) => record.kind === kind && (marks?.includes(record.mark) ?? true)),
    async removeAll(writer) {
      const outcomes = (await writer.removeSides?.(all(), { isForced: false })) ?? []
      await forget(...outcomes.filter(({ result }) => result === 'removed'))
      return outcomes
    },
  }
}
