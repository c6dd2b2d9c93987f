import type { PortalPlan } from '../../../service/src/portal/contract.ts'
import { formatSize } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useImport } from '../use-import.tsx'

/** What the destination can do, and so what we can promise. */
export function Promises({ destination }: { destination: NonNullable<PortalPlan['destination']> }) {
  const { facts } = useImport()
  const { promises, keepsTimes, sendsNoMail, canUndo, largestFile, once } = later.plan
  const answer = ({ yes, no }: { yes: string; no: string }, is: boolean) => ({ is, words: is ? yes : no })
  const lines = [
    answer(keepsTimes, destination.keeps_times),
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
    </Section>
  )
}
