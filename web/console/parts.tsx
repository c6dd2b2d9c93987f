import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Notice } from '../ui/notice.tsx'
import type { ConsoleFailure } from './ask.ts'

/** Shows an answer. While it loads, shows a note; after a failure, the failure above the last known answer. */
export function Loaded<T>({
  query,
  children,
}: {
  query: UseQueryResult<T, ConsoleFailure>
  children: (data: T) => ReactNode
}) {
  const { data, error } = query
  return (
    <>
      {error && <Failure error={error} />}
      {data === undefined ? !error && <p className="mt-6 text-quiet">Loading…</p> : children(data)}
    </>
  )
}

export function Failure({ error }: { error: ConsoleFailure }) {
  return (
    <div role="alert">
      <Notice tone="stopped">{error.message}</Notice>
    </div>
  )
}

/** Shows a secret that cannot be shown again. */
export const ShownOnce = ({ name, children }: { name: string; children: string }) => (
  <Notice tone="good" heading={`${name}, shown only once`}>
    <code className="wrap-anywhere">{children}</code>
  </Notice>
)

export interface Column<R> {
  heading: string
  cell: (row: R) => ReactNode
  isNumber?: boolean
}

/** A table that scrolls sideways on a narrow screen. */
export function Table<R>({
  caption,
  rows,
  columns,
  keyOf,
  empty,
}: {
  caption: string
  rows: readonly R[]
  columns: readonly Column<R>[]
  keyOf: (row: R) => string
  empty: string
}) {
  if (rows.length === 0) return <p className="mt-3 text-quiet">{empty}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <section className="mt-3 overflow-x-auto rounded-lg border border-line bg-card" tabIndex={0} aria-label={caption}>
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-quiet">
            {columns.map(({ heading, isNumber }) => (
              <th key={heading} scope="col" className={`px-3 py-2 font-medium ${isNumber ? 'text-right' : ''}`}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0 align-top">
              {columns.map(({ heading, cell, isNumber }) => (
                <td key={heading} className={`px-3 py-2 ${isNumber ? 'text-right tabular-nums' : ''}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export const Link = ({ to, children }: { to: string; children: ReactNode }) => (
  <a
    href={`#/${to}`}
    className="text-accent underline decoration-accent/40 underline-offset-4 hover:decoration-accent wrap-break-word"
  >
    {children}
  </a>
)

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const number = new Intl.NumberFormat()

export const Time = ({ at }: { at: string | null }) =>
  at === null ? (
    <span className="text-quiet">–</span>
  ) : (
    <time dateTime={at} className="whitespace-nowrap">
      {time.format(new Date(at))}
    </time>
  )

export const count = (value: number) => number.format(value)
export const words = (code: string) => code.replaceAll('_', ' ')

export function List({ pairs }: { pairs: readonly [string, ReactNode][] }) {
  return (
    <dl className="mt-3 grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1 text-sm">
      {pairs.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
