import { useQuery } from '@tanstack/react-query'
import type { PortalActivity, PortalVisitor } from '../../../service/src/portal/contract.ts'
import { formatMoment, inSentence, known, texts } from '../../texts/index.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Working } from '../../ui/working.tsx'
import { get } from '../ask.ts'
import { DifferenceList } from '../mapping/difference-list.tsx'
import { Screen } from '../shell/screen.tsx'
import { NameForm } from '../shell/who-are-you.tsx'
import { useImport } from '../use-import.tsx'

/** What happened in the import, who did it, and the result. */
export function Activity() {
  const { activityTitle, activityIntro, toStatus } = texts.shell
  const { data, errorUpdateCount } = useQuery({
    queryKey: ['activity'],
    queryFn: ({ signal }) => get<{ activity: PortalActivity[] }>('/activity', signal),
  })
  const visitor = useQuery({
    queryKey: ['visitor'],
    queryFn: ({ signal }) => get<PortalVisitor>('/visitor', signal),
  })
  return (
    <Screen title={activityTitle} intro={activityIntro}>
      {data && (visitor.data || visitor.isError) ? (
        <ActivityList activity={data.activity} />
      ) : (
        <Working hasFailed={errorUpdateCount > 0} />
      )}
      <div data-comes-last>
        {visitor.data && (
          <div className="off-paper mt-8">
            <NameForm key={visitor.data.name} name={visitor.data.name ?? ''} />
          </div>
        )}
        <Actions>
          <LinkButton to="">{toStatus}</LinkButton>
        </Actions>
      </div>
    </Screen>
  )
}

export function ActivityList({ activity }: { activity: PortalActivity[] }) {
  const { imp } = useImport()
  const { by, acts, reached, statusNames } = texts.shell
  const nameOf = (who: PortalActivity['by']) => (who === 'partner' ? by.partner(inSentence(imp.partner.name)) : by[who])
  return (
    <ol className="mt-3 divide-y divide-line border-y border-line">
      {activity.map(({ at, by: who, act, status_code, name, differences = [] }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: new entries come first, and all are rendered again
        <li key={`${at} ${act} ${index}`} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
          <span className="min-w-0 wrap-anywhere">
            {status_code === null ? (
              <>
                {known(acts, act) ?? act}{' '}
                <span className="text-sm text-quiet">
                  · <bdi>{name ?? nameOf(who)}</bdi>
                </span>
                {differences.length > 0 && <DifferenceList differences={differences} />}
              </>
            ) : (
              reached(statusNames[status_code])
            )}
          </span>
          <time dateTime={at} className="text-sm text-quiet tabular-nums">
            {formatMoment(new Date(at))}
          </time>
        </li>
      ))}
    </ol>
  )
}
