import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGhost } from '../../service/src/connectors/blog/ghost/reader.ts'
import { openGhostWriter } from '../../service/src/connectors/blog/ghost/writer.ts'
import { openWordpress } from '../../service/src/connectors/blog/wordpress/reader.ts'
import { openWordpressWriter } from '../../service/src/connectors/blog/wordpress/writer.ts'
import type { Account, OutgoingRecord, Reader, Writer } from '../../service/src/connectors/contract/contract.ts'
import { openTryton } from '../../service/src/connectors/crm/tryton/reader.ts'
import { openTrytonWriter } from '../../service/src/connectors/crm/tryton/writer.ts'
import { openReader as openRt } from '../../service/src/connectors/helpdesk/rt/reader.ts'
import { openWriter as openRtWriter } from '../../service/src/connectors/helpdesk/rt/writer.ts'
import { openRedmineReader } from '../../service/src/connectors/project/redmine/reader.ts'
import { openRedmineWriter } from '../../service/src/connectors/project/redmine/writer.ts'
import { hashInTurns } from '../../service/src/engine/hash-record.ts'
import { RetryableError } from '../../service/src/errors.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'
import type { Outbound, OutboundRequest } from '../../service/src/outbound/outbound.ts'
import { endIdleThreads } from '../../service/src/threads/run-in-thread.ts'
import { type Program, startProgram } from '../support/program.ts'
import { limitMs, watchLoop } from '../support/watch-loop.ts'
import { createLoopbackOutbound } from './desk-account.ts'
import { longHtml, longTextile, tenMegabytes } from './long-bodies.ts'
import { readScenario } from './rt/scenarios.ts'

const outbound = createLoopbackOutbound()
let program: Program
let tools: { urls: Record<string, string>; trytonPassword: string; wordpressPassword: string }

beforeAll(async () => {
  program = startProgram(process.execPath, [join(import.meta.dirname, 'swollen-tools.ts')], {
    env: { PATH: process.env.PATH },
  })
  const [, said = ''] = await program.waitFor(/ready (.*)/)
  tools = JSON.parse(said)
}, 900_000)
afterAll(async () => {
  program.child.kill()
  await program.finished
  await outbound.close()
  await endIdleThreads()
})

const ghostKey = `${'a'.repeat(24)}:${'b'.repeat(64)}`
const account = (tool: string, token = 'token', path = '/', through: Outbound = outbound): Account => ({
  access: { instanceUrl: `${tools.urls[tool]}${path}`, username: 'admin', token },
  outbound: through,
  signal: AbortSignal.timeout(3_600_000),
})
const readEach = async (reader: Reader, entities: readonly string[]) => {
  const records: FamilyRecord[] = []
  for (const entity of entities) records.push(...(await reader.read(entity, null, {})).items)
  return records
}
const longestText = (records: readonly FamilyRecord[]) =>
  Math.max(
    ...records.flatMap(({ fields }) =>
      Object.values(fields).map((value) =>
        typeof value === 'object' && value !== null && 'body' in value ? value.body.length : String(value).length,
      ),
    ),
  )

const report = (what: string, ms: number) => process.stdout.write(`${what}: ${ms.toFixed()} ms of CPU time at once\n`)

const readers: Record<string, () => Promise<FamilyRecord[]>> = {
  Redmine: () => readEach(openRedmineReader(account('redmine'), 'helpdesk', 6), ['groups', 'tickets', 'comments']),
  'Request Tracker': async () => {
    const { ticket, comments } = await readScenario(openRt(account('rt')), '1')
    return [...(ticket ? [ticket] : []), ...comments]
  },
  Tryton: () => readEach(openTryton(account('tryton', tools.trytonPassword, '/crm'), 8), ['notes', 'deals']),
  Ghost: () => readEach(openGhost(account('ghost', ghostKey)), ['posts', 'comments', 'media']),
  WordPress: () => readEach(openWordpress(account('wordpress', tools.wordpressPassword)), ['posts', 'comments']),
}

test.each(Object.entries(readers))(
  'a text of 10 MB is read from %s without holding the event loop',
  {
    timeout: 900_000,
  },
  async (name, read) => {
    const { longestMs, result } = await watchLoop(read)
    report(`${name} read`, longestMs)
    expect(longestText(result)).toBeGreaterThan(tenMegabytes / 2)
    expect(longestMs).toBeLessThan(limitMs())
  },
)

const relation = (entity: string, destinationId: string) => ({ entity, key: `imp_1/${entity}/1`, destinationId })
const outgoing = (fields: Record<string, unknown>): OutgoingRecord => ({
  key: 'imp_1/entity/1',
  revision: 1,
  destinationId: null,
  createdBy: null,
  fields,
  customFields: {},
  createdAt: '2020-01-01T00:00:00.000Z',
  updatedAt: null,
})
type Written = { writer: Writer; texts: [entity: string, fields: Record<string, unknown>][] }
const writers = {
  Redmine: async (through?: Outbound): Promise<Written> => {
    const writer = openRedmineWriter(account('redmine', 'key', '/', through), 'helpdesk')
    await writer.describe()
    const description = longTextile
    return {
      writer,
      texts: [
        ['tickets', { subject: 'Long', description, group: relation('groups', '1') }],
        ['comments', { body: longTextile, ticket: relation('tickets', '1') }],
      ],
    }
  },
  'Request Tracker': async (through?: Outbound): Promise<Written> => {
    const writer = openRtWriter(account('rt-writing', 'token', '/', through))
    await writer.describe()
    return {
      writer,
      texts: [
        ['tickets', { subject: 'Long', description: longHtml }],
        ['comments', { body: longHtml, is_public: true, ticket: relation('tickets', '1') }],
      ],
    }
  },
  Tryton: async (through?: Outbound): Promise<Written> => ({
    writer: openTrytonWriter(account('tryton', tools.trytonPassword, '/crm', through)),
    texts: [
      ['notes', { body: longHtml, related: relation('accounts', '1') }],
      ['deals', { name: 'Long', description: longHtml }],
    ],
  }),
  Ghost: async (through?: Outbound): Promise<Written> => ({
    writer: openGhostWriter(account('ghost', ghostKey, '/', through)),
    texts: [
      ['posts', { title: 'Long', body: longHtml }],
      ['comments', { body: longHtml, post: relation('posts', '1'), author_email: 'a@b.example', author_name: 'A' }],
    ],
  }),
  WordPress: async (through?: Outbound): Promise<Written> => ({
    writer: openWordpressWriter(account('wordpress', tools.wordpressPassword, '/', through)),
    texts: [
      ['posts', { title: 'Long', body: longHtml }],
      ['comments', { body: longHtml, post: relation('posts', '1') }],
    ],
  }),
}

test.each(Object.entries(writers))(
  'a text of 10 MB is compared as %s stores it without holding the event loop',
  {
    timeout: 900_000,
  },
  async (name, open) => {
    const { writer, texts } = await open()
    for (const [entity, fields] of texts) {
      const watched = await watchLoop(async () => {
        const stored = await writer.asStored(entity, outgoing(fields))
        await hashInTurns(stored)
        return stored
      })
      report(`${name}, ${entity} as they are stored`, watched.longestMs)
      expect(JSON.stringify(watched.result).length).toBeGreaterThan(tenMegabytes / 2)
      expect.soft(watched.longestMs, entity).toBeLessThan(limitMs())
    }
  },
)

/** Sends requests as usual, but the request with the long text fails after its last byte. */
function breakingOff(): Outbound & { sent: number } {
  const drain = async (body: OutboundRequest['body']) => {
    let bytes = 0
    if (body instanceof Readable) for await (const chunk of body) bytes += (chunk as Buffer).length
    else bytes = body?.length ?? 0
    if (bytes < tenMegabytes / 2) return
    through.sent = bytes
    throw new Error('cut off')
  }
  const through: Outbound & { sent: number } = {
    ...outbound,
    sent: 0,
    async request(url, options) {
      await drain(options.body)
      return outbound.request(url, options)
    },
    async stream(url, options) {
      await drain(options.body)
      return outbound.stream(url, options)
    },
  }
  return through
}

/** Tools whose recorded requests suffice here; the other tools would need more recordings. */
const sendable: [tool: keyof typeof writers, entity: string][] = [
  ['Redmine', 'tickets'],
  ['Request Tracker', 'comments'],
  ['Ghost', 'posts'],
  ['WordPress', 'posts'],
]

test.each(sendable)(
  'a text of 10 MB is sent to %s without holding the event loop',
  {
    timeout: 900_000,
  },
  async (name, entity) => {
    const through = breakingOff()
    const { writer, texts } = await writers[name](through)
    const record = outgoing(texts.find(([one]) => one === entity)?.[1] ?? {})
    const { longestMs } = await watchLoop(() => expect(writer.write(entity, [record])).rejects.toThrow(RetryableError))
    report(`${name}, ${entity} sent`, longestMs)
    expect(through.sent).toBeGreaterThan(tenMegabytes / 2)
    expect(longestMs).toBeLessThan(limitMs())
  },
)
