import { inSentence, texts } from '../../texts/index.ts'
import { MessageScreen } from '../../ui/message-screen.tsx'
import type { Ended } from '../portal-failure.ts'

export function EndedImport({ ended, reference }: { ended: Ended; reference: string | null }) {
  const { title, meaning, advice } = texts.ended
  const paragraphs = [meaning[ended.as], advice[ended.as](inSentence(ended.partner.name))]
  return <MessageScreen title={title[ended.as]} paragraphs={paragraphs} reference={reference} />
}
