import { entityLabel, formatNumber, language } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { StackedBar } from '../../ui/stacked-bar.tsx'
import { Working } from '../../ui/working.tsx'
import { addUp, type Outcome, outcomes, outcomesOf, useSums, wholeOf } from './use-sums.ts'

const fills: Record<Outcome, string> = {
  written: 'fill-verified',
  matched: 'fill-accent',
  filtered: 'fill-control',
  refused: 'fill-stopped',
  held: 'fill-needs',
  unknown: 'fill-cargo',
  deleted: 'fill-quiet',
  removed: 'fill-ripple',
}
const dots: Record<Outcome, string> = {
  written: 'bg-verified',
  matched: 'bg-accent',
  filtered: 'bg-control',
  refused: 'bg-stopped',
  held: 'bg-needs',
  unknown: 'bg-cargo',
  deleted: 'bg-quiet',
  removed: 'bg-ripple',
}

/** Counts each record in exactly one column, so that the numbers add up. */
export function Sums({ intro }: { intro: string }) {
  const { sums, sentence, part, states } = later.done
  const { data, errorUpdateCount } = useSums()
  if (!data) {
    return (
      <Section heading={sums}>
        <Working hasFailed={errorUpdateCount > 0} className="mt-2" />
      </Section>
    )
  }
  const rows = Object.entries(data.entities)
    .map(([entity, { states }]) => ({ entity, label: entityLabel(entity), counts: outcomesOf(states) }))
    .sort((a, b) => a.label.localeCompare(b.label, language))
  const all = addUp(rows.map(({ counts }) => counts))
  const used = outcomes.filter((name) => all[name] > 0)
  const words = (counts: Record<Outcome, number>) =>
    sentence(
      formatNumber(wholeOf(counts)),
      outcomes
        .filter((name) => counts[name] > 0)
        .map((name) => part[name](formatNumber(counts[name])))
        .join(' + '),
    )
  if (rows.length === 0) return null
  return (
    <Section heading={sums} intro={intro}>
      <p className="mt-4 text-xl font-semibold tabular-nums text-balance sm:text-2xl">{words(all)}</p>
      <div className="mt-3">
        <Bar counts={all} />
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-quiet">
        {used.map((name) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden="true" className={`size-3 rounded-xs ${dots[name]}`} />
            {states[name]}
          </li>
        ))}
      </ul>
      <ul className="mt-6 grid gap-x-10 gap-y-4 md:grid-cols-2">
        {rows.map(({ entity, label, counts }) => (
          <li key={entity}>
            <p className="flex items-baseline justify-between gap-4">
              <span className="font-medium wrap-anywhere">{label}</span>
              <span className="text-2xl font-semibold tabular-nums">
                {formatNumber(counts.written + counts.matched)}
              </span>
            </p>
            <Bar counts={counts} />
            <p className="mt-1 text-sm text-quiet tabular-nums">{words(counts)}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Bar({ counts }: { counts: Record<Outcome, number> }) {
  return (
    <StackedBar
      parts={outcomes.map((name) => ({ key: name, count: counts[name], className: fills[name] }))}
      whole={wholeOf(counts)}
    />
  )
}
