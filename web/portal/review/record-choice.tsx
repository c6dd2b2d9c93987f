import type { PortalRecord } from '../../../service/src/portal/records-contract.ts'
import { later } from '../../texts/later.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { nameWords } from '../records/name-words.ts'

export type ListVerdict = keyof typeof later.review.recordVerdicts

const looks: Record<ListVerdict, { icon: IconName; className: string }> = {
  same: { icon: 'check', className: 'text-verified' },
  as_chosen: { icon: 'note', className: 'text-quiet' },
  differs: { icon: 'warning', className: 'text-needs' },
  missing: { icon: 'stop', className: 'text-needs' },
  gone: { icon: 'note', className: 'text-quiet' },
}

export const verdictOf = ({ comparison }: PortalRecord): ListVerdict => comparison?.verdict ?? 'gone'

/** Names a record by its title and number. */
export const titleOf = ({ title = '', number = null, source_id }: PortalRecord): string =>
  nameWords({ title, number: title === '' ? (number ?? source_id) : number })

/** One line of the list: the record, the result of its comparison, and the customer's verdict. */
export function RecordChoice({
  record,
  isChosen,
  onChoose,
}: {
  record: PortalRecord
  isChosen: boolean
  onChoose: () => void
}) {
  const words = later.review
  const verdict = verdictOf(record)
  const { icon, className } = looks[verdict]
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen ? 'true' : undefined}
        onClick={onChoose}
        className={`flex min-h-11 w-full items-start gap-2 px-3 py-2 text-left hover:bg-paper ${isChosen ? 'bg-paper font-semibold' : ''}`}
      >
        <Icon name={icon} className={`mt-0.5 ${className}`} />
        <span className="min-w-0 flex-1">
          <bdi className="block wrap-anywhere">{titleOf(record)}</bdi>
          <span className={`block text-sm font-normal ${className}`}>
            {words.recordVerdicts[verdict]}
            {record.verdict !== null && ` · ${words.marked[record.verdict]}`}
          </span>
        </span>
      </button>
    </li>
  )
}
