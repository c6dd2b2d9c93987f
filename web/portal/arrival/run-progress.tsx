import type { PortalImport } from '../../../service/src/portal/contract.ts'
import { formatNumber, texts } from '../../texts/index.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { isRunning, percentDone } from './running.ts'

/** How far the run under way has come. */
export function RunProgress({ imp }: { imp: PortalImport }) {
  if (!isRunning(imp)) return null
  const { heading, ofTotal, totalUnknown } = texts.progress
  const { done, total } = imp.progress
  const percent = percentDone(imp)
  const label = imp.status_code === 'undo_in_progress' ? heading.removing : heading.copying
  const words =
    total === null ? totalUnknown(formatNumber(done), done) : ofTotal(formatNumber(done), formatNumber(total), total)
  return (
    <section className="mt-6">
      <h2 className="text-sm text-quiet">{label}</h2>
      <p className="mt-1 text-xl font-semibold tabular-nums">{words}</p>
      {percent !== null && <ProgressBar label={label} percent={percent} words={words} />}
    </section>
  )
}
