import type { ImportStatus } from '../../../service/src/portal/contract.ts'
import { texts } from '../../texts/index.ts'
import { Icon } from '../../ui/icon.tsx'

type Step = 'connect' | 'plan' | 'sample' | 'full' | 'done' | 'undo'

const stepOf: Record<ImportStatus, Step> = {
  collecting_credentials: 'connect',
  waiting_to_start_sample_migration: 'plan',
  sample_migration_in_progress: 'sample',
  sample_migration_completed: 'sample',
  in_preparation: 'full',
  migration_in_progress: 'full',
  migration_completed: 'done',
  undo_in_progress: 'undo',
  migration_cleaned: 'undo',
}

/** Where one is, and what comes next. */
export function Steps({ status, place }: { status: ImportStatus; place: string }) {
  const { steps, stepDone, stepNow } = texts.shell
  const home = stepOf[status]
  const current: Step = home === 'sample' && ['full', 'paid'].includes(place) ? 'full' : home
  const walk: Step[] = ['connect', 'plan', 'sample', 'full', 'done']
  const all: Step[] = current === 'undo' ? [...walk, 'undo'] : walk
  const at = all.indexOf(current)
  return (
    <nav aria-label={steps.label} className="off-paper mb-4">
      <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-sm sm:gap-x-3">
        {all.map((step, index) => {
          const isDone = current !== 'undo' && index < at
          const isNow = index === at
          return (
            <li
              key={step}
              aria-current={isNow ? 'step' : undefined}
              className={`flex items-center gap-1.5 ${isNow ? 'font-semibold' : 'text-quiet'}`}
            >
              {isDone && <Icon name="check" className="size-4 text-verified" />}
              {steps[step]}
              {isDone && <span className="sr-only">({stepDone})</span>}
              {isNow && <span className="sr-only">({stepNow})</span>}
              {/* Behind it: a line that is broken ends with the dash instead of beginning with it. */}
              {index < all.length - 1 && <span aria-hidden="true" className="h-px w-1.5 bg-control sm:ml-1.5 sm:w-5" />}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
