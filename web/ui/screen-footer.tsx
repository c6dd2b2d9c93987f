import type { ReactNode } from 'react'
import { texts } from '../texts/index.ts'
import { LanguageSwitch } from './language-switch.tsx'

/** Who is at work here, and what to quote when asking someone for help. */
export function ScreenFooter({
  reference,
  links,
  children,
}: {
  reference: string | null
  links?: ReactNode
  children?: ReactNode
}) {
  return (
    <footer className="mt-12 border-t border-line py-6 text-sm text-quiet wrap-anywhere">
      {children && <p className="text-pretty">{children}</p>}
      {links && <p className="off-paper mt-1 flex flex-wrap gap-x-5">{links}</p>}
      {reference !== null && (
        <p className="mt-1">
          {texts.footer.reference}
          {texts.colon} <span className="font-mono text-xs wrap-anywhere">{reference}</span>
        </p>
      )}
      <LanguageSwitch />
    </footer>
  )
}
