import type { ReactNode } from 'react'
import { texts } from '../texts/index.ts'
import { Icon } from './icon.tsx'

/** A link to another site. Addresses come from the tools, so anything but a web address is shown as plain text. */
export function OutLink({ href, children }: { href: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(href)) return <span>{children}</span>
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-6 items-center gap-1 text-accent underline decoration-accent/40 underline-offset-4 hover:decoration-accent"
    >
      <span className="wrap-anywhere">{children}</span>
      <Icon name="out" className="size-4" />
      <span className="sr-only">({texts.shell.opensNewWindow})</span>
    </a>
  )
}
