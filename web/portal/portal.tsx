import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import type { PortalImport } from '../../service/src/portal/contract.ts'
import { known, texts } from '../texts/index.ts'
import { Announcement } from '../ui/announcement.tsx'
import { Working } from '../ui/working.tsx'
import { readAddress } from './address.ts'
import { applyAccent } from './apply-accent.ts'
import { CatchLoadFailure } from './catch-load-failure.tsx'
import { CookiesRefused } from './cookies-refused/cookies-refused.tsx'
import { EndedImport } from './ended/ended-import.tsx'
import { InvalidLink } from './invalid-link/invalid-link.tsx'
import { keepNewer } from './keep-newer.ts'
import { Loading } from './loading/loading.tsx'
import { openImport } from './open-import.ts'
import { type FailureReason, PortalFailure } from './portal-failure.ts'
import { screenAt } from './screens.ts'
import { factsOf } from './shell/facts-of.ts'
import { percentDone } from './shell/running.ts'
import { Shell } from './shell/shell.tsx'
import { AskWho } from './shell/who-are-you.tsx'
import { SignedOut } from './signed-out/signed-out.tsx'
import { Unavailable } from './unavailable/unavailable.tsx'
import { ImportProvider } from './use-import.tsx'
import { useLiveImport } from './use-live-import.ts'
import { goHome, usePlace } from './use-place.ts'

const pollMs = 4_000
/** How often the import is loaded beside the stream of events, in case an event is lost. */
const idlePollMs = 30_000

/** Follows the import's status while the page is visible, and shows the matching screen. */
export function Portal() {
  const client = useQueryClient()
  const known = () => client.getQueryData<PortalImport>(['import'])
  const isLive = useLiveImport(known() !== undefined)
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery<PortalImport>({
    queryKey: ['import'],
    queryFn: async ({ signal }) => {
      const arrived = await openImport(signal)
      return keepNewer(known(), arrived)
    },
    // A failed request is repeated after this interval. Only a final answer stops it.
    refetchInterval: ({ state }) => {
      if (state.error && reasonOf(state.error).kind !== 'unavailable') return false
      return isLive && !state.error ? idlePollMs : pollMs
    },
  })
  const reason = error ? reasonOf(error) : null
  const reference = readAddress()?.id ?? null
  if (reason?.kind === 'invalid link') return <InvalidLink />
  if (reason?.kind === 'signed out') return <SignedOut reference={reference} />
  if (reason?.kind === 'cookies refused') return <CookiesRefused reference={reference} />
  if (reason?.kind === 'ended') return <EndedImport ended={reason.ended} reference={reference} />
  if (data) return <OpenedImport imp={data} staleSince={reason ? new Date(dataUpdatedAt) : null} />
  if (reason) {
    return (
      <Unavailable
        reference={reason.reference ?? reference}
        isTrying={isFetching}
        onTryNow={() => {
          void refetch()
        }}
      />
    )
  }
  return <Loading />
}

function OpenedImport({ imp: answered, staleSince }: { imp: PortalImport; staleSince: Date | null }) {
  const { source } = answered
  const imp = { ...answered, source: { ...source, label: known(texts.tools, source.tool) ?? source.label } }
  const [place = ''] = usePlace()
  const { status_code: status } = imp
  const { accent } = imp.partner
  const seenStatus = useRef(status)
  useEffect(() => applyAccent(accent), [accent])
  // Another window may have changed the status. The screen of the new status shows the next step.
  useEffect(() => {
    if (seenStatus.current === status) return
    seenStatus.current = status
    goHome()
  }, [status])
  const { Component, isWide, isFlat } = screenAt(status, place)
  const title = texts.status[status].title(factsOf(imp))
  const percent = percentDone(imp)
  const wholeTens = percent === null ? null : Math.floor(percent / 10) * 10
  return (
    <ImportProvider imp={imp}>
      <Shell imp={imp} staleSince={staleSince} isWide={isWide} isFlat={isFlat}>
        <CatchLoadFailure key={`${status} ${place}`}>
          <Suspense fallback={<Working className="mt-8" />}>
            <Component />
            {place === '' && <AskWho />}
          </Suspense>
        </CatchLoadFailure>
        <Announcement text={wholeTens === null ? title : texts.progress.announced(title, wholeTens)} />
      </Shell>
    </ImportProvider>
  )
}

function reasonOf(error: Error): FailureReason {
  return error instanceof PortalFailure ? error.reason : { kind: 'unavailable', reference: null }
}
