import type { SideRecord, SideRecords } from '../contract/contract.ts'

/** Side records for looking at an account outside a run, where there is no ledger. */
export function sidesInMemory(): SideRecords {
  const noted = new Map<string, SideRecord>()
  const at = ({ kind, mark }: Pick<SideRecord, 'kind' | 'mark'>) => `${kind} ${mark}`
  return {
    note: async (...records) => records.forEach((one) => void noted.set(at(one), one)),
    forget: async (...records) => records.forEach((one) => void noted.delete(at(one))),
    list: async (kind, marks) =>
      [...noted.values()].filter((one) => one.kind === kind && (marks?.includes(one.mark) ?? true)),
  }
}
