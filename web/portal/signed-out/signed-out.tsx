import { texts } from '../../texts/index.ts'
import { MessageScreen } from '../../ui/message-screen.tsx'

/** The browser's cookie has expired, or there was none. */
export function SignedOut({ reference }: { reference: string | null }) {
  const { title, meaning, advice } = texts.signedOut
  return <MessageScreen title={title} paragraphs={[meaning, advice]} reference={reference} />
}
