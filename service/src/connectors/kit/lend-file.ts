import type { Readable } from 'node:stream'
import { ConnectorFaultError } from '../../errors.ts'
import { readBytes } from '../../outbound/tap-bytes.ts'
import type { Reader } from '../contract/contract.ts'
import { toFault } from './to-fault.ts'

export type OpenedFile = Awaited<ReturnType<Reader['openFile']>>

/**
 * The file that a connector opened, and nothing else of its answer. A stream that stops, or that holds something else
 * than bytes, is the fault of this connector, and not of the one that the bytes are sent to.
 */
export function lendFile(
  { size, contentType, body }: OpenedFile,
  { tool, home, idleMs }: { tool: string; home: string | null; idleMs: number },
): OpenedFile {
  const fault = (what: string) => new ConnectorFaultError(tool, `openFile ${what}`)
  async function* pieces(): AsyncGenerator<Buffer> {
    try {
      const given = body[Symbol.asyncIterator]()
      for (;;) {
        const piece: IteratorResult<unknown> = await within(idleMs, given.next(), () =>
          fault(`streamed no byte for ${Math.ceil(idleMs / 1000)} s`),
        )
        if (piece.done) return
        const { value } = piece
        if (!(value instanceof Uint8Array) && typeof value !== 'string')
          throw fault('streams something else than bytes')
        yield Buffer.from(value as Uint8Array)
      }
    } catch (error) {
      throw toFault(tool, 'openFile', error, home)
    } finally {
      body.destroy()
    }
  }
  const lent = readBytes(pieces())
  // A stream that breaks off before it is read, or that nobody reads, ends the process or stays open otherwise.
  ;(body as Readable).on('error', () => {})
  lent.once('close', () => body.destroy())
  return { size, contentType, body: lent }
}

async function within<T>(ms: number, act: Promise<T>, toError: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(toError()), ms)
  return Promise.race([act, promise]).finally(() => clearTimeout(timer))
}
