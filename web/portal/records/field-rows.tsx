import type { PortalComparedField, PortalRecordView } from '../../../service/src/portal/records-contract.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { OutLink } from '../../ui/out-link.tsx'
import { useImport } from '../use-import.tsx'
import { nameWords } from './name-words.ts'
import { withoutRepeats } from './problem-words.ts'
import { fixFor, reasonWords } from './reason-words.ts'
import { ShowValue } from './show-value.tsx'

export const isDifferent = ({ verdict }: PortalComparedField) => verdict === 'lost' || verdict === 'changed'

const icons: Record<PortalComparedField['verdict'], IconName> = {
  lost: 'stop',
  changed: 'warning',
  same: 'check',
  added: 'note',
}

export interface FieldRowsProps {
  view: PortalRecordView
  fields: PortalComparedField[]
  storedHeading: string
  isPreview: boolean
}

/**
 * Each field in the source and in the destination, why it differs, and a link to where the customer can change that.
 */
export function FieldRows({ view, fields, storedHeading, isPreview }: FieldRowsProps) {
  const { facts } = useImport()
  const words = later.review
  return (
    <table className="mt-4 block w-full table-fixed rounded-lg border border-line bg-card text-sm md:table">
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr className="text-left text-quiet">
          <th scope="col" className="p-3 font-medium md:w-1/4">
            {words.field}
          </th>
          <th scope="col" className="p-3 font-medium wrap-anywhere">
            {words.inSource(facts.source)}
          </th>
          <th scope="col" className="p-3 font-medium wrap-anywhere">
            {storedHeading}
          </th>
        </tr>
      </thead>
      <tbody className="block divide-y divide-line md:table-row-group">
        {fields.map((field) => (
          <FieldRow
            key={`${field.verdict} ${field.name}`}
            view={view}
            field={field}
            storedHeading={storedHeading}
            isPreview={isPreview}
          />
        ))}
      </tbody>
    </table>
  )
}

function FieldRow({
  view,
  field,
  storedHeading,
  isPreview,
}: Omit<FieldRowsProps, 'fields'> & { field: PortalComparedField }) {
  const { facts } = useImport()
  const words = later.review
  const { name, label, to, verdict, source, stored } = field
  const differs = isDifferent(field)
  // Before the copy, the linked record does not exist in the destination yet.
  const isLinkedLater = isPreview && stored.value !== null && stored.names === null && source.names !== null
  // The field is not copied, though another field may fill the target of the same name.
  const isNowhere = to === null && (field.reasons.includes('left_out') || field.reasons.includes('not_offered'))
  const isElsewhere = to !== null && to !== name && verdict !== 'added' && !to.startsWith('custom:')
  const reasons = withoutRepeats(field.reasons)
  const fix = fixFor(reasons, view.entity, name)
  const cells = [
    { key: 'source', heading: words.inSource(facts.source), value: source.value, names: source.names, isHtml: false },
    {
      key: 'stored',
      heading: storedHeading,
      value: stored.value,
      names: stored.names,
      isHtml: view.html_fields.includes(to ?? name),
    },
  ]
  return (
    <tr className={`block p-3 md:table-row md:p-0 ${differs ? 'bg-needs-soft' : ''}`}>
      <th scope="row" className="block text-left font-medium md:table-cell md:p-3 md:align-top">
        <bdi className="wrap-anywhere">{labelOf(name, label)}</bdi>
        {verdict !== 'same' && (
          <span className={`mt-1 flex items-center gap-1 font-normal ${differs ? 'text-needs' : 'text-quiet'}`}>
            <Icon name={icons[verdict]} className="size-4" /> {words.fieldVerdicts[verdict]}
          </span>
        )}
      </th>
      {cells.map(({ key, heading, value, names, isHtml }) => (
        <td key={key} className="mt-2 block md:mt-0 md:table-cell md:p-3 md:align-top">
          <span aria-hidden="true" className="block text-xs text-quiet md:hidden">
            {heading}
          </span>
          <ShowValue
            value={value}
            isHtml={isHtml}
            instead={
              key === 'stored' && (isLinkedLater || isNowhere)
                ? isNowhere
                  ? words.notCopied
                  : words.linkedLater
                : (names?.map((one) => nameWords(one)).join(', ') ?? null)
            }
          />
          {key === 'stored' && isElsewhere && (
            <p className="mt-1 text-quiet wrap-anywhere">{words.elsewhere(fieldLabel(to), facts.destination)}</p>
          )}
          {key === 'stored' && (differs || verdict === 'added') && (
            <div className="mt-2 text-needs">
              {reasons.map((reason) => (
                <p key={reason} className="text-pretty wrap-anywhere">
                  {reasonWords(reason, facts)}
                </p>
              ))}
              {fix && !isPreview && (
                <a href={`#${fix.to}`} className="inline-block min-h-6 text-accent underline underline-offset-4">
                  {fix.label}
                </a>
              )}
              {reasons.includes('edited') && view.stored?.url && (
                <OutLink href={view.stored.url}>{words.openDestination(facts.destination)}</OutLink>
              )}
            </div>
          )}
        </td>
      ))}
    </tr>
  )
}

function labelOf(name: string, label: string | null): string {
  if (name === 'created_at') return later.review.created
  if (name === 'updated_at') return later.review.updated
  return label ?? fieldLabel(name)
}
