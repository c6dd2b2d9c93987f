import { formatDate, formatNumber, texts } from '../../texts/index.ts'
import { Notice } from '../../ui/notice.tsx'
import { useImport } from '../use-import.tsx'

/** Warns before anything is written, if another import has copied between the same two accounts. */
export function TwinNotice() {
  const { imp, facts } = useImport()
  const { twin } = imp
  if (twin === null) return null
  const { heading, copied, copying, meaning } = texts.shell.twin
  const records = formatNumber(twin.records)
  return (
    <Notice tone="needs" heading={heading}>
      <p>
        {twin.is_under_way
          ? copying(records, facts.source, facts.destination)
          : copied(records, formatDate(new Date(twin.ran_at)), facts.source, facts.destination)}
      </p>
      <p className="mt-1">{meaning}</p>
    </Notice>
  )
}
