import { useQuery } from '@tanstack/react-query'
import type { PortalMessage, PortalMessages } from '../../../service/src/portal/contract.ts'
import { formatMoment, inSentence, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Working } from '../../ui/working.tsx'
import { get } from '../ask.ts'
import { Told } from '../said.tsx'
import { Screen } from '../shell/screen.tsx'
import { TellMe } from './tell-me.tsx'

/** Mails to the customer, with the state of their delivery. */
export function Messages() {
  const { title, intro, introUnsent, none, noneUnsent } = later.messages
  const { data, errorUpdateCount } = useQuery({
    queryKey: ['messages'],
    queryFn: ({ signal }) => get<PortalMessages>('/messages', signal),
  })
  return (
    <Screen
      title={title}
      {...(data && (data.is_sent || data.messages.length > 0) && { intro: data.is_sent ? intro : introUnsent })}
    >
      {!data && <Working hasFailed={errorUpdateCount > 0} />}
      {data?.messages.length === 0 && <p className="mt-6 text-quiet">{data.is_sent ? none : noneUnsent}</p>}
      {data?.messages.map((message) => (
        <Message key={message.id} message={message} isSent={data.is_sent} />
      ))}
      <div data-comes-last>
        {data?.is_sent && <TellMe />}
        <Actions>
          <LinkButton to="">{texts.shell.toStatus}</LinkButton>
        </Actions>
      </div>
    </Screen>
  )
}

function Message({ message, isSent }: { message: PortalMessage; isSent: boolean }) {
  const { to, states, unsent, trouble } = later.messages
  const { state, at, subject, paragraphs } = message
  const isKept = !isSent && state === 'waiting'
  return (
    <Card className="mt-4">
      <h2 className="font-semibold wrap-anywhere">{subject}</h2>
      <p className="mt-1 text-sm text-quiet wrap-anywhere">
        <time dateTime={at}>{formatMoment(new Date(at))}</time> · {to(inSentence(message.to))} ·{' '}
        <span className={state === 'given_up' ? 'font-medium text-needs' : ''}>{isKept ? unsent : states[state]}</span>
      </p>
      {state !== 'sent' && message.trouble !== null && (
        <p className="mt-1 text-sm text-quiet wrap-anywhere">
          {trouble}
          {texts.colon} <Told text={message.trouble} />
        </p>
      )}
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="mt-2 text-pretty wrap-anywhere">
          {paragraph}
        </p>
      ))}
    </Card>
  )
}
