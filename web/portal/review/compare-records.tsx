import { useState } from 'react'
import { entityLabel, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Select } from '../../ui/field.tsx'
import { outcomesOf, useSums, wholeOf } from '../records/use-sums.ts'
import { ReviewedRecord } from './reviewed-record.tsx'
import { useSampleRecords } from './use-sample.ts'

/** Kinds that people look at first; the rest hangs on them. */
const first = ['tickets', 'issues', 'deals', 'posts']

/** Record by record, each beside its original. */
export function CompareRecords() {
  const words = later.review
  const { data: sums } = useSums()
  const entities = Object.entries(sums?.entities ?? {})
    .map(([entity, { states }]) => ({ entity, count: wholeOf({ ...outcomesOf(states), removed: 0 }) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => Number(first.includes(b.entity)) - Number(first.includes(a.entity)))
  const [chosen, setChosen] = useState<string | null>(null)
  const entity = chosen ?? entities[0]?.entity ?? null
  const [at, setAt] = useState(0)
  const { data: records } = useSampleRecords(entity)
  const record = records?.[Math.min(at, (records?.length ?? 1) - 1)]
  if (entities.length === 0) return null
  return (
    <Section heading={words.records} intro={words.recordsText}>
      <div className="mt-4 flex flex-wrap items-end gap-3">
        <Select
          label={words.entities}
          className="w-full sm:w-60"
          value={entity ?? ''}
          onChange={({ target }) => {
            setChosen(target.value)
            setAt(0)
          }}
        >
          {entities.map(({ entity: name, count }) => (
            <option key={name} value={name}>
              {entityLabel(name)} ({formatNumber(count)})
            </option>
          ))}
        </Select>
        {records && records.length > 0 && (
          <Select
            label={words.list}
            className="w-full sm:w-72"
            value={String(at)}
            onChange={({ target }) => setAt(Number(target.value))}
          >
            {records.map((one, index) => (
              <option key={one.source_id} value={index}>
                {one.source_id}
                {one.verdict === null ? '' : ` (${words.marked[one.verdict]})`}
              </option>
            ))}
          </Select>
        )}
      </div>
      {records && records.length === 0 && <p className="mt-3 text-quiet">{words.noRecords}</p>}
      {record && (
        <>
          <ReviewedRecord
            key={`${record.entity} ${record.source_id}`}
            record={record}
            onNext={() => setAt(Math.min(at + 1, (records?.length ?? 1) - 1))}
          />
          <div className="mt-4 flex items-center gap-3">
            <Button isWide={false} aria-disabled={at === 0} onClick={() => setAt(Math.max(0, at - 1))}>
              {words.previous}
            </Button>
            <Button
              isWide={false}
              aria-disabled={at >= (records?.length ?? 1) - 1}
              onClick={() => setAt(Math.min(at + 1, (records?.length ?? 1) - 1))}
            >
              {words.next}
            </Button>
            <p className="text-sm text-quiet tabular-nums">
              {words.position(formatNumber(at + 1), formatNumber(records?.length ?? 0))}
            </p>
          </div>
        </>
      )}
    </Section>
  )
}
