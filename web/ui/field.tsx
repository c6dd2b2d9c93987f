import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react'

const control =
  'min-h-11 w-full min-w-0 rounded-lg border border-control bg-card px-3 py-2 text-ink placeholder:text-quiet aria-invalid:border-stopped'

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  hint?: string | undefined
  error?: string | null
  /** An element beside the input, such as a button. */
  aside?: ReactNode
}

export function TextField({ label, hint, error = null, aside, className = '', ...rest }: TextFieldProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter((part) => part !== null)
  return (
    <div className={className}>
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id={id}
          dir="auto"
          className={control}
          aria-invalid={error !== null}
          aria-describedby={described.length > 0 ? described.join(' ') : undefined}
          {...rest}
        />
        {aside}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm text-stopped">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-pretty text-quiet wrap-anywhere">
          {hint}
        </p>
      )}
    </div>
  )
}

export interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string
  /** Hides the label from view but not from screen readers, if the table around it shows the same. */
  isLabelHidden?: boolean
  children: ReactNode
}

export function Select({ label, isLabelHidden = false, children, className = '', ...rest }: SelectProps) {
  const id = useId()
  return (
    <div className={`min-w-0 ${className}`}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'block text-sm font-medium'}>
        {label}
      </label>
      <select id={id} className={`${control} ${isLabelHidden ? '' : 'mt-1'}`} {...rest}>
        {children}
      </select>
    </div>
  )
}

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: ReactNode
  isLabelHidden?: boolean
}

export function Checkbox({ label, isLabelHidden = false, ...rest }: CheckboxProps) {
  return (
    <label className="flex min-h-8 items-start gap-3 py-1">
      <input type="checkbox" className="mt-0.5 size-5 shrink-0 accent-accent" {...rest} />
      <span className={isLabelHidden ? 'sr-only' : 'min-w-0 wrap-anywhere'}>{label}</span>
    </label>
  )
}
