import type { PortalWarning } from '../../../service/src/portal/contract.ts'
import { entityLabel, formatNumber, type StatusFacts, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useImport } from '../use-import.tsx'
import { FieldWarnings, isAboutField } from './field-warnings.tsx'
import { type Problem, problemWords } from './problem-words.ts'
import { RecordList } from './record-list.tsx'
import { isSkipped, SkippedKinds } from './skipped-kinds.tsx'

const shownAtOnce = 8
/** About what never came so far as to be a record of ours. */
const unlisted = [
  'entity_not_taken',
  'fewer_than_counted',
  'source_page_skipped',
  'source_rest_skipped',
  'withheld_by_source',
  'deletion_not_checked',
]

/** What did not come over as it was, what to do about it, and which records it were. */
export function Warnings({ warnings }: { warnings: PortalWarning[] }) {
  const { facts } = useImport()
  const { warnings: heading, noWarnings } = later.done
  // What holds up a run is said on top of the screen, and what concerns the import as a whole before it starts.
  const told = warnings.filter(({ entity }) => entity !== 'run' && entity !== 'import')
  const fields = told.filter(({ code }) => isAboutField(code))
  const groups = groupByWords(
    told.filter(({ code }) => !isAboutField(code) && !isSkipped(code)),
    facts,
  )
  return (
    <Section heading={heading}>
      {groups.length === 0 && fields.length === 0 ? (
        <p className="mt-2 flex gap-2">
          <Icon name="check" className="mt-0.5 text-verified" />
          {noWarnings}
        </p>
      ) : (
        <>
          {groups.length > 0 && <GroupList groups={groups.slice(0, shownAtOnce)} />}
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
      {fields.length > 0 && <FieldWarnings warnings={fields} />}
      <SkippedKinds warnings={told} />
    </Section>
  )
}

/** What is said with the same words, with how many of each entity. */
interface Group {
  problem: Problem
  codes: Set<string>
  counts: Map<string, number>
}

function groupByWords(warnings: PortalWarning[], facts: StatusFacts): Group[] {
  const groups = new Map<string, Group>()
  for (const { code, message, entity, count } of warnings) {
    const { what } = problemWords(code, facts, message)
    const { codes, counts } = groups.get(what) ?? { codes: new Set(), counts: new Map() }
    codes.add(code)
    counts.set(entity, (counts.get(entity) ?? 0) + count)
    const sum = [...counts.values()].reduce((total, one) => total + one, 0)
    groups.set(what, { problem: problemWords(code, facts, message, sum), codes, counts })
  }
  return [...groups.values()]
}

function GroupList({ groups }: { groups: Group[] }) {
  return (
    <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-card">
      {groups.map(({ problem: { what, fix, isRaw }, codes, counts }) => {
        const query = queryFor(codes)
        return (
          <li key={what} className="flex gap-3 p-4">
            <Icon name="note" className="mt-0.5 text-quiet" />
            <div className="min-w-0 flex-1">
              <p {...(isRaw && { lang: 'en' })} dir="auto" className="wrap-anywhere">
                {what}
              </p>
              {/* The number of missing parts is no number of records. */}
              <p className="mt-0.5 text-sm text-quiet tabular-nums" hidden={codes.has('truncated_by_source')}>
                {[...counts]
                  .map(([entity, count]) => `${entityLabel(entity)}${texts.colon} ${formatNumber(count)}`)
                  .join(' · ')}
              </p>
              {fix !== null && <p className="mt-1 text-sm text-pretty">{fix}</p>}
              {query !== null && <RecordList query={query} />}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** How to ask for the records that a group is about; null where nobody can tell. */
function queryFor(codes: ReadonlySet<string>): string | null {
  const [code = ''] = codes
  if (codes.size > 1 || unlisted.includes(code)) return null
  return `code=${encodeURIComponent(code)}`
}
