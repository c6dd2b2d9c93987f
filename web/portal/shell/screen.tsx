import type { ReactNode } from 'react'
import { inSentence, texts } from '../../texts/index.ts'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { useImport } from '../use-import.tsx'

/** A screen with its introduction and its title, which is also the window's title. */
export function Screen({ title, intro, children }: { title: string; intro?: string; children?: ReactNode }) {
  const { imp } = useImport()
  return (
    <>
      <title>{texts.pageTitle(title, inSentence(imp.partner.name))}</title>
      <ScreenTitle>{title}</ScreenTitle>
      {intro !== undefined && <p className="mt-3 max-w-180 text-pretty wrap-anywhere">{intro}</p>}
      {children}
    </>
  )
}
