import { formatNumber, texts } from '../../texts/index.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { Screen } from '../shell/screen.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

/** Ends the import permanently. Before that, it says which data is deleted and which stays. */
export function Cancel() {
  const { imp, facts } = useImport()
  const { cancelTitle, cancelWhat, cancelStays, cancelCopied, cancelNow, cancelling, keep } = texts.shell
  const copied = Object.values(imp.items).reduce((sum, count) => sum + count, 0)
  const cancel = useAction(() => send('POST', '/cancel'))
  return (
    <Screen title={cancelTitle} intro={cancelWhat(facts.destination)}>
      <Notice tone="needs">
        {copied > 0 && <p>{cancelCopied(formatNumber(copied), facts.destination)}</p>}
        <p>{cancelStays(facts.source)}</p>
      </Notice>
      <FailureNotice failure={cancel.failure} />
      <Actions>
        <ActionButton action={cancel} onAct={() => void cancel.act()} pending={cancelling} look="danger">
          {cancelNow}
        </ActionButton>
        <LinkButton to="">{keep}</LinkButton>
      </Actions>
    </Screen>
  )
}
