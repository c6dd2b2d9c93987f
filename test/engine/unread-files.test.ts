import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { OutgoingFile, WriteOutcome } from '../../service/src/connectors/contract/contract.ts'
import { dropBytes } from '../../service/src/connectors/kit/files.ts'
import type { RunContext } from '../../service/src/engine/run-context.ts'
import { sendFile } from '../../service/src/engine/send-file.ts'
import type { Sending } from '../../service/src/engine/sending.ts'
import { createTurns } from '../../service/src/turns.ts'

/** Sends a file that the source says to have seven bytes, and returns the warnings. */
async function warningsOf(bytes: string, take: (file: OutgoingFile) => Promise<unknown>): Promise<string[]> {
  const warnings: string[] = []
  const context = {
    mapping: { destination: { maxFileBytes: null } },
    reader: { openFile: async () => ({ size: null, contentType: null, body: Readable.from([Buffer.from(bytes)]) }) },
    writer: {
      async writeFile(_entity: string, file: OutgoingFile): Promise<WriteOutcome> {
        await take(file)
        return { key: file.key, result: 'written', destinationId: '1', url: null, version: null }
      },
    },
  }
  const sending = { record: { entity: 'attachments', fields: { size: 7 } }, outgoing: { key: 'k' }, warnings }
  await sendFile(context as unknown as RunContext, sending as unknown as Sending, createTurns(1))
  return warnings
}
const readAll = async ({ body }: OutgoingFile) => Readable.from(body).toArray()

test('a file that only gets a new name does not count as one of another length', async () => {
  expect(await warningsOf('seven b', async (file) => dropBytes(file))).toEqual([])
})

test('a file whose bytes are fewer than the source says is reported', async () => {
  expect(await warningsOf('six by', readAll)).toEqual(['file_size_differs'])
  expect(await warningsOf('', readAll)).toEqual(['file_size_differs'])
  expect(await warningsOf('seven b', readAll)).toEqual([])
})
