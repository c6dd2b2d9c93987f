import type { PortalContent, PortalRecordView } from '../../../service/src/portal/contract.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OutLink } from '../../ui/out-link.tsx'
import { useImport } from '../use-import.tsx'
import { problemWords, withoutRepeats } from './problem-words.ts'
import { ShowValue } from './show-value.tsx'
import { usePeopleNames } from './use-people-names.ts'

export interface SideBySideProps {
  view: PortalRecordView
  /** Only what would be written; nothing is there yet. */
  isPreview?: boolean
}

/** One record in the source, as mapped, and as the destination has it, field by field. */
export function SideBySide({ view, isPreview = false }: SideBySideProps) {
  const { facts } = useImport()
  const words = later.review
  const columns = [
    { key: 'source', heading: words.inSource(facts.source), content: flatten(view.source), isThere: true },
    { key: 'mapped', heading: words.mapped, content: flatten(view.mapped), isThere: view.mapped !== null },
    ...(isPreview
      ? []
      : [
          {
            key: 'stored',
            heading: words.stored(facts.destination),
            content: flatten(view.stored),
            isThere: view.stored !== null,
          },
        ]),
  ]
  const names = [...new Set(columns.flatMap(({ content }) => [...content.keys()]))].filter((name) =>
    columns.some(({ content }) => isFilled(content.get(name))),
  )
  const differing = new Set(view.differences)
  const nameOf = usePeopleNames()
  const warnings = withoutRepeats(view.warnings).filter(
    (code) => !isPreview || !(code === 'relation_lost' || code.startsWith('link_to_source')),
  )
  /** People by their names; links that are made when the other record is copied. */
  const insteadOf = (column: string, original: unknown, value: unknown): string | null => {
    const isLinked = isPreview && column === 'mapped' && !isFilled(value) && isReference(original)
    return isLinked ? words.linkedLater : nameOf(original, column === 'source' ? 'source' : 'destination', value)
  }
  return (
    <div className="mt-4">
      <p className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {view.source.url !== null && <OutLink href={view.source.url}>{words.openSource(facts.source)}</OutLink>}
        {view.stored?.url && <OutLink href={view.stored.url}>{words.openDestination(facts.destination)}</OutLink>}
      </p>
      {view.mapped === null && <Notice tone="needs">{words.notMapped}</Notice>}
      {!isPreview && view.stored === null && <Notice tone="needs">{words.notStored}</Notice>}
      {!isPreview && view.mapped !== null && view.stored !== null && (
        <Notice tone={differing.size === 0 ? 'good' : 'needs'}>
          {differing.size === 0 ? words.agrees : words.differences(differing.size)}
        </Notice>
      )}
      <table className="mt-4 block w-full table-fixed rounded-lg border border-line bg-card text-sm lg:table">
        <thead className="sr-only lg:not-sr-only lg:table-header-group">
          <tr className="text-left text-quiet">
            <th scope="col" className="w-40 p-3 font-medium">
              {words.field}
            </th>
            {columns.map(({ key, heading }) => (
              <th key={key} scope="col" className="p-3 font-medium wrap-anywhere">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line lg:table-row-group">
          {names.map((name) => {
            const isDifferent = differing.has(name) || differing.has(name.replace(/^custom:/, ''))
            return (
              <tr key={name} className={`block p-3 lg:table-row lg:p-0 ${isDifferent ? 'bg-needs-soft' : ''}`}>
                <th scope="row" className="block text-left font-medium lg:table-cell lg:p-3 lg:align-top">
                  <bdi className="wrap-anywhere">{labelOf(name, view)}</bdi>
                  {isDifferent && (
                    <span className="mt-1 flex items-center gap-1 font-normal text-needs">
                      <Icon name="warning" className="size-4" /> {words.differs}
                    </span>
                  )}
                </th>
                {columns.map(({ key, heading, content, isThere }) => (
                  <td key={key} className="mt-2 block lg:mt-0 lg:table-cell lg:p-3 lg:align-top">
                    <span aria-hidden="true" className="block text-xs text-quiet lg:hidden">
                      {heading}
                    </span>
                    {isThere ? (
                      <ShowValue
                        value={content.get(name)}
                        isHtml={key !== 'source' && view.html_fields.includes(name)}
                        instead={insteadOf(key, view.source.fields[name], content.get(name))}
                      />
                    ) : (
                      <span className="text-quiet">–</span>
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      {warnings.length > 0 && (
        <Notice tone="note" heading={words.lost}>
          <ul className="mt-1 list-disc pl-5 text-sm">
            {warnings.map((code) => (
              <li key={code} dir="auto" className="wrap-anywhere">
                {problemWords(code, facts, code, 1).what}
              </li>
            ))}
            {view.notes.map((note) => (
              <li key={note} lang="en" className="wrap-anywhere">
                {note}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

function flatten(content: PortalContent | null): Map<string, unknown> {
  if (!content) return new Map()
  return new Map([
    ...Object.entries(content.fields),
    ...Object.entries(content.custom_fields).map(([key, value]): [string, unknown] => [`custom:${key}`, value]),
    ['created_at', content.created_at],
    ['updated_at', content.updated_at],
  ])
}

/** Another record of the source, or several. */
function isReference(value: unknown): boolean {
  const [one] = Array.isArray(value) ? value : [value]
  return typeof one === 'object' && one !== null && 'entity' in one && 'sourceId' in one
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}

function labelOf(name: string, { source }: PortalRecordView): string {
  if (name === 'created_at') return later.review.created
  if (name === 'updated_at') return later.review.updated
  const custom = source.custom_fields[name.replace(/^custom:/, '')] as { label?: unknown } | undefined
  const isNamed = name.startsWith('custom:') && typeof custom?.label === 'string'
  return isNamed ? String(custom.label) : fieldLabel(name)
}
