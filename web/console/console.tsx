import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { ConsoleSession } from '../../service/src/console/contract.ts'
import { Button } from '../ui/button.tsx'
import { ask } from './ask.ts'
import { Failure } from './parts.tsx'
import { SetUp } from './screens/set-up.tsx'
import { SignIn } from './screens/sign-in.tsx'
import { screenAt, screens } from './screens.ts'
import { useAsk } from './use-ask.ts'

const subscribe = (changed: () => void) => {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}

/** The page of the console: set-up, sign-in, or the screens of a signed-in operator. */
export function Console() {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  const session = useAsk<ConsoleSession>('/session', false)
  const setupCode = /^#setup=([\w-]+)$/.exec(hash)?.[1]
  if (setupCode !== undefined) return <SetUp setupCode={setupCode} />
  if (session.error?.status === 401) return <SignIn />
  if (session.error && !session.data) {
    return (
      <main className="mx-auto max-w-140 p-6">
        <h1 className="text-2xl font-semibold">Wherry console</h1>
        <Failure error={session.error} />
        <Button className="mt-4" onClick={() => session.refetch()}>
          Try again
        </Button>
      </main>
    )
  }
  return session.data ? <SignedIn session={session.data} hash={hash} /> : null
}

function SignedIn({ session, hash }: { session: ConsoleSession; hash: string }) {
  const client = useQueryClient()
  const { screen, params } = screenAt(hash)
  const Screen = screen.component
  useEffect(() => {
    document.title = `${screen.title} · Wherry console`
  }, [screen])
  const signOut = async () => {
    await ask('DELETE', '/session').catch(() => {})
    client.clear()
    await client.invalidateQueries()
    window.location.reload()
  }
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[13rem_1fr]">
      <header className="border-b border-line bg-card p-4 lg:min-h-dvh lg:border-r lg:border-b-0">
        <p className="font-semibold">Wherry console</p>
        <nav aria-label="Console" className="mt-3">
          <ul className="flex flex-wrap gap-x-4 gap-y-1 lg:block">
            {screens
              .filter(({ isInMenu, right }) => isInMenu && (right !== 'own' || session.role === 'owner'))
              .map(({ path, title }) => (
                <li key={path}>
                  <a
                    href={`#/${path}`}
                    aria-current={path === screen.path ? 'page' : undefined}
                    className="inline-flex min-h-9 items-center aria-[current=page]:font-semibold hover:text-accent"
                  >
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
        <p className="mt-4 text-sm text-quiet">
          {session.name}, {session.role}
        </p>
        <Button look="plain" isWide={false} onClick={signOut}>
          Sign out
        </Button>
      </header>
      <main className="min-w-0 p-4 pb-16 sm:p-8">
        <h1 className="text-2xl font-semibold tracking-tight">{screen.title}</h1>
        <Screen key={hash} session={session} params={params} />
      </main>
    </div>
  )
}
