import { Readable } from 'node:stream'
import type { OutgoingFile, OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'

export function outcomeId(outcome: WriteOutcome | undefined): string {
  if (!outcome || !('destinationId' in outcome)) throw new Error(`not written: ${JSON.stringify(outcome)}`)
  return outcome.destinationId
}

export const fileOf = (record: OutgoingRecord, text: string): OutgoingFile => ({
  ...record,
  size: text.length,
  contentType: 'application/pdf',
  body: Readable.from([Buffer.from(text)], { objectMode: false }),
})
