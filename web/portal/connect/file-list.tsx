import { formatShare, formatSize, texts } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StackedBar } from '../../ui/stacked-bar.tsx'

export interface ListedFile {
  number?: number
  file_name: string
  size: number
  received: number
}

export interface FileListProps {
  files: ListedFile[]
  isSending?: boolean
  isBusy?: boolean
  onRemove?: (file: ListedFile) => void
}

/** The files of an upload, each with the share that has arrived. */
export function FileList({ files, isSending = false, isBusy = false, onRemove }: FileListProps) {
  const { files: label, remove, removeFile } = texts.upload
  return (
    <ul aria-label={label} className="divide-y divide-line border-y border-line">
      {files.map((file, index) => (
        <li key={file.number ?? `new ${index}`} className="flex items-center gap-3 py-2">
          <div className="min-w-0 flex-1">
            <p className="font-medium wrap-anywhere">
              <bdi>{file.file_name}</bdi>
            </p>
            {isSending ? <Progress file={file} /> : <Arrived file={file} />}
          </div>
          {onRemove && (
            <Button
              look="plain"
              aria-label={removeFile(file.file_name)}
              aria-disabled={isBusy}
              onClick={() => {
                if (!isBusy) onRemove(file)
              }}
            >
              {remove}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Arrived({ file: { file_name, size, received } }: { file: ListedFile }) {
  if (received < size)
    return <p className="text-sm text-needs">{texts.upload.goOn(file_name, formatShare(received, size))}</p>
  return (
    <p className="flex items-center gap-1 text-sm text-quiet tabular-nums">
      <Icon name="check" className="size-4" />
      {texts.upload.uploaded(formatSize(size))}
    </p>
  )
}

function Progress({ file: { file_name, size, received } }: { file: ListedFile }) {
  const { sending, sendingLabel } = texts.upload
  const text = sending(formatSize(received), formatSize(size))
  return (
    <>
      <p className="text-sm text-quiet tabular-nums">{text}</p>
      <div
        role="progressbar"
        aria-label={sendingLabel(file_name)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={size === 0 ? 0 : Math.floor((received / size) * 100)}
        aria-valuetext={text}
        className="mt-1"
      >
        <StackedBar parts={[{ key: 'sent', count: received, className: 'fill-accent' }]} whole={Math.max(1, size)} />
      </div>
    </>
  )
}
