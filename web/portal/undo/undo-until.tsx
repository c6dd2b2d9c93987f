import type { PortalImport } from '../../../service/src/portal/contract.ts'
import { formatDate } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { useImport } from '../use-import.tsx'

/** The last moment for an undo; null while the import is not completed. */
export const undoEnd = ({ undo_until: until }: PortalImport): Date | null => (until === null ? null : new Date(until))

/** A sentence that says until when an undo is possible. */
export function UndoUntil() {
  const { imp } = useImport()
  const ended = undoEnd(imp)
  if (ended === null) return null
  const { until, over } = later.undo
  const words = ended < new Date(imp.read_at) ? over : until
  return <p className="mt-2 text-pretty text-sm text-quiet">{words(formatDate(ended))}</p>
}
