import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Failure } from '../parts.tsx'
import { useAct } from '../use-ask.ts'

/** Sets the address for a partner's webhook messages. Waiting messages then go to the new address. */
export function SetTarget({ path, current }: { path: string; current: string }) {
  const act = useAct()
  const [url, setUrl] = useState(current)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!act.isPending) act.mutate({ method: 'PUT', path, body: { url } })
  }
  return (
    <form className="mt-3 max-w-140" onSubmit={submit}>
      <TextField
        label="Address"
        type="url"
        required
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        aside={
          <Button type="submit" isWide={false} aria-disabled={act.isPending}>
            Set
          </Button>
        }
      />
      {act.error && <Failure error={act.error} />}
    </form>
  )
}
