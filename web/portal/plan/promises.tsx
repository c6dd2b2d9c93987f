import type { PortalPlan } from '../../../service/src/portal/mapping-contract.ts'
import { entityLabel, formatNumber, formatSize } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { problemWords } from '../records/problem-words.ts'
import { useImport } from '../use-import.tsx'

/** What the destination can do, and what we can therefore promise. */
export function Promises({ destination }: { destination: NonNullable<PortalPlan['destination']> }) {
  const { facts } = useImport()
  const { promises, mayLose, keepsTimes, keepsTimesInside, sendsNoMail, canUndo, largestFile, once } = later.plan
  const answer = ({ yes, no }: { yes: string; no: string }, is: boolean) => ({ is, words: is ? yes : no })
  const lines = [
    answer(keepsTimes, destination.keeps_times),
    ...destination.keeps_times_inside.map(({ entity, most }) => ({
      is: true,
      words: keepsTimesInside(entityLabel(entity), formatNumber(most)),
    })),
    answer(sendsNoMail, destination.sends_no_mail),
    answer(canUndo, destination.can_undo),
    { is: destination.delivery_class !== 'D', words: once[destination.delivery_class] },
    ...(destination.largest_file_bytes === null
      ? []
      : [{ is: true, words: largestFile(formatSize(destination.largest_file_bytes)) }]),
  ]
  return (
    <Section heading={promises(facts.destination)}>
      <ul className="mt-2 grid gap-2">
        {lines.map(({ is, words }) => (
          <li key={words} className="flex gap-2 text-pretty">
            <Icon name={is ? 'check' : 'warning'} className={`mt-0.5 ${is ? 'text-verified' : 'text-needs'}`} />
            {words}
          </li>
        ))}
      </ul>
      {destination.may_lose.length > 0 && (
        <details className="mt-3">
          <summary className="w-fit rounded-sm py-1 text-accent">{mayLose(facts.destination)}</summary>
          <ul className="mt-1 grid list-disc gap-1 pl-5 text-sm text-pretty text-quiet">
            {destination.may_lose.map((code) => (
              <li key={code}>{problemWords(code, facts, code, 1).what}</li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}
