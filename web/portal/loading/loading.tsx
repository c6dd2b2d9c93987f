import { texts } from '../../texts/index.ts'
import { MessageScreen } from '../../ui/message-screen.tsx'

export function Loading() {
  return <MessageScreen title={texts.loading.title} paragraphs={[texts.loading.text]} takesFocus={false} />
}
