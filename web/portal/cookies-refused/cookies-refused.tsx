import { texts } from '../../texts/index.ts'
import { MessageScreen } from '../../ui/message-screen.tsx'

export function CookiesRefused({ reference }: { reference: string | null }) {
  const { title, meaning, advice } = texts.cookiesRefused
  return <MessageScreen title={title} paragraphs={[meaning, advice]} reference={reference} />
}
