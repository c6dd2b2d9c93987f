import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import type { OutgoingFile, WriteOutcome } from '../../service/src/connectors/contract/contract.ts'
import type { RunContext } from '../../service/src/engine/run-context.ts'
import { sendFile } from '../../service/src/engine/send-file.ts'
import type { Sending } from '../../service/src/engine/sending.ts'
import { createTurns } from '../../service/src/turns.ts'

/** Sends a file of this size while another file has the destination's only turn. `bytes`: its true size. */
async function sendBeside(size: number, bytes = size) {
  const turns = createTurns(1)
  const endOther = await turns.take()
  const bodies: Readable[] = []
  const openFile = vi.fn(async () => {
    bodies.push(Readable.from([Buffer.alloc(bytes)], { objectMode: false }))
    return { size: null, contentType: null, body: bodies.at(-1) as Readable }
  })
  let arrived = 0
  const writeFile = vi.fn(async (_entity: string, file: OutgoingFile): Promise<WriteOutcome> => {
    for await (const piece of file.body) arrived += piece.length
    return { key: file.key, result: 'written', destinationId: '1', url: null, version: null }
  })
  const context = { mapping: { destination: { maxFileBytes: null } }, reader: { openFile }, writer: { writeFile } }
  const sending = { record: { entity: 'attachments', fields: { size } }, outgoing: { key: 'k' }, warnings: [] }
  const sent = sendFile(context as unknown as RunContext, sending as unknown as Sending, turns)
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  const calls = { opened: openFile.mock.calls.length, written: writeFile.mock.calls.length }
  const areBodiesOver = bodies.every((body) => body.destroyed)
  endOther()
  const { result } = await sent
  return { calls, areBodiesOver, result, arrived, isTurnFree: turns.tryTake() !== null }
}

test('a small file is read while the destination takes others, and sent in its turn', async () => {
  const size = 64 * 1024
  // Its source is not kept waiting: a source that allows one request would give out no other file meanwhile.
  expect(await sendBeside(size)).toEqual({
    calls: { opened: 1, written: 0 },
    areBodiesOver: true,
    result: 'written',
    arrived: size,
    isTurnFree: true,
  })
})

test('a large file is fetched in its turn only, so that the source never waits with half of it', async () => {
  const size = 64 * 1024 + 1
  expect(await sendBeside(size)).toMatchObject({ calls: { opened: 0, written: 0 }, result: 'written', arrived: size })
})

test('a file that has more bytes than its source said is fetched again in its turn', async () => {
  const bytes = 80 * 1024
  const { calls, areBodiesOver, arrived } = await sendBeside(10, bytes)
  expect({ calls, areBodiesOver, arrived }).toEqual({
    calls: { opened: 1, written: 0 },
    areBodiesOver: true,
    arrived: bytes,
  })
})

test('a file that its store calls plain bytes has the type that its source told', async () => {
  const typeOf = async (contentType: string | null, told?: string) => {
    const openFile = async () => ({
      size: 1,
      contentType,
      body: Readable.from([Buffer.alloc(1)], { objectMode: false }),
    })
    const types: (string | null)[] = []
    const writeFile = async (_entity: string, file: OutgoingFile): Promise<WriteOutcome> => {
      types.push(file.contentType)
      for await (const _ of file.body);
      return { key: file.key, result: 'written', destinationId: '1', url: null, version: null }
    }
    const context = { mapping: { destination: { maxFileBytes: null } }, reader: { openFile }, writer: { writeFile } }
    const record = { entity: 'attachments', fields: { size: 1, ...(told !== undefined && { content_type: told }) } }
    const sending = { record, outgoing: { key: 'k' }, warnings: [] }
    await sendFile(context as unknown as RunContext, sending as unknown as Sending, createTurns(1))
    return types
  }
  expect(await typeOf('application/octet-stream', 'image/png')).toEqual(['image/png'])
  expect(await typeOf('binary/octet-stream', 'image/png')).toEqual(['image/png'])
  expect(await typeOf(null, 'image/png')).toEqual(['image/png'])
  expect(await typeOf('image/webp', 'image/png')).toEqual(['image/webp'])
  expect(await typeOf('application/octet-stream')).toEqual(['application/octet-stream'])
})
