import { useImport } from './use-import.tsx'

/** Part of the key of each query about records: what was loaded in one run is never shown as the result of another. */
export function useRunKey(): readonly (string | null)[] {
  const { run } = useImport().imp
  return [run?.started_at ?? null, run?.finished_at ?? null]
}
