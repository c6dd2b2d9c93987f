import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PortalImport } from '../../service/src/portal/contract.ts'
import { importPath } from './ask.ts'
import { keepNewer } from './keep-newer.ts'

/** Pause before a stream that the server has closed is opened again. */
const newStreamMs = 20_000

/** Takes in what the service says by itself. Answers whether it can: where not, the page has to ask again and again. */
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
        // The browser goes on by itself unless the answer was no stream at all.
        if (stream.readyState === EventSource.CLOSED) again = setTimeout(connect, newStreamMs)
      }
      // The import has ended, or the link is old: asking tells which.
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
