import { inSentence, texts } from '../../texts/index.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Screen } from '../shell/screen.tsx'
import { TwinNotice } from '../shell/twin-notice.tsx'
import { useImport } from '../use-import.tsx'
import { AccountCard } from './account-card.tsx'

/** Both accounts side by side. Customers return here when an account refuses us access. */
export function Connect() {
  const { imp, facts } = useImport()
  const { title, titleOne, titleAgain, intro, introAgain, kept, next } = texts.connect
  const isFirst = imp.status_code === 'collecting_credentials'
  const open = [imp.source, imp.destination].filter(({ access }) => access !== 'checked')
  const [only] = open
  // Tables of uploaded files need the full width.
  const hasFiles = [imp.source, imp.destination].some(({ asks }) => asks.includes('upload'))
  const firstTitle = open.length === 1 && only ? titleOne(inSentence(only.label)) : title
  return (
    <Screen title={isFirst ? firstTitle : titleAgain} intro={isFirst ? intro(facts.source) : introAgain(facts.source)}>
      <TwinNotice />
      <div className={`mt-6 grid items-start gap-4 ${hasFiles ? 'lg:grid-cols-2' : 'md:grid-cols-2'}`}>
        <AccountCard side="source" account={imp.source} />
        <AccountCard side="destination" account={imp.destination} />
      </div>
      <p className="mt-4 text-sm text-pretty text-quiet">{kept}</p>
      {isFirst ? (
        <p className="mt-2 text-sm text-pretty text-quiet">{next}</p>
      ) : (
        <Actions>
          <LinkButton to="">{texts.shell.toStatus}</LinkButton>
        </Actions>
      )}
    </Screen>
  )
}
