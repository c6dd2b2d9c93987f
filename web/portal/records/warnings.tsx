import type { PortalWarning } from '../../../service/src/portal/contract.ts'
import { entityLabel, formatNumber, type StatusFacts, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useImport } from '../use-import.tsx'
import { FieldWarnings, isAboutField } from './field-warnings.tsx'
import { FirstNames } from './first-names.tsx'
import { type Problem, problemWords } from './problem-words.ts'
import { RecordList } from './record-list.tsx'
import { isSkipped, SkippedKinds } from './skipped-kinds.tsx'
import { countsParts, rankOf } from './worst-first.ts'

const shownAtOnce = 8
/** Warnings without a row in the ledger. */
const unlisted = [
  'entity_not_taken',
  'fewer_than_counted',
  'list_withheld',
  'source_page_skipped',
  'source_rest_skipped',
  'withheld_by_source',
  'deletion_not_checked',
  'unnamed_in_source',
]

/** Warnings with the loss, the remedy and the affected records. */
export function Warnings({ warnings }: { warnings: PortalWarning[] }) {
  const { facts } = useImport()
  const { warnings: heading, noWarnings } = later.done
  // Obstacles are shown at the top of the screen, and warnings about the whole import before its start.
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

/** Warnings with the same text, counted by entity. */
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
  const rank = ({ codes }: Group) => Math.min(...[...codes].map(rankOf))
  return [...groups.values()].sort((a, b) => rank(a) - rank(b))
}

function GroupList({ groups }: { groups: Group[] }) {
  return (
    <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-card">
      {groups.map(({ problem: { what, fix, isRaw }, codes, counts }) => {
        const query = queryFor(codes)
        const [code = ''] = codes
        const fixAt = placeOfFix(code, counts)
        return (
          <li key={what} className="flex gap-3 p-4">
            <Icon name="note" className="mt-0.5 text-quiet" />
            <div className="min-w-0 flex-1">
              <p {...(isRaw && { lang: 'en' })} dir="auto" className="wrap-anywhere">
                {what}
              </p>
              {/* Hidden if the count is of missing parts or links, not of records. */}
              <p className="mt-0.5 text-sm text-quiet tabular-nums" hidden={[...codes].some(countsParts)}>
                {[...counts]
                  .map(([entity, count]) => `${entityLabel(entity)}${texts.colon} ${formatNumber(count)}`)
                  .join(' · ')}
              </p>
              {query !== null && named.includes(code) && (
                <FirstNames query={query} count={[...counts.values()].reduce((sum, one) => sum + one, 0)} />
              )}
              {fix !== null && <p className="mt-1 text-sm text-pretty">{fix}</p>}
              {fixAt && (
                <div className="off-paper">
                  <LinkButton to={fixAt.to} look="plain" isWide={false}>
                    {later.review.fixes[fixAt.by]}
                  </LinkButton>
                </div>
              )}
              {query !== null && <RecordList query={query} />}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** For these warnings, the affected records are listed at once. */
const named = ['refused', 'held', 'file_too_large', 'not_protected', 'unknown']
const byMapping = ['option_not_offered', 'value_does_not_fit', 'only_first_kept', 'audience_narrowed']
const byPeople = ['user_not_matched', 'user_kept_as_name', 'user_replaced']
/** Warnings that occur only with uploaded files. */
const byFiles = ['row_skipped', 'duplicate_id']

/** The screen where the customer can remove the cause. */
function placeOfFix(code: string, counts: ReadonlyMap<string, number>) {
  const [entity = ''] = counts.keys()
  if (byMapping.includes(code)) return { by: 'mapping', to: `mapping/${encodeURIComponent(entity)}` } as const
  if (byPeople.includes(code)) return { by: 'people', to: 'people' } as const
  if (byFiles.includes(code)) return { by: 'files', to: 'connect' } as const
  return code === 'not_protected' ? ({ by: 'plan', to: 'plan' } as const) : null
}

/** The query for the records of a group; null if they are unknown. */
function queryFor(codes: ReadonlySet<string>): string | null {
  const [code = ''] = codes
  if (codes.size > 1 || unlisted.includes(code)) return null
  return `code=${encodeURIComponent(code)}`
}
