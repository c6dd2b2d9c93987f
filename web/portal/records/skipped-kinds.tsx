import type { PortalWarning } from '../../../service/src/portal/contract.ts'
import { formatNumber, known } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { useImport } from '../use-import.tsx'

export const isSkipped = (code: string) => code.startsWith('skipped:')

/** Kinds of records that are never copied on purpose, each with its count. */
export function SkippedKinds({ warnings }: { warnings: PortalWarning[] }) {
  const { facts } = useImport()
  const { heading, kinds, stays } = later.skipped
  const skipped = warnings.filter(({ code }) => isSkipped(code))
  if (skipped.length === 0) return null
  return (
    <section className="mt-6">
      <h3 className="font-medium text-balance">{heading}</h3>
      <ul className="mt-2 grid gap-1 text-sm">
        {skipped.map(({ code, message, count }) => (
          <li key={code}>{known(kinds, code.slice('skipped:'.length))?.(count, formatNumber(count)) ?? message}</li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-quiet">{stays(facts.source)}</p>
    </section>
  )
}
