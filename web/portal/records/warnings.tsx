import type { PortalWarning } from '../../../service/src/portal/contract.ts'
import { entityLabel, formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Problem, problemWords } from './problem-words.ts'
import { RecordList } from './record-list.tsx'

const shownAtOnce = 8
/** Of these the ledger knows which records it were; the others concern parts of many. */
const listedStates: Record<string, string> = { refused: 'refused', held: 'held', unknown: 'intended' }

/** What did not come over as it was, what to do about it, and which records it were. */
export function Warnings({ warnings }: { warnings: PortalWarning[] }) {
  const { warnings: heading, noWarnings } = later.done
  // What holds up a run is said on top of the screen.
  const groups = groupByWords(warnings.filter(({ entity }) => entity !== 'run'))
  return (
    <Section heading={heading}>
      {groups.length === 0 ? (
        <p className="mt-2 flex gap-2">
          <Icon name="check" className="mt-0.5 text-verified" />
          {noWarnings}
        </p>
      ) : (
        <>
          <GroupList groups={groups.slice(0, shownAtOnce)} />
          {groups.length > shownAtOnce && (
            <details className="mt-2">
              <summary className="w-fit rounded-sm py-2 text-accent">
                {texts.shell.showMore(formatNumber(groups.length - shownAtOnce))}
              </summary>
              <GroupList groups={groups.slice(shownAtOnce)} />
            </details>
          )}
        </>
      )}
    </Section>
  )
}

/** What is said with the same words, with how many of each entity. */
interface Group {
  problem: Problem
  /** Of the first; those that share words share their state. */
  code: string
  counts: Map<string, number>
}

function groupByWords(warnings: PortalWarning[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { code, message, entity, count } of warnings) {
    const problem = problemWords(code, message)
    const group = groups.get(problem.what) ?? { problem, code, counts: new Map() }
    group.counts.set(entity, (group.counts.get(entity) ?? 0) + count)
    groups.set(problem.what, group)
  }
  return [...groups.values()]
}

function GroupList({ groups }: { groups: Group[] }) {
  return (
    <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-card">
      {groups.map(({ problem: { what, fix, isRaw }, code, counts }) => {
        const state = listedStates[code]
        return (
          <li key={what} className="flex gap-3 p-4">
            <Icon name="note" className="mt-0.5 text-quiet" />
            <div className="min-w-0 flex-1">
              <p {...(isRaw && { lang: 'en' })} dir="auto" className="wrap-anywhere">
                {what}
              </p>
              <p className="mt-0.5 text-sm text-quiet tabular-nums">
                {[...counts].map(([entity, count]) => `${entityLabel(entity)}: ${formatNumber(count)}`).join(' · ')}
              </p>
              {fix !== null && <p className="mt-1 text-sm text-pretty">{fix}</p>}
              {state !== undefined && <RecordList query={`state=${state}`} />}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
