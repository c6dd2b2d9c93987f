import type { ReactNode } from 'react'
import { BoatMark } from './boat.tsx'
import { ScreenFooter } from './screen-footer.tsx'
import { ScreenTitle } from './screen-title.tsx'

export interface MessageScreenProps {
  title: string
  paragraphs: string[]
  reference?: string | null
  takesFocus?: boolean
  children?: ReactNode
}

/** A screen with a message and no import. */
export function MessageScreen({
  title,
  paragraphs,
  reference = null,
  takesFocus = true,
  children,
}: MessageScreenProps) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-140 flex-col px-4 sm:px-6">
      <title>{title}</title>
      <main className="flex-1 pt-12 sm:pt-[16vh]">
        <BoatMark />
        <ScreenTitle takesFocus={takesFocus}>{title}</ScreenTitle>
        {paragraphs.map((paragraph) => (
          <p key={paragraph} className="mt-4 text-pretty">
            {paragraph}
          </p>
        ))}
        {children}
      </main>
      <ScreenFooter reference={reference} />
    </div>
  )
}
