import { useId, useState } from 'react'
import { texts } from '../../texts/index.ts'
import { buttonClasses } from '../../ui/button.tsx'

/** Lets the customer choose or drop one or more files. */
export function FileChooser({ isMore, onChoose }: { isMore: boolean; onChoose: (files: File[]) => void }) {
  const { choose, more, orDrop } = texts.upload
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])]
    if (files.length > 0) onChoose(files)
  }
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
        take(event.dataTransfer.files)
      }}
    >
      <input
        id={id}
        type="file"
        multiple
        accept=".csv,.tsv,.tab,.txt,.zip,.xlsx"
        className="peer sr-only"
        onChange={({ target }) => take(target.files)}
      />
      <label
        htmlFor={id}
        className={`${buttonClasses('secondary')} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent`}
      >
        {isMore ? more : choose}
      </label>
      <p className="mt-2 text-sm text-quiet">{orDrop}</p>
    </div>
  )
}
