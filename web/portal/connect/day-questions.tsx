import { useId } from 'react'
import type { PortalDayOrder, PortalTable } from '../../../service/src/portal/upload-contract.ts'
import { formatDate, formatNumber, inSentence, texts } from '../../texts/index.ts'
import { Notice } from '../../ui/notice.tsx'

export interface DayQuestionsProps {
  tables: PortalTable[]
  onAnswer: (file: string, column: number, days: PortalDayOrder) => void
}

/** Asks once for each column whose dates have two possible readings, with an example of both. */
export function DayQuestions({ tables, onAnswer }: DayQuestionsProps) {
  const asked = tables
    .filter(({ entity }) => entity !== null)
    .flatMap(({ file, columns }) =>
      columns.flatMap(({ header, days }, column) => (days ? [{ file, header, days, column }] : [])),
    )
  if (asked.length === 0) return null
  const isOpen = asked.some(({ days }) => days.order === null)
  return (
    <Notice tone={isOpen ? 'needs' : 'note'} heading={texts.upload.days.heading}>
      {asked.map(({ file, header, days, column }) => (
        <DayQuestion
          key={`${file} ${column}`}
          legend={texts.upload.days.question(inSentence(header), inSentence(file))}
          days={days}
          onAnswer={(order) => onAnswer(file, column, order)}
        />
      ))}
    </Notice>
  )
}

interface DayQuestionProps {
  legend: string
  days: NonNullable<PortalTable['columns'][number]['days']>
  onAnswer: (order: PortalDayOrder) => void
}

function DayQuestion({ legend, days: { order, example, readings }, onAnswer }: DayQuestionProps) {
  const words = texts.upload.days
  const name = useId()
  return (
    <fieldset className="mt-3">
      <legend className="text-sm font-medium wrap-anywhere">{legend}</legend>
      {readings.map((reading) => (
        <label key={reading.order} className="mt-1 flex min-h-8 items-start gap-3 py-1">
          <input
            type="radio"
            name={name}
            className="mt-0.5 size-5 shrink-0 accent-accent"
            checked={order === reading.order}
            onChange={() => onAnswer(reading.order)}
          />
          <span className="min-w-0 text-sm wrap-anywhere">
            {words[reading.order]}
            {texts.colon}{' '}
            {reading.day === null
              ? words.noReading(example)
              : words.reading(example, formatDate(new Date(`${reading.day}T12:00`)))}
            {reading.unreadable > 0 && (
              <span className="block text-quiet">
                {words.unreadable(formatNumber(reading.unreadable), reading.unreadable === 1)}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
