import { type ReactNode, useEffect, useRef } from 'react'

/** The heading of a screen. A new screen moves the focus here, so that screen readers begin with it. */
export function ScreenTitle({ children, takesFocus = true }: { children: ReactNode; takesFocus?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className="mt-8 text-2xl print:mt-2 font-semibold tracking-tight text-balance hyphens-auto wrap-anywhere outline-none sm:text-3xl"
    >
      {children}
    </h1>
  )
}
