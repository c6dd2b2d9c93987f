import type { PortalWarning } from '../../../service/src/portal/contract.ts'
import { entityLabel, formatNumber, texts } from '../../texts/index.ts'
import { NoteIcon } from '../../ui/note-icon.tsx'

const shownAtOnce = 5

/** What did not come over as it was, or keeps the import waiting. */
export function Warnings({ warnings }: { warnings: PortalWarning[] }) {
  if (warnings.length === 0) return null
  const rest = warnings.slice(shownAtOnce)
  return (
    <section className="mt-8">
      <h2 className="font-semibold">{texts.warnings.heading}</h2>
      <WarningList warnings={warnings.slice(0, shownAtOnce)} />
      {rest.length > 0 && (
        <details className="mt-2">
          <summary className="w-fit cursor-pointer rounded-sm py-2 text-accent">
            {texts.warnings.showMore(formatNumber(rest.length))}
          </summary>
          <WarningList warnings={rest} />
        </details>
      )}
    </section>
  )
}

function WarningList({ warnings }: { warnings: PortalWarning[] }) {
  return (
    <ul className="mt-2 divide-y divide-line rounded-lg border border-line bg-card">
      {warnings.map(({ code, entity, count, message }) => (
        <li key={`${code} ${entity}`} className="flex gap-3 p-4">
          <NoteIcon />
          <div className="min-w-0">
            {/* The service words its warnings in English. */}
            <p lang="en" dir="auto" className="wrap-anywhere">
              {message}
            </p>
            <p className="mt-0.5 text-sm text-quiet tabular-nums">
              {entityLabel(entity)}: {formatNumber(count)}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
