import type { ButtonHTMLAttributes, ReactNode } from 'react'

export type ButtonLook = 'primary' | 'secondary' | 'danger' | 'plain'

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent px-5 text-card hover:bg-accent/90',
  secondary: 'border border-control bg-card px-5 text-ink hover:border-ink',
  danger: 'bg-stopped px-5 text-card hover:bg-stopped/90',
  plain: 'text-accent underline decoration-accent/40 underline-offset-4 hover:decoration-accent',
}

export const buttonClasses = (look: ButtonLook, isWide = true) =>
  `inline-flex min-h-11 items-center justify-center gap-2 rounded-lg py-2 max-w-full text-center font-medium wrap-break-word aria-disabled:opacity-70 ${looks[look]} ${isWide && look !== 'plain' ? 'w-full sm:w-auto' : ''}`

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook
  /** Whether the button fills the width of a phone's screen. */
  isWide?: boolean
  children: ReactNode
}

export function Button({ look = 'secondary', isWide = true, className = '', children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`${buttonClasses(look, isWide)} ${className}`} {...rest}>
      {children}
    </button>
  )
}

/** A link to another screen of the portal that looks like a button. */
export function LinkButton({
  to,
  look = 'secondary',
  isWide = true,
  children,
}: {
  to: string
  look?: ButtonLook
  isWide?: boolean
  children: ReactNode
}) {
  return (
    <a href={`#${to}`} className={buttonClasses(look, isWide)}>
      {children}
    </a>
  )
}

/** The actions of a screen. The first one is the main action: on the right of wide screens, on top on phones. */
export function Actions({ children }: { children: ReactNode }) {
  return (
    <div className="off-paper mt-8 flex flex-col gap-3 sm:flex-row-reverse sm:flex-wrap sm:items-center sm:justify-start">
      {children}
    </div>
  )
}
