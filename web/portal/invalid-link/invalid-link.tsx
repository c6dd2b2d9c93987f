import { texts } from '../../texts/index.ts'
import { MessageScreen } from '../../ui/message-screen.tsx'

export function InvalidLink() {
  const { title, meaning, advice } = texts.invalidLink
  return <MessageScreen title={title} paragraphs={[meaning, advice]} />
}
