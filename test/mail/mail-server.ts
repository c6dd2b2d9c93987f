import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** The whole message, as received. */
  source: string
  messageId: string
  /** The message with its quoted-printable parts decoded. */
  readable: string
}

const decode = (source: string) =>
  source
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())

/** A real SMTP server that accepts every mail, except those that a test makes it refuse. */
export async function startMailServer(port = 0) {
  const received: ReceivedMail[] = []
  const behaviour: {
    /** Chooses the refusal for a recipient; null accepts. */
    refuse?: (address: string) => { code: number; message: string } | null
    /** Called when a message has arrived and is not accepted yet. */
    onMessage?: (mail: ReceivedMail) => Promise<void> | void
  } = {}
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      const refused = behaviour.refuse?.(address)
      done(refused ? Object.assign(new Error(refused.message), { responseCode: refused.code }) : undefined)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const source = Buffer.concat(chunks).toString()
        const mail: ReceivedMail = {
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          source,
          readable: decode(source),
          messageId: /^message-id:\s*(\S+)/im.exec(source)?.[1] ?? '',
        }
        received.push(mail)
        await behaviour.onMessage?.(mail)
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const { port: listening } = server.server.address() as AddressInfo
  return {
    port: listening,
    url: `smtp://127.0.0.1:${listening}`,
    received,
    behaviour,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>
