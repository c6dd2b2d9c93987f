import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type {
  FoundRecord,
  OutgoingRecord,
  SentRelation,
  SoughtRecord,
  WriteOutcome,
} from '../../service/src/connectors/contract/contract.ts'
import { openWriter } from '../../service/src/connectors/helpdesk/rt/writer.ts'
import { hashRecord } from '../../service/src/engine/hash-record.ts'
import type { Outbound } from '../../service/src/outbound/outbound.ts'
import { accountOf } from './rt-account.ts'

/** Markup, other scripts, characters that other formats read as markup, and text that resembles our own ending. */
export const hostile =
  '<p>ab 𝒳 👩‍🔧 e\u0301 שלום &amp; &lt;b&gt; "q" \'s\' \\ 100% h1. *x* _y_ </div> `z`</p>\n<pre>a\n  b</pre>'
export const long = `<p>${'Wörter und 漢字 '.repeat(20_000)}</p>`

export type Writing = ReturnType<typeof startWriting>

/** One import into the destination, with its own keys, so that a run does not find records of an earlier run. */
export function startWriting(outbound: Outbound) {
  const run = `imp_${randomBytes(6).toString('hex')}`
  const account = () => accountOf(outbound, 'destination')
  const writer = openWriter(account())
  const key = (entity: string, id: string) => `${run}/${entity}/${id}`
  const sought = (entity: string, id: string, destinationId: string | null = null): SoughtRecord => {
    return { key: key(entity, id), destinationId, parent: null }
  }
  const outgoing = (
    entity: string,
    id: string,
    fields: object,
    more: Partial<OutgoingRecord> = {},
  ): OutgoingRecord => ({
    key: key(entity, id),
    revision: 1,
    destinationId: null,
    fields: fields as Record<string, unknown>,
    customFields: {},
    createdAt: null,
    updatedAt: null,
    createdBy: null,
    ...more,
  })
  const to = (entity: string, id: string, destinationId: string): SentRelation => {
    return { entity, key: key(entity, id), destinationId }
  }
  const write = async (entity: string, record: OutgoingRecord) => idOf((await writer.write(entity, [record]))[0])
  const findOne = async (entity: string, id: string): Promise<FoundRecord> => {
    const [found, ...more] = await writer.find(entity, [sought(entity, id)])
    if (!found || more.length > 0) throw new Error(`${entity} ${id} is there ${found ? 'twice' : 'not at all'}`)
    return found
  }

  return {
    run,
    account,
    writer,
    sought,
    outgoing,
    to,
    write,
    findOne,
    agentId: '',
    queueId: '',
    contactId: '',

    /** Creates an agent, a queue and a customer. */
    async prepare() {
      await writer.describe()
      const agent = `agent-${run}@agents.example`
      await this.rest('POST', '/user', { Name: agent, EmailAddress: agent, RealName: 'Agent Änne', Privileged: 1 })
      const { id } = (await this.rest('GET', `/user/${encodeURIComponent(agent)}`)) as { id: number }
      this.agentId = String(id)
      this.queueId = await write('groups', outgoing('groups', 'base', { name: `Queue ${run}`, agents: [this.agentId] }))
      const customer = { name: 'عمر O', emails: `base-${run}@customer.example` }
      this.contactId = await write('contacts', outgoing('contacts', 'base', customer))
    },

    ticket(id: string, fields: object = {}, more: Partial<OutgoingRecord> = {}): OutgoingRecord {
      const usual = {
        subject: 'Rake arrived bent',
        description: '<p>See photo</p>',
        status: 'open',
        requester: to('contacts', 'base', this.contactId),
        group: to('groups', 'base', this.queueId),
      }
      return outgoing('tickets', id, { ...usual, ...fields }, { createdAt: '2018-05-06T07:08:09.123Z', ...more })
    },

    /** Expects that the stored content equals the sent one, field by field and by hash. */
    async expectStored(entity: string, sent: OutgoingRecord) {
      const found = await findOne(entity, String(sent.key.split('/')[2]))
      const expected = await writer.asStored(entity, sent)
      expect(found.fields).toMatchObject(withoutEmpty(expected.fields))
      const both = JSON.stringify({ found, expected }, null, 1).slice(0, 3000)
      expect(hashRecord(found), both).toBe(hashRecord(expected))
    },

    async rest(method: string, path: string, body?: object): Promise<unknown> {
      const { instanceUrl, token } = account().access
      const answer = await fetch(`${instanceUrl}/REST/2.0${path}`, {
        method,
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
      return answer.json()
    },
  }
}

export function idOf(outcome: WriteOutcome | undefined): string {
  if (!outcome || !('destinationId' in outcome)) throw new Error(`not written: ${JSON.stringify(outcome)}`)
  return outcome.destinationId
}

function withoutEmpty(fields: object): object {
  const isThere = (value: unknown) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isThere(value)))
}
