import type { ReactNode } from 'react'

export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-lg border border-line bg-card p-4 sm:p-5 ${className}`}>{children}</div>
}

/** A part of a screen with its own heading. */
export function Section({ heading, intro, children }: { heading: string; intro?: string; children?: ReactNode }) {
  return (
    <section className="mt-10">
      <h2 className="text-lg font-semibold text-balance hyphens-auto wrap-anywhere">{heading}</h2>
      {intro !== undefined && <p className="mt-1 text-pretty text-quiet wrap-anywhere">{intro}</p>}
      {children}
    </section>
  )
}
