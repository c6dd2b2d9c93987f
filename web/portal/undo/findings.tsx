import type { PortalSums } from '../../../service/src/portal/records-contract.ts'
import { entityLabel, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Card } from '../../ui/card.tsx'
import { RecordList } from '../records/record-list.tsx'

const findings = ['removable', 'edited', 'missing', 'unknown'] as const

/** What an undo would do, according to the destination's current state. */
export function Findings({ sums }: { sums: PortalSums }) {
  const words = later.undo
  const counted = findings.map((finding) => {
    const parts = Object.entries(sums.entities)
      .map(([entity, { undo }]) => ({ entity, count: undo[finding] ?? 0 }))
      .filter(({ count }) => count > 0)
    return { finding, parts, whole: parts.reduce((sum, { count }) => sum + count, 0) }
  })
  return (
    <ul className="mt-6 grid gap-4 sm:grid-cols-2">
      {counted
        .filter(({ finding, whole }) => whole > 0 || finding === 'removable')
        .map(({ finding, parts, whole }) => (
          <li key={finding}>
            <Card className="h-full">
              <p className="text-sm text-quiet">{words.findings[finding]}</p>
              <p className="text-3xl font-semibold tabular-nums">{formatNumber(whole)}</p>
              <p className="text-sm text-quiet">{words.findingsText[finding]}</p>
              <ul className="mt-3 text-sm">
                {parts.map(({ entity, count }) => (
                  <li key={entity} className="flex justify-between gap-4 tabular-nums">
                    <span className="min-w-0 wrap-anywhere">{entityLabel(entity)}</span>
                    <span>{formatNumber(count)}</span>
                  </li>
                ))}
              </ul>
              {finding === 'edited' && whole > 0 && <RecordList query="finding=edited" label={words.showEdited} />}
            </Card>
          </li>
        ))}
    </ul>
  )
}
