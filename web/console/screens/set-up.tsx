import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { renderSVG } from 'uqr'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ask, type ConsoleFailure } from '../ask.ts'
import { Failure } from '../parts.tsx'
import { useAct } from '../use-ask.ts'

interface Begun {
  name: string
  role: string
  secret: string
  uri: string
}

/** The holder of a new account sets a password and an authenticator app. */
export function SetUp({ setupCode }: { setupCode: string }) {
  const begin = useMutation<Begun, ConsoleFailure>({
    mutationFn: () => ask<Begun>('POST', '/setup/begin', { setup_code: setupCode }),
  })
  const { mutate } = begin
  useEffect(() => mutate(), [mutate])
  return (
    <main className="mx-auto max-w-120 px-4 py-12">
      <h1 className="text-2xl font-semibold tracking-tight">Set up your account</h1>
      {begin.error && <Failure error={begin.error} />}
      {begin.data && <Form setupCode={setupCode} begun={begin.data} />}
    </main>
  )
}

function Form({ setupCode, begun }: { setupCode: string; begun: Begun }) {
  const act = useAct()
  const [given, setGiven] = useState({ password: '', code: '' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (act.isPending) return
    const done = () => {
      // The code cannot be used again and must not stay in the browser's history.
      window.history.replaceState(null, '', '/console')
      window.location.reload()
    }
    act.mutate({ path: '/setup', body: { setup_code: setupCode, ...given } }, { onSuccess: done })
  }
  return (
    <form className="mt-6 grid gap-5" onSubmit={submit}>
      <p>
        You are <strong>{begun.name}</strong>, with the role {begun.role}.
      </p>
      <div>
        <h2 className="font-semibold">1. Scan this with an authenticator app</h2>
        <img
          className="mt-3 size-48 rounded-lg bg-white p-2"
          alt="QR code for the authenticator app"
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(begun.uri))}`}
        />
        <p className="mt-2 text-sm text-quiet wrap-anywhere">
          Or type this secret into the app: <code>{begun.secret}</code>
        </p>
      </div>
      <div className="grid gap-4">
        <h2 className="font-semibold">2. Choose a password, and type the code that the app shows</h2>
        <input type="hidden" autoComplete="username" value={begun.name} />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters."
          required
          minLength={12}
          value={given.password}
          error={act.error?.fields.password?.join(', ') ?? null}
          onChange={(event) => setGiven({ ...given, password: event.target.value })}
        />
        <TextField
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={6}
          value={given.code}
          error={act.error?.fields.code?.join(', ') ?? null}
          onChange={(event) => setGiven({ ...given, code: event.target.value })}
        />
      </div>
      <Button look="primary" type="submit" aria-disabled={act.isPending}>
        Set up and sign in
      </Button>
      {act.error && Object.keys(act.error.fields).length === 0 && <Failure error={act.error} />}
    </form>
  )
}
