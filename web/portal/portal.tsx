import { useQuery } from '@tanstack/react-query'
import type { PortalImport } from '../../service/src/portal/contract.ts'
import { readAddress } from './address.ts'
import { Arrival } from './arrival/arrival.tsx'
import { CookiesRefused } from './cookies-refused/cookies-refused.tsx'
import { EndedImport } from './ended/ended-import.tsx'
import { InvalidLink } from './invalid-link/invalid-link.tsx'
import { Loading } from './loading/loading.tsx'
import { openImport } from './open-import.ts'
import { type FailureReason, PortalFailure } from './portal-failure.ts'
import { Unavailable } from './unavailable/unavailable.tsx'

const pollMs = 4_000

/** Asks where the import stands, again and again while the page is visible, and shows the screen for the answer. */
export function Portal() {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery<PortalImport>({
    queryKey: ['import'],
    queryFn: ({ signal }) => openImport(signal),
    // Asking again is the retry; only an answer that cannot change ends it.
    refetchInterval: ({ state }) => (state.error && reasonOf(state.error).kind !== 'unavailable' ? false : pollMs),
    retry: false,
    // The browser's own opinion on being offline is wrong too often.
    networkMode: 'always',
  })
  const reason = error ? reasonOf(error) : null
  const reference = readAddress()?.id ?? null
  if (reason?.kind === 'invalid link') return <InvalidLink />
  if (reason?.kind === 'cookies refused') return <CookiesRefused reference={reference} />
  if (reason?.kind === 'ended') return <EndedImport ended={reason.ended} reference={reference} />
  if (data) return <Arrival imp={data} staleSince={reason ? new Date(dataUpdatedAt) : null} />
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

function reasonOf(error: Error): FailureReason {
  return error instanceof PortalFailure ? error.reason : { kind: 'unavailable', reference: null }
}
