import { useState } from 'react'
import type { PortalAccount } from '../../../service/src/portal/contract.ts'
import { inSentence, texts } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { brokenRole } from '../shell/obstacle-of.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { usePlace } from '../use-place.ts'
import { AccessForm } from './access-form.tsx'
import { SignIn } from './sign-in.tsx'
import { UploadForm } from './upload-form.tsx'

export interface AccountCardProps {
  side: 'source' | 'destination'
  account: PortalAccount
}

export function AccountCard({ side, account }: AccountCardProps) {
  const { imp } = useImport()
  const { from, to } = texts.connect
  const isBroken = brokenRole(imp) === side
  const [place, where, end = 'expired'] = usePlace()
  // After a sign-in that failed, the form says why. A return by the back button only finds the sign-in used.
  const isBack = place === 'connect' && where === side && end !== 'expired'
  const [isChanging, setIsChanging] = useState(isBack && account.access !== 'missing')
  const isForm = isChanging || isBroken || account.access === 'missing'
  const close = () => setIsChanging(false)
  return (
    <Card>
      <h2 className="text-lg font-semibold">
        <span className="block text-sm font-normal text-quiet">{side === 'source' ? from : to}</span>
        <bdi className="wrap-anywhere">{account.label}</bdi>
      </h2>
      {isForm ? (
        <>
          {account.asks.includes('upload') ? (
            <UploadForm side={side} onDone={close} />
          ) : (
            <AccountForms side={side} account={account} onDone={close} />
          )}
          {isChanging && (
            <Button look="plain" className="mt-2" onClick={close}>
              {texts.connect.keepThis}
            </Button>
          )}
        </>
      ) : account.access === 'given' ? (
        <GivenAccount side={side} account={account} onOther={() => setIsChanging(true)} />
      ) : (
        <ConnectedAccount account={account} onChange={() => setIsChanging(true)} />
      )}
    </Card>
  )
}

/** If the tool offers a sign-in, that comes first. A typed key works, too. */
function AccountForms({ side, account, onDone }: AccountCardProps & { onDone: () => void }) {
  const { byKey, bySignIn } = texts.connect.oauth
  const [isTyping, setIsTyping] = useState(false)
  if (account.sign_in.length === 0) return <AccessForm side={side} account={account} onDone={onDone} />
  return (
    <>
      {isTyping ? (
        <AccessForm side={side} account={account} onDone={onDone} />
      ) : (
        <SignIn side={side} account={account} />
      )}
      {account.asks.length > 0 && (
        <Button look="plain" className="mt-2" onClick={() => setIsTyping(!isTyping)}>
          {isTyping ? bySignIn(inSentence(account.label)) : byKey}
        </Button>
      )}
    </>
  )
}

function ConnectedAccount({ account, onChange }: { account: PortalAccount; onChange: () => void }) {
  const { connected, change, changeUpload } = texts.connect
  return (
    <>
      <p className="mt-3 flex items-start gap-2">
        <Icon name="check" className="mt-0.5 text-verified" />
        <span className="min-w-0">
          <span className="block text-sm text-verified">{connected}</span>
          {account.account !== null && <bdi className="block font-medium wrap-anywhere">{account.account}</bdi>}
        </span>
      </p>
      <Button look="plain" className="mt-2" onClick={onChange}>
        {account.asks.includes('upload') ? changeUpload : change}
      </Button>
    </>
  )
}

/** The partner has sent the credentials, so the customer only confirms them. */
function GivenAccount({ side, account, onOther }: AccountCardProps & { onOther: () => void }) {
  const { facts } = useImport()
  const { given, confirm, other, checking, refused } = texts.connect
  const action = useAction(() => send('PUT', `/accounts/${side}`, { confirm: true }))
  return (
    <>
      {account.account !== null && (
        <p className="mt-3 font-medium wrap-anywhere">
          <bdi>{inSentence(account.account)}</bdi>
        </p>
      )}
      <p className="mt-2 text-sm text-pretty text-quiet">{given(facts.partner)}</p>
      <FailureNotice failure={action.failure} heading={refused} />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <ActionButton action={action} onAct={() => void action.act()} pending={checking}>
          {confirm}
        </ActionButton>
        <Button look="plain" onClick={onOther}>
          {other}
        </Button>
      </div>
    </>
  )
}
