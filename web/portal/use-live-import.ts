import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PortalImport } from '../../service/src/portal/contract.ts'
import { importPath } from './ask.ts'
import { keepNewer } from './keep-newer.ts'

/** The wait before a stream that the server closed is opened again. */
const newStreamMs = 20_000

/** Receives the stream of events. Returns false if there is no stream, so that the page polls. */
export function useLiveImport(isOpen: boolean): boolean {
  const client = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    let stream: EventSource
    let again: ReturnType<typeof setTimeout> | undefined
    const connect = () => {
      stream = new EventSource(importPath('/events'))
      stream.onmessage = ({ data }) => {
        setIsLive(true)
        client.setQueryData<PortalImport>(['import'], (known) => keepNewer(known, JSON.parse(data)))
      }
      stream.onerror = () => {
        setIsLive(false)
        // The browser reconnects by itself unless the answer was no stream.
        if (stream.readyState === EventSource.CLOSED) again = setTimeout(connect, newStreamMs)
      }
      // The import has ended, or the link is no longer valid. A normal request tells which.
      stream.addEventListener('over', () => {
        stream.close()
        setIsLive(false)
        void client.invalidateQueries({ queryKey: ['import'] })
      })
    }
    connect()
    return () => {
      clearTimeout(again)
      stream.close()
    }
  }, [client, isOpen])
  return isLive
}
