import { texts } from '../../texts/index.ts'
import { MessageScreen } from '../../ui/message-screen.tsx'

export interface UnavailableProps {
  reference: string | null
  isTrying: boolean
  onTryNow: () => void
}

export function Unavailable({ reference, isTrying, onTryNow }: UnavailableProps) {
  const { title, meaning, retrying, tryNow, trying } = texts.unavailable
  return (
    <MessageScreen title={title} paragraphs={[meaning, retrying]} reference={reference}>
      <button
        type="button"
        onClick={onTryNow}
        className="mt-6 min-h-11 w-full rounded-lg bg-accent px-5 font-medium text-card hover:bg-accent/90 sm:w-auto sm:min-w-36"
      >
        {isTrying ? trying : tryNow}
      </button>
    </MessageScreen>
  )
}
