import { texts } from '../../texts/index.ts'
import { MessageScreen } from '../../ui/message-screen.tsx'

/** Shown when the browser's cookie has expired or is missing. */
export function SignedOut({ reference }: { reference: string | null }) {
  const { title, meaning, advice } = texts.signedOut
  return <MessageScreen title={title} paragraphs={[meaning, advice]} reference={reference} />
}
