import { Type } from 'typebox'
import type {
  Account,
  Connector,
  DeliveryClass,
  FoundRecord,
  LimitBucket,
  OutgoingRecord,
  WriteOutcome,
  Writer,
} from '../../../service/src/connectors/contract/contract.ts'
import { cursorList } from '../../../service/src/connectors/kit/cursor-list.ts'
import { bearer, checkShape, instance, openHttp } from '../../../service/src/connectors/kit/http.ts'
import { readAll } from '../../../service/src/connectors/kit/pages.ts'
import { writeEach } from '../../../service/src/connectors/kit/write-each.ts'
import { describeHosted, flatContent } from './describe.ts'
import type { HostedKey } from './rules.ts'

/** How long a search of these tools may miss a new record, and how late a request may take effect. */
export const hostedLagMs = 150
export const hostedLateMs = 1_200
/** How long keys are remembered: longer than any delay, so that a late request and its repetition share a key. */
export const hostedRemembersMs = 3_000
/** The daily cost limit of the tool with a budget. */
export const hostedBudget = 60

interface HostedClass {
  tool: string
  label: string
  deliveryClass: DeliveryClass
  key: HostedKey
  limits?: readonly LimitBucket[]
}

const dayMs = 86_400_000

/** One hosted tool for each delivery class. */
export const hostedClasses: readonly HostedClass[] = [
  { tool: 'hosted_a', label: 'A: upsert', deliveryClass: 'A', key: 'upsert' },
  { tool: 'hosted_b', label: 'B: idempotency key', deliveryClass: 'B', key: 'idempotency' },
  { tool: 'hosted_c', label: 'C, strong: listed by our id', deliveryClass: 'C', key: 'listed' },
  { tool: 'hosted_c_weak', label: 'C, weak: searched with a lag', deliveryClass: 'C', key: 'searched' },
  { tool: 'hosted_d', label: 'D: nothing to look up', deliveryClass: 'D', key: 'none' },
]

export const hostedWithBudget: HostedClass = {
  tool: 'hosted_budget',
  label: 'C with a daily budget',
  deliveryClass: 'C',
  key: 'listed',
  limits: [{ name: 'day', perMs: dayMs, limit: hostedBudget, isAligned: true }],
}

export const hostedConnectors: readonly Connector[] = [...hostedClasses, hostedWithBudget].map((hosted) => ({
  tool: hosted.tool,
  label: hosted.label,
  families: ['helpdesk'],
  movesBetweenInstances: false,
  ...(hosted.limits && { limits: hosted.limits }),
  destination: {
    requires: ['instanceUrl', 'token'],
    checkAccount: async () => ({ name: hosted.label }),
    open: (account: Account) => openHosted(account, hosted),
  },
}))

const listed = Type.Object({ data: Type.Array(Type.Any()), next: Type.Union([Type.String(), Type.Null()]) })

function openHosted(account: Account, { label, deliveryClass, key: kind }: HostedClass): Writer {
  const http = openHttp(account, {
    label,
    base: (access) => `${instance(access)}/api/v1`,
    signIn: bearer,
    answers: { 422: 'refused' },
  })
  const written = (key: string, destinationId: string): WriteOutcome => ({
    key,
    result: 'written',
    destinationId,
    url: null,
    version: null,
  })
  const idOf = (json: unknown) => checkShape(label, Type.Object({ id: Type.String() }), json, '/').id

  const send = async (entity: string, record: OutgoingRecord): Promise<WriteOutcome> => {
    const { key, destinationId } = record
    const content = flatContent(record)
    const headers = { 'x-trace-id': key, ...(kind === 'idempotency' && { 'idempotency-key': key }) }
    const json = kind === 'none' ? { content } : { external_id: key, content }
    const sent =
      kind === 'upsert'
        ? await http.send('PUT', `/${entity}/upsert`, { json, headers })
        : destinationId === null
          ? await http.send('POST', `/${entity}`, { json, headers })
          : await http.send('PUT', `/${entity}/${destinationId}`, { json: { content }, headers })
    if (sent.result === 'refused') return { key, result: 'refused', code: sent.code, message: sent.message }
    return written(key, destinationId ?? idOf(sent.json))
  }
  const toFound = (key: string, raw: { id: string; content: Omit<FoundRecord, 'key' | 'destinationId'> }) => ({
    ...raw.content,
    key,
    destinationId: raw.id,
    url: null,
    version: null,
  })
  const findByKey = async (entity: string, key: string): Promise<FoundRecord[]> => {
    if (kind === 'none') return []
    const list = cursorList(http, { items: 'data', next: 'next', size: 'size', after: 'after' })
    const items =
      kind === 'searched'
        ? (await http.get(`/search/${entity}`, listed, { external_id: key })).data
        : await readAll(list(`/${entity}`, { external_id: key }), 20)
    return items.map((raw) => toFound(key, raw as never))
  }
  return {
    describe: async () =>
      describeHosted(deliveryClass, {
        settleMs: kind === 'searched' ? hostedLagMs : 0,
        lateMs: hostedLateMs,
        idempotencyMs: hostedRemembersMs,
      }),
    users: async () => ({ items: [], next: null }),
    write: (entity, records) => writeEach(records, (record) => send(entity, record)),
    async writeFile(entity, { body, ...file }) {
      body.resume()
      return send(entity, file)
    },
    async find(entity, sought) {
      const found: FoundRecord[] = []
      for (const { key, destinationId } of sought) {
        if (destinationId === null) {
          found.push(...(await findByKey(entity, key)))
          continue
        }
        const { status, json } = await http.look(`/${entity}/${destinationId}`, [404])
        if (status !== 404) found.push(toFound(key, json as never))
      }
      return found
    },
    remove: (entity, records) =>
      Promise.all(
        records.map(async ({ key, destinationId }) => {
          // A record that somebody else has removed meanwhile is missing, too.
          const { status } = await http.look(`/${entity}/${destinationId}`, [404])
          if (status === 404) return { key, result: 'missing' as const }
          await http.send('DELETE', `/${entity}/${destinationId}`)
          return { key, result: 'removed' as const }
        }),
      ),
    asStored: (_entity, content) => flatContent(content),
  }
}
