import type { PortalRecordView } from '../../../service/src/portal/records-contract.ts'
import { formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Notice } from '../../ui/notice.tsx'
import { OutLink } from '../../ui/out-link.tsx'
import { Told } from '../said.tsx'
import { useImport } from '../use-import.tsx'
import { FieldRows, isDifferent } from './field-rows.tsx'
import { problemWords, withoutRepeats } from './problem-words.ts'

export interface SideBySideProps {
  view: PortalRecordView
  /** Set if the record is only a preview and the destination has no copy yet. */
  isPreview?: boolean
}

/** Compares one record in the source and in the destination, field by field, differences first. */
export function SideBySide({ view, isPreview = false }: SideBySideProps) {
  const { facts } = useImport()
  const words = later.review
  const { compared } = view
  const different = compared.filter(isDifferent)
  const said = new Set(compared.flatMap(({ reasons }) => reasons))
  const warnings = withoutRepeats(view.warnings).filter(
    (code) => !said.has(code) && (!isPreview || !(code === 'relation_lost' || code.startsWith('link_to_source'))),
  )
  const isMissing = !isPreview && view.verdict === 'missing'
  const heading = isPreview ? words.mapped : words.stored(facts.destination)
  return (
    <div className="mt-4">
      <p className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {view.source.url !== null && <OutLink href={view.source.url}>{words.openSource(facts.source)}</OutLink>}
        {view.stored?.url && <OutLink href={view.stored.url}>{words.openDestination(facts.destination)}</OutLink>}
      </p>
      {isPreview && view.mapped === null && <Notice tone="needs">{words.notMapped}</Notice>}
      {isMissing && <Notice tone="needs">{words.notStored(facts.destination)}</Notice>}
      {!isPreview && !isMissing && <VerdictNotice view={view} count={different.length} all={compared.length} />}
      <FieldRows view={view} fields={compared} storedHeading={heading} isPreview={isPreview} />
      {warnings.length > 0 && (
        <Notice tone="note" heading={words.lost}>
          <ul className="mt-1 list-disc pl-5 text-sm">
            {warnings.map((code) => (
              <li key={code} dir="auto" className="wrap-anywhere">
                {problemWords(code, facts, code, 1).what}
              </li>
            ))}
            {view.notes.map((note) => (
              <li key={note} className="wrap-anywhere">
                <Told text={note} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

function VerdictNotice({ view, count, all }: { view: PortalRecordView; count: number; all: number }) {
  const { facts } = useImport()
  const words = later.review
  const { source, destination } = facts
  if (view.verdict === 'same') return <Notice tone="good">{words.agrees(source, destination)}</Notice>
  const said = words.differences(formatNumber(count), count, formatNumber(all))
  return view.verdict === 'as_chosen' ? (
    <Notice tone="note">
      {said} {words.asChosen}
    </Notice>
  ) : (
    <Notice tone="needs">{said}</Notice>
  )
}
