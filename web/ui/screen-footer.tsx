import type { ReactNode } from 'react'
import { type Language, texts } from '../texts/index.ts'
import { LanguageSwitch } from './language-switch.tsx'

/** The name of the service, and the number to quote to support. */
export function ScreenFooter({
  reference,
  links,
  onLanguage,
  children,
}: {
  reference: string | null
  links?: ReactNode
  /** Called after the customer chose another language. */
  onLanguage?: (language: Language) => void
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
      <LanguageSwitch onChosen={onLanguage} />
    </footer>
  )
}
