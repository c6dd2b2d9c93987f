import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import pg from 'pg'

interface Backend {
  socket: Socket
  /** The client that currently gets the answers of this connection. */
  client: Socket | null
  /** The process id that the server reported. */
  process: number
}

const sslRequest = 80_877_103
/** A simple query, or the end of an extended one: after this message the server answers. */
const ends = new Set(['Q', 'S'])

/**
 * Behaves like pgbouncer in transaction mode: each transaction of a client goes to any free connection to the server.
 * Locks and settings of a session stay with that connection, and outlive the client.
 */
export async function startPooler(databaseUrl: string, size = 6) {
  const backends: Backend[] = []
  const waiting: (() => void)[] = []
  let turn = 0
  /** While set, one connection serves a client that is alone, as in an idle pooler. */
  let isCalm = false

  const openBackend = async (): Promise<Backend> => {
    const login = new pg.Client(databaseUrl)
    await login.connect()
    const { connection, processID } = login as unknown as { connection: { stream: Socket }; processID: number }
    const { stream } = connection
    stream.removeAllListeners()
    const backend: Backend = { socket: stream, client: null, process: processID }
    backends.push(backend)
    let rest: Buffer = Buffer.alloc(0)
    stream.on('error', () => {})
    stream.on('close', () => {
      backends.splice(backends.indexOf(backend), 1)
      backend.client?.destroy()
      waiting.shift()?.()
    })
    stream.on('data', (chunk) => {
      backend.client?.write(chunk)
      const { messages, left } = readMessages(Buffer.concat([rest, chunk]))
      rest = left
      // The connection is idle again, and outside a transaction.
      if (messages.some(({ type, body }) => type === 'Z' && body.toString() === 'I')) {
        backend.client = null
        waiting.shift()?.()
      }
    })
    return backend
  }
  const take = async (client: Socket): Promise<Backend> => {
    for (;;) {
      const idle = backends.filter((one) => one.client === null)
      const next = isCalm ? idle[0] : idle[turn++ % Math.max(1, idle.length)]
      const backend = next ?? (backends.length < size ? await openBackend() : null)
      if (backend && backend.client === null) {
        backend.client = client
        return backend
      }
      await new Promise<void>((free) => waiting.push(free))
    }
  }

  // Several connections are open from the start, so that there is a choice.
  await Promise.all([openBackend(), openBackend()])

  const server = createServer((client) => {
    let rest: Buffer = Buffer.alloc(0)
    let isGreeted = false
    let batch: Buffer[] = []
    let held: Backend | null = null
    let work = Promise.resolve()
    client.on('error', () => {})
    // A connection left in the middle of a transaction is not given to another client.
    client.on('close', () => {
      for (const backend of backends) if (backend.client === client) backend.socket.destroy()
    })
    client.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      while (!isGreeted && rest.length >= 8 && rest.length >= rest.readInt32BE(0)) {
        const isSsl = rest.readInt32BE(4) === sslRequest
        rest = rest.subarray(rest.readInt32BE(0))
        isGreeted = !isSsl
        client.write(isSsl ? 'N' : greeting(backends[0]?.process ?? 0))
      }
      if (!isGreeted) return
      const { messages, left } = readMessages(rest)
      rest = left
      for (const { type, whole } of messages) {
        if (type === 'X') return void client.end()
        batch.push(whole)
        if (!ends.has(type)) continue
        const sent = Buffer.concat(batch)
        batch = []
        work = work
          .then(async () => {
            if (held?.client !== client) held = await take(client)
            held.socket.write(sent)
          })
          .catch(() => void client.destroy())
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    calm(isAlone: boolean): void {
      isCalm = isAlone
    },
    async close(): Promise<void> {
      server.close()
      for (const { socket } of [...backends]) socket.destroy()
    },
  }
}

/** Reports the process of the first connection, like a pooler that connects together with its client. */
function greeting(process: number): Buffer {
  const key = Buffer.alloc(8)
  key.writeInt32BE(process)
  return Buffer.concat([message('R', Buffer.alloc(4)), message('K', key), message('Z', Buffer.from('I'))])
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function readMessages(bytes: Buffer) {
  const messages: { type: string; body: Buffer; whole: Buffer }[] = []
  let at = 0
  while (bytes.length - at >= 5) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (end > bytes.length) break
    const type = String.fromCharCode(bytes[at] ?? 0)
    messages.push({ type, body: bytes.subarray(at + 5, end), whole: bytes.subarray(at, end) })
    at = end
  }
  return { messages, left: bytes.subarray(at) }
}
