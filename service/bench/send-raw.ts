import pg from 'pg'
import { Agent, request } from 'undici'
import { signMessage } from '../src/webhooks/sign-message.ts'
import { answerParent } from './run-child.ts'

/**
 * The baseline: signs and posts each message, and updates an existing row. It claims no messages, so two senders would
 * send everything twice.
 */
export type SendRaw =
  | { prepare: { databaseUrl: string; urls: string[]; messages: number } }
  /** The prefix of the messages' ids. */
  | { send: string }

const atOnce = 64
const connections = 4
const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`]
const mark = { name: 'mark', text: 'update raw_messages set arrived_at = now(), status = $2 where id = $1' }

let send: (prefix: string) => Promise<number> = async () => 0

answerParent(async (question: SendRaw, cleanup) => {
  if ('send' in question) return send(question.send)
  const { databaseUrl, urls, messages } = question.prepare
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections })
  cleanup.defer(() => pool.end())
  const agent = new Agent()
  cleanup.defer(() => agent.destroy())
  await pool.query('create table raw_messages (id text primary key, arrived_at timestamptz, status integer)')
  await pool.query(`insert into raw_messages (id) select 'raw_' || n from generate_series(0, $1 - 1) n`, [messages])
  await pool.query('analyze raw_messages')
  /** Returns the duration in seconds. */
  send = async (prefix) => {
    let next = 0
    const sendOn = async () => {
      while (next < messages) {
        const number = next
        next += 1
        const id = `${prefix}_${number}`
        const sentAt = new Date()
        const body = JSON.stringify({
          id,
          sequence: number,
          status: 'Collecting credentials',
          timestamp: Number(sentAt),
        })
        const headers = { 'content-type': 'application/json', ...signMessage({ id, sentAt, body, secrets }) }
        const url = String(urls[number % urls.length])
        const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
        await answer.body.dump()
        await pool.query({ ...mark, values: [`raw_${number}`, answer.statusCode] })
      }
    }
    const start = performance.now()
    await Promise.all(Array.from({ length: atOnce }, sendOn))
    return (performance.now() - start) / 1000
  }
  return null
})
