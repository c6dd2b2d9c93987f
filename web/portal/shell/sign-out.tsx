import { texts } from '../../texts/index.ts'
import { FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { type Action, useAction } from '../use-action.ts'

/** Ends the session of this browser. The page is loaded anew, so that nothing of the import stays in its memory. */
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

/** Said above the footer: the button itself has no room for it. */
export function SignOutFailure({ action }: { action: Action<[]> }) {
  return action.failure && <FailureNotice failure={action.failure} />
}
