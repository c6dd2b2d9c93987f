import { checkSentences } from './check-sentences.ts'
import { failureSentences } from './failure-sentences.ts'
import { recordSentences } from './record-sentences.ts'
import { refusalSentences } from './refusal-sentences.ts'
import { requestSentences } from './request-sentences.ts'
import { uploadSentences } from './upload-sentences.ts'

/** Translations of all sentences of the service. Earlier entries are tried first. */
export const sentences: Record<string, string> = {
  ...requestSentences,
  ...checkSentences,
  ...recordSentences,
  ...uploadSentences,
  ...refusalSentences,
  ...failureSentences,
}
