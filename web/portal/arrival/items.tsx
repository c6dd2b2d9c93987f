import type { PortalImport } from '../../../service/src/portal/contract.ts'
import { entityLabel, formatNumber, language, texts } from '../../texts/index.ts'
import { Figures } from '../../ui/figures.tsx'

/** How many records of each entity are in the destination now. */
export function Items({ items, destination }: { items: PortalImport['items']; destination: string }) {
  const figures = Object.entries(items)
    .filter(([, count]) => count > 0)
    .map(([entity, count]) => ({ key: entity, label: entityLabel(entity), value: formatNumber(count) }))
    // A lasting order, however the numbers grow.
    .sort((a, b) => a.label.localeCompare(b.label, language))
  return <Figures heading={texts.items.heading(destination)} figures={figures} />
}
