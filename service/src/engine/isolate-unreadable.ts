import type { FoundRecord, SoughtRecord, Writer } from '../connectors/contract/contract.ts'
import { UnreadableAnswerError } from '../errors.ts'

/** A key that no record has. */
const nobody: SoughtRecord = { key: 'wherry/nobody', destinationId: null, parent: null }

/** Before that, the answer may have come from a server in between, and the run looks again later. */
const failuresUntilSetAside = 3

/**
 * One record that the tool shows in a form that we do not know must not keep the others from being found. It stands
 * among them as unreadable. A tool that answers so for all of them, or even for nothing, is a tool to wait for.
 * `countFailures` answers how often the run has failed in a row.
 */
export function isolateUnreadable(writer: Writer, countFailures: () => Promise<number>): Writer {
  return {
    ...writer,
    async find(entity, records) {
      try {
        return await writer.find(entity, records)
      } catch (error) {
        if (!(error instanceof UnreadableAnswerError) || records.length === 0) throw error
        if ((await countFailures()) < failuresUntilSetAside) throw error
        await writer.find(entity, [nobody])
        const found: FoundRecord[] = []
        for (const record of records) found.push(...(await findAlone(writer, entity, record)))
        const isAll = records.length > 1 && found.every(({ isUnreadable }) => isUnreadable)
        if (isAll) throw error
        return found
      }
    },
  }
}

async function findAlone(writer: Writer, entity: string, record: SoughtRecord): Promise<FoundRecord[]> {
  try {
    return await writer.find(entity, [record])
  } catch (error) {
    if (!(error instanceof UnreadableAnswerError)) throw error
    const { key, destinationId } = record
    const nothing = { fields: {}, customFields: {}, createdAt: null, updatedAt: null }
    return [{ ...nothing, key, destinationId: destinationId ?? '', url: null, version: null, isUnreadable: true }]
  }
}
