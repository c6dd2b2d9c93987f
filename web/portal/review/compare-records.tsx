import { useState } from 'react'
import { entityLabel, formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import { Working } from '../../ui/working.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { outcomesOf, useSums, wholeOf } from '../records/use-sums.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { RecordChoice, verdictOf } from './record-choice.tsx'
import { ReviewedRecord } from './reviewed-record.tsx'
import { useSampleRecords } from './use-sample.ts'

/** Entities that are shown first. Other entities are mostly their children. */
const first = ['tickets', 'issues', 'deals', 'posts']

/** All records of the sample with their verdicts, and the chosen record beside its original. */
export function CompareRecords() {
  const words = later.review
  const { facts } = useImport()
  const { data: sums, errorUpdateCount } = useSums()
  const entities = Object.entries(sums?.entities ?? {})
    .map(([entity, { states }]) => ({ entity, count: wholeOf(outcomesOf(states)) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => Number(first.includes(b.entity)) - Number(first.includes(a.entity)))
  const [chosen, setChosen] = useState<string | null>(null)
  const entity = chosen ?? entities[0]?.entity ?? null
  // The placeholder is as high as the window, so that the page does not jump while the records load.
  if (!sums) {
    return (
      <Section heading={words.records} intro={words.recordsText(facts.source, facts.destination)}>
        <div className="min-h-dvh">
          <Working hasFailed={errorUpdateCount > 0} />
        </div>
      </Section>
    )
  }
  if (entities.length === 0) return null
  return (
    <Section heading={words.records} intro={words.recordsText(facts.source, facts.destination)}>
      <Select
        label={words.entities}
        className="mt-4 w-full sm:w-60"
        value={entity ?? ''}
        onChange={({ target }) => setChosen(target.value)}
      >
        {entities.map(({ entity: name, count }) => (
          <option key={name} value={name}>
            {entityLabel(name)} ({formatNumber(count)})
          </option>
        ))}
      </Select>
      {entity !== null && (
        <div className="min-h-dvh">
          <EntityRecords key={entity} entity={entity} />
        </div>
      )}
    </Section>
  )
}

function EntityRecords({ entity }: { entity: string }) {
  const words = later.review
  const { data, errorUpdateCount, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useSampleRecords(entity)
  const [isOnlyDifferent, setIsOnlyDifferent] = useState(false)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const all = data?.pages.flatMap(({ records }) => records) ?? []
  const different = all.filter((record) => ['differs', 'missing'].includes(verdictOf(record)))
  const equal = all.filter((record) => verdictOf(record) === 'same' && record.verdict !== 'fine')
  const approve = useAction(() =>
    send('PUT', '/verdicts', { entity, source_ids: equal.map(({ source_id }) => source_id), verdict: 'fine' }),
  )
  if (!data) {
    return errorUpdateCount > 0 ? (
      <div className="mt-4">
        <p role="alert">{words.listFailed}</p>
        <Button className="mt-3" onClick={() => void refetch()}>
          {isFetching ? words.listing : words.again}
        </Button>
      </div>
    ) : (
      <p role="status" data-working className="mt-4 text-quiet">
        {words.listing}
      </p>
    )
  }
  // Records with differences come first, even in the full list.
  const shown = isOnlyDifferent ? different : [...different, ...all.filter((one) => !different.includes(one))]
  const at = Math.max(
    0,
    shown.findIndex(({ source_id }) => source_id === chosenId),
  )
  const record = shown[at]
  const go = (to: number) => setChosenId(shown[Math.max(0, Math.min(to, shown.length - 1))]?.source_id ?? null)
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-2">
        <Checkbox
          label={words.onlyDifferences(formatNumber(different.length))}
          checked={isOnlyDifferent}
          onChange={({ target }) => setIsOnlyDifferent(target.checked)}
        />
        {equal.length > 0 && (
          <ActionButton
            action={approve}
            onAct={() => void approve.act()}
            pending={words.approving}
            look="secondary"
            isWide={false}
          >
            {words.approveAll(formatNumber(equal.length), equal.length)}
          </ActionButton>
        )}
      </div>
      <FailureNotice failure={approve.failure} />
      {shown.length === 0 && (
        <p className="mt-3 text-quiet">{all.length === 0 ? words.noRecords : words.noDifferences}</p>
      )}
      {record && (
        <div className="mt-3 gap-5 lg:grid lg:grid-cols-[18rem_minmax(0,1fr)]">
          <div>
            <ul
              aria-label={words.list}
              className="max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-card lg:max-h-[40rem]"
            >
              {shown.map((one) => (
                <RecordChoice
                  key={one.source_id}
                  record={one}
                  isChosen={one === record}
                  onChoose={() => setChosenId(one.source_id)}
                />
              ))}
            </ul>
            {hasNextPage && (
              <Button look="plain" onClick={() => void fetchNextPage()}>
                {isFetchingNextPage ? texts.shell.working : texts.shell.showMore('50')}
              </Button>
            )}
          </div>
          <div className="min-w-0">
            <ReviewedRecord key={`${record.entity} ${record.source_id}`} record={record} onNext={() => go(at + 1)} />
            <div className="mt-4 flex items-center gap-3">
              <Button isWide={false} aria-disabled={at === 0} onClick={() => go(at - 1)}>
                {words.previous}
              </Button>
              <Button isWide={false} aria-disabled={at >= shown.length - 1} onClick={() => go(at + 1)}>
                {words.next}
              </Button>
              <p className="text-sm text-quiet tabular-nums">
                {words.position(formatNumber(at + 1), formatNumber(shown.length))}
              </p>
            </div>
          </div>
        </div>
      )}
    </>
  )
}
