import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import type { OutgoingFile, WriteOutcome } from '../../service/src/connectors/contract/contract.ts'
import type { RunContext } from '../../service/src/engine/run-context.ts'
import { sendFile } from '../../service/src/engine/send-file.ts'
import type { Sending } from '../../service/src/engine/sending.ts'
import { createTurns } from '../../service/src/turns.ts'

/** Sends a file of this size while another file has the destination's only turn. */
async function sendBeside(size: number) {
  const turns = createTurns(1)
  const endOther = await turns.take()
  const openFile = vi.fn(async () => ({ size, contentType: null, body: Readable.from([Buffer.alloc(size)]) }))
  const writeFile = vi.fn(async (_entity: string, file: OutgoingFile): Promise<WriteOutcome> => {
    await Readable.from(file.body).toArray()
    return { key: file.key, result: 'written', destinationId: '1', url: null, version: null }
  })
  const context = { mapping: { destination: { maxFileBytes: null } }, reader: { openFile }, writer: { writeFile } }
  const sending = { record: { entity: 'attachments', fields: { size } }, outgoing: { key: 'k' }, warnings: [] }
  const sent = sendFile(context as unknown as RunContext, sending as unknown as Sending, turns)
  await new Promise(setImmediate)
  const calls = { opened: openFile.mock.calls.length, written: writeFile.mock.calls.length }
  endOther()
  return { calls, outcome: await sent, isTurnFree: () => turns.tryTake() !== null }
}

test('a small file is fetched while the destination takes others, and sent in its turn', async () => {
  const { calls, outcome, isTurnFree } = await sendBeside(64 * 1024)
  expect(calls).toEqual({ opened: 1, written: 0 })
  expect(outcome.result).toBe('written')
  expect(isTurnFree()).toBe(true)
})

test('a large file is fetched in its turn only, so that the source never waits with half of it', async () => {
  const { calls, outcome } = await sendBeside(64 * 1024 + 1)
  expect(calls).toEqual({ opened: 0, written: 0 })
  expect(outcome.result).toBe('written')
})
