import { useEffect, useState } from 'react'
import type { PortalSignIn } from '../../../service/src/portal/contract.ts'
import { inSentence, known, texts } from '../../texts/index.ts'
import { Select } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { usePlace } from '../use-place.ts'
import type { AccountCardProps } from './account-card.tsx'

/** Opens the tool's own sign-in page, which redirects back here. */
export function SignIn({ side, account }: AccountCardProps) {
  const { signIn, where, goingTo, goes } = texts.connect.oauth
  const [chosen, setChosen] = useState(account.sign_in[0] ?? '')
  const tool = inSentence(account.label)
  const action = useAction(async () => {
    const { redirect_to: address } = await send<PortalSignIn>('POST', `/accounts/${side}/sign-in`, { instance: chosen })
    location.assign(address)
  })
  const { reset } = action
  useEffect(() => {
    // After the back button, the browser shows this page in its earlier state.
    addEventListener('pageshow', reset)
    return () => removeEventListener('pageshow', reset)
  }, [reset])
  return (
    <div className="mt-4">
      <Returned side={side} tool={tool} />
      {account.sign_in.length > 1 ? (
        <Select label={where} value={chosen} onChange={({ target }) => setChosen(target.value)}>
          {account.sign_in.map((instance) => (
            <option key={instance} value={instance}>
              {hostOf(instance)}
            </option>
          ))}
        </Select>
      ) : (
        chosen !== '' && <p className="wrap-anywhere">{hostOf(chosen)}</p>
      )}
      <p className="mt-2 text-sm text-pretty text-quiet">{goes(tool)}</p>
      <FailureNotice failure={action.failure} />
      <div className="mt-4">
        {/* The button stays busy until the browser shows the tool's page. */}
        <ActionButton
          action={{ isPending: action.isPending || action.isDone }}
          onAct={() => void action.act()}
          pending={goingTo(tool)}
        >
          {signIn(tool)}
        </ActionButton>
      </div>
    </div>
  )
}

/** Why the sign-in did not connect the account. */
function Returned({ side, tool }: { side: string; tool: string }) {
  const [place, where, end = '', scopes = ''] = usePlace()
  const { ends, endHeading, nothingChanged } = texts.connect.oauth
  const words = place === 'connect' && where === side ? known(ends, end) : undefined
  if (words === undefined) return null
  return (
    <div role="alert" className="mb-4">
      <Notice tone={end === 'denied' ? 'note' : 'needs'} heading={endHeading}>
        {/* Anybody can write an address: only a list of names is shown, no sentence. */}
        <p className="wrap-anywhere">
          {words(tool, /^[\w.:-]{1,60}(, [\w.:-]{1,60}){0,39}$/.test(scopes) ? scopes : '?')}
        </p>
        <p className="mt-1">{nothingChanged}</p>
      </Notice>
    </div>
  )
}

const hostOf = (instance: string) => (URL.canParse(instance) ? new URL(instance).host : instance)
