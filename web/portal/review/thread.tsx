import { useQuery } from '@tanstack/react-query'
import type {
  PortalComparedField,
  PortalRecordView,
  PortalThread,
} from '../../../service/src/portal/records-contract.ts'
import { entityLabel, formatMoment, formatSize } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Icon } from '../../ui/icon.tsx'
import { get } from '../ask.ts'
import { isDifferent } from '../records/field-rows.tsx'
import { nameWords } from '../records/name-words.ts'
import { reasonWords } from '../records/reason-words.ts'
import { ShowValue } from '../records/show-value.tsx'
import { useImport } from '../use-import.tsx'
import { useRunKey } from '../use-run-key.ts'

/** Entities whose records can have comments or files. */
const withThread = ['tickets', 'articles', 'issues', 'posts', 'pages', 'deals', 'contacts', 'accounts']
export const hasThread = (entity: string) => withThread.includes(entity)

/** The comments and files of a record in the source's order, each beside its original. */
export function Thread({ entity, sourceId }: { entity: string; sourceId: string }) {
  const words = later.review
  const { data, errorUpdateCount } = useQuery({
    queryKey: ['thread', ...useRunKey(), entity, sourceId],
    queryFn: ({ signal }) =>
      get<PortalThread>(`/threads/${encodeURIComponent(entity)}/${encodeURIComponent(sourceId)}`, signal),
    staleTime: 60_000,
  })
  return (
    <section className="mt-6">
      <h4 className="font-semibold">{words.thread}</h4>
      {!data && (
        <p role="status" className="mt-2 text-quiet">
          {errorUpdateCount > 0 ? words.listFailed : words.threadReading}
        </p>
      )}
      {data && data.records.length === 0 && <p className="mt-2 text-quiet">{words.threadNone}</p>}
      {data && (
        <ol className="mt-2 grid gap-3">
          {[...data.records].sort(byTime).map((view) => (
            <Part key={`${view.entity} ${view.source_id}`} view={view} />
          ))}
        </ol>
      )}
      {data && !data.is_whole && <p className="mt-2 text-sm text-quiet">{words.threadMore}</p>}
    </section>
  )
}

const byTime = (a: PortalRecordView, b: PortalRecordView) =>
  (a.source.created_at ?? '').localeCompare(b.source.created_at ?? '')

const authors = ['author_agent', 'author_contact', 'author', 'author_name', 'uploaded_by']

function Part({ view }: { view: PortalRecordView }) {
  const { facts } = useImport()
  const words = later.review
  const { compared, verdict } = view
  const find = (name: string) => compared.find((field) => field.name === name)
  const author = authors.map(find).find((field) => field !== undefined)
  const body = find('body') ?? find('text')
  const different = compared.filter(isDifferent)
  const isFine = verdict === 'same' || verdict === 'as_chosen'
  const at = view.source.created_at
  return (
    <li className={`rounded-lg border p-3 text-sm ${isFine ? 'border-line' : 'border-needs/50 bg-needs-soft'}`}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium wrap-anywhere">
          {entityLabel(view.entity)}
          {author && <bdi> · {nameOf(author)}</bdi>}
        </span>
        {at !== null && <span className="text-quiet tabular-nums">{formatMoment(new Date(at))}</span>}
      </p>
      <p className={`mt-1 flex items-center gap-1 ${isFine ? 'text-verified' : 'text-needs'}`}>
        <Icon name={isFine ? 'check' : 'warning'} className="size-4" />
        {words.recordVerdicts[verdict]}
      </p>
      {body ? (
        <div className="mt-2 grid gap-3 md:grid-cols-2">
          <Side heading={words.inSource(facts.source)} value={body.source.value} isHtml={false} />
          <Side
            heading={words.stored(facts.destination)}
            value={verdict === 'missing' ? null : body.stored.value}
            isHtml={view.html_fields.includes('body')}
          />
        </div>
      ) : (
        <p className="mt-2 wrap-anywhere">
          <bdi>{view.title}</bdi> {sizeWords(find('size'))}
        </p>
      )}
      {verdict !== 'missing' && different.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {different.map(({ name, reasons }) => (
            <li key={name} className="wrap-anywhere">
              {fieldLabel(name)}: {reasons.map((reason) => reasonWords(reason, facts)).join(' ')}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Side({ heading, value, isHtml }: { heading: string; value: unknown; isHtml: boolean }) {
  return (
    <div className="min-w-0">
      <p className="text-xs text-quiet">{heading}</p>
      <ShowValue value={value} isHtml={isHtml} />
    </div>
  )
}

function nameOf({ source }: PortalComparedField): string {
  if (source.names) return source.names.map(nameWords).join(', ')
  return typeof source.value === 'string' ? source.value : ''
}

const sizeWords = (size: PortalComparedField | undefined): string =>
  typeof size?.source.value === 'number' ? `(${formatSize(size.source.value)})` : ''
