import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { PortalBilling } from '../../../service/src/portal/payment-contract.ts'
import { language } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { countries } from './countries.ts'

type Field = keyof PortalBilling
type Values = Partial<Record<Field, string>>

const needed: Field[] = ['name', 'street', 'city', 'country', 'email']
const textFields: { name: Exclude<Field, 'country'>; fill: string; isHalf?: true }[] = [
  { name: 'name', fill: 'name', isHalf: true },
  { name: 'company', fill: 'organization', isHalf: true },
  { name: 'street', fill: 'street-address' },
  { name: 'postal_code', fill: 'postal-code', isHalf: true },
  { name: 'city', fill: 'address-level2', isHalf: true },
  { name: 'region', fill: 'address-level1', isHalf: true },
]
const lastFields: typeof textFields = [
  { name: 'vat_id', fill: 'off', isHalf: true },
  { name: 'email', fill: 'email', isHalf: true },
]

/** The form for the recipient of an invoice. */
export function BillingForm({ amount }: { amount: string }) {
  const words = later.pay
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Values>({})
  const [missing, setMissing] = useState<Field[]>([])
  const order = useAction((billing: Values) => send('POST', '/purchase', { provider: 'invoice', language, billing }))
  const refused = order.failure?.kind === 'refused' ? order.failure.fields : {}
  const isAboutFields = Object.keys(refused).some((name) => Object.hasOwn(words.fields, name))
  // Moves the focus to the first wrong field.
  useEffect(() => {
    if (missing.length > 0 || isAboutFields) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [missing, isAboutFields])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const empty = needed.filter((name) => (values[name] ?? '').trim() === '')
    setMissing(empty)
    if (empty.length === 0) void order.act(values)
  }
  const errorOf = (name: Field) => {
    if (missing.includes(name)) return words.blank
    return Object.hasOwn(refused, name) ? words.wrong[name] : null
  }
  const set = (name: Field, value: string) => {
    setValues({ ...values, [name]: value })
    setMissing(missing.filter((one) => one !== name))
    order.reset()
  }
  const inputOf = ({ name, fill, isHalf }: (typeof textFields)[number]) => (
    <TextField
      key={name}
      className={isHalf ? '' : 'sm:col-span-2'}
      label={needed.includes(name) ? words.fields[name] : `${words.fields[name]} (${words.optional})`}
      hint={name === 'email' ? words.emailHint : undefined}
      error={errorOf(name)}
      type={name === 'email' ? 'email' : 'text'}
      autoComplete={fill}
      value={values[name] ?? ''}
      onChange={({ target }) => set(name, target.value)}
    />
  )
  return (
    <form ref={form} noValidate onSubmit={submit} className="mt-6">
      <h3 className="font-semibold">{words.billing}</h3>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        {textFields.map(inputOf)}
        <div>
          <Select
            label={words.fields.country}
            autoComplete="country"
            aria-invalid={errorOf('country') !== null}
            value={values.country ?? ''}
            onChange={({ target }) => set('country', target.value)}
          >
            <option value="">{words.chooseCountry}</option>
            {countries(language).map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
          {errorOf('country') !== null && <p className="mt-1 text-sm text-stopped">{errorOf('country')}</p>}
        </div>
        {lastFields.map(inputOf)}
      </div>
      <div role="alert">
        {order.failure && !isAboutFields && (
          <Notice tone="stopped">{order.failure.kind === 'refused' ? words.changed : words.failed}</Notice>
        )}
      </div>
      <Actions>
        <Button look="primary" type="submit" aria-disabled={order.isPending}>
          {order.isPending ? words.writing : words.getInvoice(amount)}
        </Button>
      </Actions>
    </form>
  )
}
