import type { ImportStatus } from '../../../service/src/portal/contract.ts'
import { texts } from '../../texts/index.ts'
import { Icon } from '../../ui/icon.tsx'
import { placeAllowed } from '../screens.ts'

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

/** The step that each screen belongs to. Other screens belong to the step of the status. */
const stepOfPlace: Record<string, Step> = {
  connect: 'connect',
  plan: 'plan',
  mapping: 'plan',
  people: 'plan',
  full: 'full',
  paid: 'full',
}

/** The current step, the next steps, and links to earlier ones. */
export function Steps({ status, place }: { status: ImportStatus; place: string }) {
  const { steps, stepDone, stepNow } = texts.shell
  const home = stepOf[status]
  const asked = placeAllowed(status, place) ? stepOfPlace[place] : undefined
  const current = home === 'undo' ? home : (asked ?? home)
  const walk: Step[] = ['connect', 'plan', 'sample', 'full', 'done']
  const all: Step[] = home === 'undo' ? [...walk, 'undo'] : walk
  const reached = all.indexOf(home)
  return (
    <nav aria-label={steps.label} className="off-paper mb-4">
      <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-sm sm:gap-x-3">
        {all.map((step, index) => {
          const isDone = home !== 'undo' && index < reached
          const isNow = step === current
          // Later screens of a step link back to its first screen.
          const isFirstOfStep = !['mapping', 'people', 'paid'].includes(place)
          const to = isNow && isFirstOfStep ? null : wayTo(step, status, home)
          return (
            <li
              key={step}
              aria-current={isNow ? 'step' : undefined}
              className={`flex items-center gap-1.5 ${isNow ? 'font-semibold' : 'text-quiet'}`}
            >
              {isDone && <Icon name="check" className="size-4 text-verified" />}
              {to === null ? (
                steps[step]
              ) : (
                <a
                  href={`#${to}`}
                  className="inline-flex min-h-6 items-center underline decoration-quiet/40 underline-offset-4 hover:text-ink"
                >
                  {steps[step]}
                </a>
              )}
              {isDone && <span className="sr-only">({stepDone})</span>}
              {isNow && <span className="sr-only">({stepNow})</span>}
              {/* The dash is last, so that a wrapped line ends with it. */}
              {index < all.length - 1 && <span aria-hidden="true" className="h-px w-1.5 bg-control sm:ml-1.5 sm:w-5" />}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** The address of a step; null if it cannot be opened now. */
function wayTo(step: Step, status: ImportStatus, home: Step): string | null {
  if (step === home) return ''
  if (step === 'connect' || step === 'plan' || step === 'full') return placeAllowed(status, step) ? step : null
  return null
}
