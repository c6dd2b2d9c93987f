import type { Reader, RecordPage } from '../connectors/contract/contract.ts'
import { tell } from '../signals/signals.ts'

/** The same reader. It signals every page that it has read. */
export function countReads(tool: string, reader: Reader): Reader {
  const counted = async (asked: Promise<RecordPage>): Promise<RecordPage> => {
    const page = await asked
    tell('page read', { tool, records: page.items.length })
    return page
  }
  const { readSome } = reader
  const counting: Reader = { ...reader, read: (...asked) => counted(reader.read(...asked)) }
  if (readSome) counting.readSome = (...asked) => counted(readSome(...asked))
  return counting
}
