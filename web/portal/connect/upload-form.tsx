import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { PortalUpload } from '../../../service/src/portal/contract.ts'
import { formatShare, formatSize, texts } from '../../texts/index.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { StackedBar } from '../../ui/stacked-bar.tsx'
import { FailureNotice } from '../action-parts.tsx'
import { AskFailure, get, type Refusal } from '../ask.ts'
import { sendUpload } from './send-upload.ts'

const UploadedTables = lazy(async () => ({ default: (await import('./uploaded-tables.tsx')).UploadedTables }))

interface Sending {
  received: number
  size: number
}

/** Files instead of an account: chosen or dropped, sent in parts, then shown as we understand them. */
export function UploadForm({ side, onDone }: { side: 'source' | 'destination'; onDone: () => void }) {
  const { intro, goOn, broken } = texts.upload
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['uploads'],
    queryFn: ({ signal }) => get<{ uploads: PortalUpload[] }>('/uploads', signal),
  })
  const newest = data?.uploads.find(({ is_connected }) => !is_connected) ?? null
  const [sending, setSending] = useState<Sending | null>(null)
  const [failure, setFailure] = useState<Refusal | null>(null)
  const [isInterrupted, setIsInterrupted] = useState(false)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])

  const take = async (file: File) => {
    const controller = new AbortController()
    stop.current = controller
    setFailure(null)
    setIsInterrupted(false)
    setSending({ received: 0, size: file.size })
    try {
      await sendUpload(file, newest, {
        signal: controller.signal,
        onProgress: (received, size) => setSending({ received, size }),
      })
    } catch (error) {
      const refusal = error instanceof AskFailure ? error.refusal : null
      if (refusal?.kind === 'refused') setFailure(refusal)
      else setIsInterrupted(true)
    }
    setSending(null)
    await client.invalidateQueries({ queryKey: ['uploads'] })
  }

  if (sending) return <SendingBar sending={sending} onStop={() => stop.current?.abort()} />
  return (
    <div className="mt-3">
      {newest?.state === 'ready' ? (
        <Suspense fallback={<p className="text-sm text-quiet">{texts.shell.working}</p>}>
          <UploadedTables side={side} upload={newest} onDone={onDone} />
        </Suspense>
      ) : (
        <p className="text-sm text-pretty text-quiet">{intro}</p>
      )}
      {newest?.state === 'receiving' && newest.received > 0 && !isInterrupted && (
        <p className="mt-2 text-sm wrap-anywhere">
          {goOn(newest.file_name, formatShare(newest.received, newest.size))}
        </p>
      )}
      <div role="status">{isInterrupted && <p className="mt-2 text-sm text-needs">{broken}</p>}</div>
      <FailureNotice failure={failure} />
      <FileChooser onChoose={(file) => void take(file)} />
    </div>
  )
}

function FileChooser({ onChoose }: { onChoose: (file: File) => void }) {
  const { choose, orDrop } = texts.upload
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the input inside does the same
    <div
      className={`relative mt-4 rounded-lg border border-dashed p-5 text-center ${isOver ? 'border-accent bg-paper' : 'border-control'}`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        const [file] = event.dataTransfer.files
        if (file) onChoose(file)
      }}
    >
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.tab,.txt,.zip,.xlsx"
        className="peer sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onChoose(file)
        }}
      />
      <label
        htmlFor={id}
        className={`${buttonClasses('secondary')} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent`}
      >
        {choose}
      </label>
      <p className="mt-2 text-sm text-quiet">{orDrop}</p>
    </div>
  )
}

function SendingBar({ sending, onStop }: { sending: Sending; onStop: () => void }) {
  const { sending: words, sendingLabel, reading, stop } = texts.upload
  const { received, size } = sending
  const isSent = received >= size
  const text = isSent ? reading : words(formatSize(received), formatSize(size))
  return (
    <div className="mt-4">
      <p aria-live="polite" className="tabular-nums">
        {text}
      </p>
      <div
        role="progressbar"
        aria-label={sendingLabel}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor((received / size) * 100)}
        aria-valuetext={text}
        className="mt-2"
      >
        <StackedBar parts={[{ key: 'sent', count: received, className: 'fill-accent' }]} whole={size} />
      </div>
      {!isSent && (
        <Button className="mt-4" onClick={onStop}>
          {stop}
        </Button>
      )}
    </div>
  )
}
