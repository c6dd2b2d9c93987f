import { texts } from '../../texts/index.ts'
import { MessageScreen } from '../../ui/message-screen.tsx'

/** The browser's cookie has run out, or it never had one. */
export function SignedOut({ reference }: { reference: string | null }) {
  const { title, meaning, advice } = texts.signedOut
  return <MessageScreen title={title} paragraphs={[meaning, advice]} reference={reference} />
}
