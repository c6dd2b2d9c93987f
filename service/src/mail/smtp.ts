import type { Mailbox } from '../config.ts'
import { RetryableError } from '../errors.ts'
import type { ComposedMail } from './compose-mail.ts'

export interface MailServer {
  url: string
  from: Mailbox
}

export interface Envelope {
  /** The same in all attempts, so that a mailbox can recognize a repetition. */
  messageId: string
  to: string
}

/** The server refused this mail permanently. */
export class MailRefusedError extends Error {
  override name = 'MailRefusedError'
}

export interface MailTransport {
  send(envelope: Envelope, mail: ComposedMail): Promise<void>
}

/** Shorter than the claim of a mail. */
const longestMs = 60_000
const stepMs = 15_000

/** Opens one connection per mail: mails are few, and no connection stays open between them. */
export function createMailTransport({ url, from }: MailServer): MailTransport {
  return {
    async send({ messageId, to }, { subject, text, html }) {
      // Loaded with the first mail: nodemailer takes 25 MB, and most services send no mail for days.
      const { default: nodemailer } = await import('nodemailer')
      const transport = nodemailer.createTransport({
        url,
        connectionTimeout: stepMs,
        greetingTimeout: stepMs,
        dnsTimeout: stepMs,
        socketTimeout: stepMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      // Limits the whole mail, because a server may answer each command slowly.
      const limit = AbortSignal.timeout(longestMs)
      const tooLong = new Promise<never>((_, reject) => {
        limit.addEventListener('abort', () => reject(new RetryableError('the mail server took too long')), {
          once: true,
        })
      })
      try {
        const headers = { 'Auto-Submitted': 'auto-generated' }
        const message = { from, to: { name: '', address: to }, messageId, subject, text, html, headers }
        await Promise.race([transport.sendMail(message), tooLong])
      } catch (error) {
        throw judge(error)
      } finally {
        transport.close()
      }
    },
  }
}

interface SmtpError extends Error {
  command?: string
  responseCode?: number
  response?: string
}

/** Only a permanent refusal of this recipient or message is final; the operator can repair any other failure. */
function judge(error: unknown): Error {
  if (!(error instanceof Error)) return new RetryableError('the mail server could not be reached')
  const { command, responseCode = 0, response } = error as SmtpError
  const words = (response ?? error.message).slice(0, 300)
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  if (isAboutMail && responseCode >= 500) return new MailRefusedError(words, { cause: error })
  return new RetryableError(words, { cause: error })
}
