import { texts } from '../../texts/index.ts'
import { FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { type Action, useAction } from '../use-action.ts'

/** Ends the session of this browser. The page reloads, so that no data of the import stays in memory. */
export function useSignOut(): Action<[]> {
  return useAction(async () => {
    await send('POST', '/session/end')
    location.reload()
  })
}

export function SignOutButton({ action }: { action: Action<[]> }) {
  return (
    <button
      type="button"
      aria-disabled={action.isPending}
      onClick={() => void action.act()}
      className="inline-block py-1 underline decoration-quiet/40 underline-offset-4 hover:text-ink"
    >
      {action.isPending ? texts.shell.signingOut : texts.shell.signOut}
    </button>
  )
}

/** The error is shown above the footer, because the button has no room for it. */
export function SignOutFailure({ action }: { action: Action<[]> }) {
  return action.failure && <FailureNotice failure={action.failure} />
}
