import { useId, useRef, useState } from 'react'
import { later } from '../../texts/later.ts'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { TargetGroup } from './list-targets.ts'

interface TargetSearchProps {
  label: string
  groups: TargetGroup[]
  value: string
  onChoose: (choice: string) => void
}

/** The choices of the list beside it, with a search. Escape closes it. */
export function TargetSearch({ label, groups, value, onChoose }: TargetSearchProps) {
  const words = later.mapping
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [search, setSearch] = useState('')
  const close = () => {
    setIsOpen(false)
    setSearch('')
    opener.current?.focus()
  }
  const wanted = fold(search)
  const found = groups
    .map((group) => ({ ...group, choices: group.choices.filter((choice) => fold(choice.words).includes(wanted)) }))
    .filter(({ choices }) => choices.length > 0)
  return (
    <>
      <button
        ref={opener}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => (isOpen ? close() : setIsOpen(true))}
        className="flex size-11 shrink-0 items-center justify-center rounded-lg border border-control bg-card hover:border-ink"
      >
        <Icon name="search" />
        <span className="sr-only">{words.searchTargets(label)}</span>
      </button>
      <div id={id} className={isOpen ? 'basis-full' : 'hidden'}>
        {isOpen && (
          // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the search from any element inside
          <div
            className="rounded-lg border border-line bg-card p-3 shadow-sm"
            onKeyDown={({ key }) => {
              if (key === 'Escape') close()
            }}
          >
            <TextField
              label={words.searchTargets(label)}
              type="search"
              autoFocus
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
            <div className="mt-2 max-h-72 overflow-y-auto">
              {found.map((group) => (
                <ul key={group.label ?? ''} aria-label={group.label ?? undefined} className="mt-1">
                  {group.label !== null && (
                    <li aria-hidden="true" className="pt-2 text-sm text-quiet">
                      {group.label}
                    </li>
                  )}
                  {group.choices.map((choice) => (
                    <li key={choice.value}>
                      <button
                        type="button"
                        aria-current={choice.value === value}
                        aria-disabled={choice.isDisabled}
                        onClick={() => {
                          if (choice.isDisabled) return
                          onChoose(choice.value)
                          close()
                        }}
                        className="flex min-h-10 w-full items-center gap-2 rounded-lg px-2 text-left wrap-anywhere hover:bg-ground aria-disabled:text-quiet"
                      >
                        {choice.words}
                        {choice.value === value && <Icon name="check" className="size-4" />}
                      </button>
                    </li>
                  ))}
                </ul>
              ))}
              {found.length === 0 && <p className="py-2 text-quiet">{words.noTarget}</p>}
            </div>
          </div>
        )}
      </div>
    </>
  )
}

/** Makes the search ignore accents and capitals. */
const fold = (text: string) =>
  text
    .trim()
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
