import { type FormEvent, type ReactNode, useState } from 'react'
import { Button, type ButtonLook } from '../ui/button.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { Failure } from './parts.tsx'
import { useAct } from './use-ask.ts'

export interface FormField {
  name: string
  label: string
  hint?: string
  /** The initial value. */
  value?: string
  type?: 'text' | 'url' | 'password' | 'number'
  isRequired?: boolean
  /** Values with their labels. The field becomes a list to choose from. */
  choices?: readonly (readonly [string, string])[]
}

interface SaveFormProps {
  /** The path can depend on the values. */
  path: string | ((given: Record<string, string>) => string)
  method?: 'POST' | 'PUT'
  fields: readonly FormField[]
  button: string
  look?: ButtonLook
  /** The body to send. Default: all fields by name. */
  toBody?: (given: Record<string, string>) => unknown
  /** Shows the answer instead of "Saved". */
  answer?: (data: never) => ReactNode
  /** Fields that are emptied after sending, such as secrets. */
  clears?: readonly string[]
}

/** A form with a button. Shows errors beside their fields, and the result. */
export function SaveForm({ path, method = 'PUT', fields, button, look, toBody, answer, clears = [] }: SaveFormProps) {
  const act = useAct<unknown>()
  const [given, setGiven] = useState(() => Object.fromEntries(fields.map(({ name, value = '' }) => [name, value])))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (act.isPending) return
    const body = toBody ? toBody(given) : given
    const onSuccess = () => setGiven((now) => ({ ...now, ...Object.fromEntries(clears.map((name) => [name, ''])) }))
    act.mutate({ method, path: typeof path === 'string' ? path : path(given), body }, { onSuccess })
  }
  const change = (name: string) => (event: { target: { value: string } }) =>
    setGiven((now) => ({ ...now, [name]: event.target.value }))
  const told = Object.keys(act.error?.fields ?? {})
  const isBeside = told.length > 0 && told.every((name) => fields.some((field) => field.name === name))
  return (
    <form className="mt-3 grid max-w-140 gap-4" onSubmit={submit}>
      {fields.map(({ name, label, hint, type = 'text', isRequired = false, choices }) =>
        choices ? (
          <Select key={name} label={label} value={given[name]} onChange={change(name)}>
            {choices.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        ) : (
          <TextField
            key={name}
            label={label}
            hint={hint}
            type={type}
            required={isRequired}
            autoComplete={type === 'password' ? 'new-password' : 'off'}
            value={given[name]}
            error={act.error?.fields[name]?.join(', ') ?? null}
            onChange={change(name)}
          />
        ),
      )}
      <div>
        <Button type="submit" look={look ?? 'secondary'} isWide={false} aria-disabled={act.isPending}>
          {button}
        </Button>
      </div>
      {act.error && !isBeside && <Failure error={act.error} />}
      <div aria-live="polite">
        {act.isSuccess && (answer ? answer(act.data as never) : <p className="text-verified">Saved.</p>)}
      </div>
    </form>
  )
}
