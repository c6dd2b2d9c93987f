import { useEffect, useRef } from 'react'
import type { DescribedEntity } from '../../../service/src/mapping/describe-mapping.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { useImport } from '../use-import.tsx'

export interface KeepQuestionProps {
  entity: DescribedEntity
  target: string
  mine: string
  theirs: string
  onMine: () => void
  onTheirs: () => void
}

/** Asked when two fields have the same target, so that neither is replaced silently. */
export function KeepQuestion({ entity, target, mine, theirs, onMine, onTheirs }: KeepQuestionProps) {
  const { keepQuestion, keepFor, keepExplain } = later.mapping
  const { facts } = useImport()
  const question = keepQuestion(facts.destination, fieldLabel(target, labelOf(entity, target)), theirs)
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <fieldset ref={box} tabIndex={-1} className="mt-2 rounded-lg border border-needs/50 bg-needs-soft p-3 text-sm">
      <legend className="sr-only">{question}</legend>
      <p aria-hidden="true" className="font-medium wrap-anywhere">
        {question}
      </p>
      <p className="mt-1 wrap-anywhere">{keepExplain}</p>
      <div className="mt-2 flex flex-wrap gap-3">
        <Button isWide={false} onClick={onMine}>
          {keepFor(mine)}
        </Button>
        <Button isWide={false} onClick={onTheirs}>
          {keepFor(theirs)}
        </Button>
      </div>
    </fieldset>
  )
}

const labelOf = (entity: DescribedEntity, target: string) => entity.targets.find(({ name }) => name === target)?.label
