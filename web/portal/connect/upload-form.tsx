import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { PortalUpload } from '../../../service/src/portal/upload-contract.ts'
import { texts } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { Working } from '../../ui/working.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { AskFailure, ask, get, type Refusal } from '../ask.ts'
import { unansweredAgainMs } from '../query-client.ts'
import { useAction } from '../use-action.ts'
import { FileChooser } from './file-chooser.tsx'
import { FileList, type ListedFile } from './file-list.tsx'
import { finishUpload, sendFiles } from './send-upload.ts'

const UploadedTables = lazy(async () => ({ default: (await import('./uploaded-tables.tsx')).UploadedTables }))

const readAgainMs = 1_500

interface Uploads {
  uploads: PortalUpload[]
}

/** For sources that are files: the customer chooses or drops files and sees how Wherry reads them. */
export function UploadForm({ side, onDone }: { side: 'source' | 'destination'; onDone: () => void }) {
  const { intro, broken, read, reading } = texts.upload
  const client = useQueryClient()
  const { data, isError } = useQuery({
    queryKey: ['uploads'],
    queryFn: ({ signal }) => get<Uploads>('/uploads', signal),
    // Nothing is cached: an earlier upload may have become the source, and no files may be added to it.
    gcTime: 0,
    refetchInterval: (query) => (isReading(newestOf(query.state.data)) ? readAgainMs : unansweredAgainMs(query)),
  })
  const newest = newestOf(data)
  const current = newest?.state === 'receiving' || newest?.state === 'ready' ? newest : null
  const [sending, setSending] = useState<ListedFile[] | null>(null)
  const [failure, setFailure] = useState<Refusal | null>(null)
  const [isInterrupted, setIsInterrupted] = useState(false)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const readAnew = useAction((id: string) => finishUpload(id))
  const remove = useAction(async (upload: PortalUpload, number: number) => {
    const left = await ask<PortalUpload | null>(`/uploads/${upload.id}/files/${number}`, { method: 'DELETE' })
    if (left && (left.state === 'reading' || isComplete(left))) await finishUpload(left.id)
  })

  const take = async (files: readonly File[]) => {
    const controller = new AbortController()
    stop.current = controller
    setFailure(null)
    setIsInterrupted(false)
    remove.reset()
    const listed = files.map(({ name, size }) => ({ file_name: name, size, received: 0 }))
    setSending(listed)
    try {
      const refused = await sendFiles(files, current, {
        signal: controller.signal,
        onProgress: (index, received) =>
          setSending((before) => before?.map((file, at) => (at === index ? { ...file, received } : file)) ?? null),
      })
      if (refused.length > 0) setFailure({ kind: 'refused', fields: { size: refused } })
    } catch (error) {
      const refusal = error instanceof AskFailure ? error.refusal : null
      if (refusal?.kind === 'refused') setFailure(refusal)
      else setIsInterrupted(true)
    }
    // Waits for the new list. Otherwise further files would start another upload.
    await client.invalidateQueries({ queryKey: ['uploads'] })
    setSending(null)
  }

  if (sending) return <Sending files={sending} before={current} onStop={() => stop.current?.abort()} />
  if (!data && !isError) return <Working className="mt-3" />
  if (newest && isReading(newest)) {
    return (
      <div className="mt-3">
        <FileList files={newest.files} isSending />
        <p role="status" className="mt-3">
          {reading}
        </p>
      </div>
    )
  }
  return (
    <div className="mt-3">
      {current === null && <p className="text-sm text-pretty text-quiet">{intro}</p>}
      <div role="status">{isInterrupted && <p className="mt-2 text-sm text-needs">{broken}</p>}</div>
      {current && (
        <FileList
          files={current.files}
          isBusy={remove.isPending}
          onRemove={({ number = 0 }) => void remove.act(current, number)}
        />
      )}
      <FailureNotice failure={failure ?? remove.failure} />
      <FileChooser isMore={current !== null} onChoose={(files) => void take(files)} />
      {current?.state === 'receiving' && isComplete(current) && (
        <div className="mt-4">
          <FailureNotice failure={readAnew.failure} />
          <ActionButton action={readAnew} pending={reading} onAct={() => void readAnew.act(current.id)}>
            {read}
          </ActionButton>
        </div>
      )}
      {current?.state === 'ready' && (
        <Suspense fallback={<p className="mt-4 text-sm text-quiet">{texts.shell.working}</p>}>
          <UploadedTables side={side} upload={current} onDone={onDone} />
        </Suspense>
      )}
    </div>
  )
}

const newestOf = (data: Uploads | undefined) => data?.uploads.find(({ is_connected }) => !is_connected) ?? null

/** Another window may have started the reading and been closed before the answer. */
const isReading = (upload: PortalUpload | null) => upload?.state === 'reading'

const isComplete = ({ files }: PortalUpload) => files.every(({ size, received }) => received >= size)

/** All files with their progress, earlier files first. */
function Sending({ files, before, onStop }: { files: ListedFile[]; before: PortalUpload | null; onStop: () => void }) {
  const { reading, stop } = texts.upload
  const isSent = files.every(({ size, received }) => received >= size)
  const earlier = (before?.files ?? []).filter(
    ({ file_name, size }) => !files.some((file) => file.file_name === file_name && file.size === size),
  )
  return (
    <div className="mt-3">
      <FileList files={[...earlier, ...files]} isSending />
      <p aria-live="polite" className="mt-3">
        {isSent ? reading : ''}
      </p>
      {!isSent && <Button onClick={onStop}>{stop}</Button>}
    </div>
  )
}
