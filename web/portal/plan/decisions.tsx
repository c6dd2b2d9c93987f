import type { PortalLoss, PortalPlanEntity } from '../../../service/src/portal/mapping-contract.ts'
import { entityLabel, formatNumber, texts } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { problemWords } from '../records/problem-words.ts'
import { countsParts, rankOf, worstFirst } from '../records/worst-first.ts'
import { useImport } from '../use-import.tsx'
import { DecisionControl } from './decision-control.tsx'
import { sumUp } from './verdict.tsx'

const shownAtOnce = 8
const shownValues = 6

/** Losses of private records. `Unprotected` shows them. */
const elsewhere = ['not_protected', 'shown_to_more']

export interface Loss extends PortalLoss {
  entity: string
  /** The code without the name of its field. */
  kind: string
}

/**
 * Lists the losses of a run: first those that the customer can decide about, then parts that are not copied, then
 * values that change.
 */
export function Decisions({ entities }: { entities: PortalPlanEntity[] }) {
  const words = later.plan
  const losses = listLosses(entities)
  const decisions = losses.filter(({ is_decidable }) => is_decidable)
  const behind = losses.filter(({ is_decidable, kind }) => !is_decidable && worstFirst.includes(kind))
  const small = losses.filter(({ is_decidable, kind }) => !is_decidable && !worstFirst.includes(kind))
  const { looked, total } = sumUp(entities)
  const hasPrivate = entities.some(({ unprotected, sends_unprotected }) => unprotected > 0 || sends_unprotected)
  if (losses.length === 0 && !hasPrivate) {
    return (
      <p className="mt-4 flex gap-2">
        <Icon name="check" className="mt-0.5 text-verified" />
        {looked < total ? words.nothingLostPart : words.nothingLost}
      </p>
    )
  }
  return (
    <>
      {decisions.length > 0 && (
        <Section heading={words.decisions} intro={words.decisionsText}>
          <LossList losses={decisions} />
        </Section>
      )}
      {behind.length > 0 && (
        <Section heading={words.staysBehind} intro={words.staysBehindText}>
          <LossList losses={behind} />
        </Section>
      )}
      {small.length > 0 && (
        <Section heading={words.smallChanges} intro={words.smallChangesText}>
          <LossList losses={small} />
        </Section>
      )}
    </>
  )
}

function LossList({ losses }: { losses: Loss[] }) {
  const [first, more] = [losses.slice(0, shownAtOnce), losses.slice(shownAtOnce)]
  const keyOf = ({ entity, code, field }: Loss) => `${entity} ${code} ${field}`
  return (
    <>
      <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-card">
        {first.map((loss) => (
          <LossRow key={keyOf(loss)} loss={loss} />
        ))}
      </ul>
      {more.length > 0 && (
        <details className="mt-2">
          <summary className="w-fit rounded-sm py-2 text-accent">
            {texts.shell.showMore(formatNumber(more.length))}
          </summary>
          <ul className="mt-1 divide-y divide-line rounded-lg border border-line bg-card">
            {more.map((loss) => (
              <LossRow key={keyOf(loss)} loss={loss} />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function LossRow({ loss }: { loss: Loss }) {
  const { facts } = useImport()
  const { example, valueTimes, recordsOf } = later.plan
  const { entity, field, label, count, values, examples, is_decidable: isOpen } = loss
  const { what, isRaw } = wordsFor(loss, facts)
  const more = values.length - shownValues
  return (
    <li className="grid gap-x-6 gap-y-2 p-4 sm:grid-cols-[1fr_auto]">
      <div className="flex min-w-0 gap-3">
        <Icon name={isOpen ? 'warning' : 'note'} className={`mt-0.5 ${isOpen ? 'text-needs' : 'text-quiet'}`} />
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">
            {loss.kind === 'user_not_matched' ? later.plan.people : entityLabel(entity)}
            {field !== null && loss.kind !== 'user_not_matched' && (
              <>
                {`${texts.colon} `}
                <bdi>{fieldLabel(field, label ?? field)}</bdi>
              </>
            )}{' '}
            {!countsParts(loss.kind) && (
              <span className="font-normal text-quiet tabular-nums">
                · {recordsOf(formatNumber(count), count === 1)}
              </span>
            )}
          </p>
          <p {...(isRaw && { lang: 'en' })} className="text-sm text-pretty">
            {what}
          </p>
          {values.length > 0 && (
            <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-sm text-quiet">
              {values.slice(0, shownValues).map(({ value, count: times }) => (
                <li key={value} className="wrap-anywhere">
                  <bdi>{valueTimes(value, formatNumber(times))}</bdi>
                </li>
              ))}
              {more > 0 && <li>+ {formatNumber(more)}</li>}
            </ul>
          )}
          {examples[0] && (
            <p dir="auto" className="mt-1 text-sm text-quiet wrap-anywhere">
              {example(nameExample(examples[0]))}
            </p>
          )}
        </div>
      </div>
      {isOpen && <DecisionControl loss={loss} />}
    </li>
  )
}

const nameExample = ({ source_id, number, title }: PortalLoss['examples'][number]) =>
  [number, title].filter((part) => part !== null).join(' · ') || source_id

function wordsFor({ kind, code, count }: Loss, facts: Parameters<typeof problemWords>[1]) {
  const own = Object.hasOwn(later.plan.loss, kind) ? later.plan.loss[kind] : undefined
  if (own === undefined) return problemWords(code, facts, code, count)
  const what = own.replaceAll('{source}', () => facts.source).replaceAll('{destination}', () => facts.destination)
  return { what, isRaw: false }
}

/**
 * Sorts by severity, then by count. Losses about people are united, because the customer decides about people in one
 * place.
 */
function listLosses(entities: PortalPlanEntity[]): Loss[] {
  const all = entities.flatMap(({ entity, losses }) =>
    losses
      .filter(({ code }) => !elsewhere.includes(code))
      .map((loss) => ({ ...loss, entity, kind: loss.code.replace(/^(custom_)?(field_not_taken):.*$/s, '$2') })),
  )
  const people = all.filter(({ kind }) => kind === 'user_not_matched')
  const listed = [...all.filter(({ kind }) => kind !== 'user_not_matched'), ...joinPeople(people)]
  return listed.sort((a, b) => rankOf(a.kind) - rankOf(b.kind) || b.count - a.count)
}

function joinPeople(losses: Loss[]): Loss[] {
  const [first] = losses
  if (!first) return []
  const values = new Map<string, number>()
  for (const { value, count } of losses.flatMap((loss) => loss.values))
    values.set(value, (values.get(value) ?? 0) + count)
  return [
    {
      ...first,
      count: losses.reduce((sum, { count }) => sum + count, 0),
      values: [...values].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count),
    },
  ]
}
