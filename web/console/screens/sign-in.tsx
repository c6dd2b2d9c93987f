import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Failure } from '../parts.tsx'
import { useAct } from '../use-ask.ts'

/** Name, password and code are sent together, so that the answer does not tell which one was wrong. */
export function SignIn() {
  const act = useAct()
  const [given, setGiven] = useState({ name: '', password: '', code: '' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!act.isPending)
      act.mutate({ path: '/session', body: given }, { onError: () => setGiven({ ...given, code: '' }) })
  }
  const field = (name: keyof typeof given) => ({
    value: given[name],
    required: true,
    onChange: (event: { target: { value: string } }) => setGiven({ ...given, [name]: event.target.value }),
  })
  return (
    <main className="mx-auto max-w-96 px-4 pt-[12vh]">
      <h1 className="text-2xl font-semibold tracking-tight">Sign in to the console</h1>
      <form className="mt-6 grid gap-4" onSubmit={submit}>
        <TextField label="Name" autoComplete="username" {...field('name')} />
        <TextField label="Password" type="password" autoComplete="current-password" {...field('password')} />
        <TextField
          label="Code"
          hint="The six digits that your authenticator app shows now."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          {...field('code')}
        />
        <Button look="primary" type="submit" aria-disabled={act.isPending}>
          Sign in
        </Button>
      </form>
      {act.error && <Failure error={act.error} />}
      <p className="mt-6 text-sm text-quiet">
        No account yet, or no access to your authenticator? The person who runs this service can type{' '}
        <code>wherry operator create</code> or <code>wherry operator reset</code>.
      </p>
    </main>
  )
}
