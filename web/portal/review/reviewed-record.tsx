import { useQuery } from '@tanstack/react-query'
import type { PortalRecord, PortalRecordView, RecordVerdict } from '../../../service/src/portal/records-contract.ts'
import { entityLabel, known, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FailureNotice } from '../action-parts.tsx'
import { AskFailure, get, send } from '../ask.ts'
import { SideBySide } from '../records/side-by-side.tsx'
import { Told } from '../said.tsx'
import { useAction } from '../use-action.ts'
import { useRunKey } from '../use-run-key.ts'
import { titleOf } from './record-choice.tsx'
import { hasThread, Thread } from './thread.tsx'

/** A record as it is in both tools now, with the customer's verdict. */
export function ReviewedRecord({ record, onNext }: { record: PortalRecord; onNext: () => void }) {
  const words = later.review
  const { entity, source_id, verdict } = record
  const path = `/records/${encodeURIComponent(entity)}/${encodeURIComponent(source_id)}`
  const {
    data: view,
    error,
    errorUpdateCount,
  } = useQuery({
    queryKey: ['view', ...useRunKey(), entity, source_id],
    queryFn: ({ signal }) => get<PortalRecordView>(path, signal),
    staleTime: 60_000,
  })
  const mark = useAction((next: RecordVerdict | null) => send('PUT', '/verdicts', { entity, source_id, verdict: next }))
  const judge = async (next: RecordVerdict) => {
    const isTakenBack = verdict === next
    const isDone = await mark.act(isTakenBack ? null : next)
    if (isDone && !isTakenBack && next === 'fine') onNext()
  }
  const refusal = error instanceof AskFailure ? error.refusal : null
  return (
    <div className="mt-4 rounded-lg border border-line bg-card p-4 sm:p-5 lg:mt-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="min-w-0 flex-1 basis-60 font-semibold wrap-anywhere">
          <span className="block text-sm font-normal text-quiet">{entityLabel(entity)}</span>
          <bdi>{titleOf(record)}</bdi>
          <span className="block text-sm font-normal text-quiet">
            {words.why}
            {texts.colon} {known(words.sampleReasons, record.sample_reason ?? '') ?? words.cameAlong}
          </span>
        </h3>
        <div className="flex flex-wrap gap-2">
          <Button isWide={false} aria-pressed={verdict === 'fine'} onClick={() => void judge('fine')}>
            <Icon name="check" className={verdict === 'fine' ? 'text-verified' : 'text-quiet'} />
            {words.fine}
          </Button>
          <Button isWide={false} aria-pressed={verdict === 'flagged'} onClick={() => void judge('flagged')}>
            <Icon name="flag" className={verdict === 'flagged' ? 'text-needs' : 'text-quiet'} />
            {words.flag}
          </Button>
        </div>
      </div>
      <p role="status" className="text-sm text-quiet">
        {mark.isPending ? words.marking : verdict === null ? '' : words.marked[verdict]}
      </p>
      <FailureNotice failure={mark.failure} />
      {record.message !== null && (
        <p dir="auto" className="mt-2 text-sm text-needs wrap-anywhere">
          <Told text={record.message} />
        </p>
      )}
      {view ? (
        <>
          <SideBySide view={view} />
          {hasThread(entity) && <Thread entity={entity} sourceId={source_id} />}
        </>
      ) : refusal && refusal.kind !== 'unavailable' ? (
        <FailureNotice failure={refusal} />
      ) : (
        <p role="status" className="mt-4 min-h-dvh text-quiet">
          {errorUpdateCount > 0 ? words.listFailed : words.looking}
        </p>
      )}
    </div>
  )
}
