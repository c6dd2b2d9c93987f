import type { SideOutcome, SideRecord, SideRecords, Writer } from '../../service/src/connectors/contract/contract.ts'

export interface RememberedSides extends SideRecords {
  all(): SideRecord[]
  /** As the last stage of an undo does; what stays is remembered. */
  removeAll(writer: Writer): Promise<SideOutcome[]>
}

/** Records made on the side, for a writer that works without the service around it. */
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
    list: async (kind) => all().filter((record) => record.kind === kind),
    async removeAll(writer) {
      const outcomes = (await writer.removeSides?.(all(), { isForced: false })) ?? []
      await forget(...outcomes.filter(({ result }) => result === 'removed'))
      return outcomes
    },
  }
}
