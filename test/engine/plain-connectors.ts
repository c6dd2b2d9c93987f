import type {
  Account,
  Connector,
  DeliveryClass,
  EntityCapabilities,
  FoundRecord,
  OutgoingRecord,
  StoredContent,
  WriteOutcome,
  Writer,
} from '../../service/src/connectors/contract.ts'
import { writeEach } from '../../service/src/connectors/kit/write-each.ts'
import { familyDefinitions } from '../../service/src/families/index.ts'
import { callTool } from '../../service/src/outbound/call-tool.ts'

/** How long the tool of these tests may not find what it has just made. */
export const plainSettleMs = 150
/** The latest that something takes effect after the connection broke. */
export const plainLateMs = 1_200

interface Answered {
  id: string
  key: string
  content: StoredContent
}

type ByEntity = Record<string, EntityCapabilities>

const plainConnector = (name: string, deliveryClass: DeliveryClass, byEntity: ByEntity = {}): Connector => ({
  tool: `plain_${name.toLowerCase()}`,
  label: `Plain ${name}`,
  families: ['helpdesk'],
  movesBetweenInstances: false,
  destination: {
    requires: ['instanceUrl'],
    checkAccount: async () => ({ name: 'Plain' }),
    open: (account) => openPlain(account, deliveryClass, byEntity),
  },
})

/** Connectors for the plain tool, one for each way in which a destination without an upsert can be written to. */
export const plainConnectors: readonly Connector[] = [
  ...(['B', 'C', 'D'] as const).map((deliveryClass) => plainConnector(deliveryClass, deliveryClass)),
  // Tickets cannot be looked up, and notes of a ticket keep their order; nothing else is held up by either.
  plainConnector('mixed', 'C', {
    tickets: { deliveryClass: 'D' },
    comments: { lane: 'ticket', batchSize: 5, concurrency: 6 },
  }),
]

function openPlain({ access, outbound, signal }: Account, deliveryClass: DeliveryClass, byEntity: ByEntity): Writer {
  const call = <T>(
    path: string,
    request: { method?: 'POST' | 'PUT' | 'DELETE'; json?: unknown; key?: string } = {},
  ) => {
    const { key, ...rest } = request
    const headers = {
      ...(key !== undefined && { 'x-key': key }),
      ...(key !== undefined && deliveryClass === 'B' && { 'idempotency-key': key }),
    }
    return callTool<T>(outbound, `${access.instanceUrl}${path}`, { ...rest, headers, signal }, [404])
  }
  const send = async (entity: string, record: OutgoingRecord): Promise<WriteOutcome> => {
    const { key, destinationId } = record
    const json = asStored(record)
    const written = (id: string): WriteOutcome => ({
      key,
      result: 'written',
      destinationId: id,
      url: null,
      version: null,
    })
    if (record.fields.subject === undefined && entity === 'tickets') {
      return { key, result: 'refused', code: 'blank', message: 'No subject' }
    }
    if (destinationId !== null) {
      await call(`/${entity}/${destinationId}`, { method: 'PUT', json })
      return written(destinationId)
    }
    return written((await call<{ id: string }>(`/${entity}`, { method: 'POST', json, key })).json.id)
  }
  return {
    describe: async () => ({
      account: { name: 'Plain' },
      textFormat: 'html',
      maxFileBytes: 1024 * 1024,
      capabilities: {
        deliveryClass,
        delete: true,
        silentCreate: true,
        backdate: true,
        createField: true,
        batchSize: 3,
        concurrency: 2,
        settleMs: plainSettleMs,
        lateMs: plainLateMs,
        // Class B remembers only for a moment, so that its other half is seen too.
        idempotencyMs: 400,
      },
      entities: Object.fromEntries(
        familyDefinitions.helpdesk.entities.map(({ name, fields }) => [
          name,
          {
            customFields: 'any' as const,
            ...(byEntity[name] && { capabilities: byEntity[name] }),
            fields: Object.fromEntries(
              Object.entries(fields).map(([field, { type, many = false }]) => [
                field,
                { type, many, required: false, maxLength: null, options: [] },
              ]),
            ),
          },
        ]),
      ),
    }),
    users: async () => ({ items: [], next: null }),
    write: (entity, records) => writeEach(records, (record) => send(entity, record)),
    async writeFile(entity, { body, ...file }) {
      body.resume()
      return send(entity, file)
    },
    async find(entity, sought) {
      const found: FoundRecord[] = []
      const unplaced = sought.filter(({ destinationId }) => destinationId === null)
      for (const { key, destinationId } of sought) {
        if (destinationId === null) continue
        const { status, json } = await call<Answered>(`/${entity}/${destinationId}`)
        if (status !== 404) found.push(toFound(key, json))
      }
      if (unplaced.length > 0 && deliveryClass !== 'D') {
        const markers = unplaced.map(({ key }) => encodeURIComponent(key)).join(',')
        const { json } = await call<Answered[]>(`/${entity}?marker=${markers}`)
        found.push(...json.map((answered) => toFound(answered.key, answered)))
      }
      return found
    },
    async remove(entity, records) {
      return Promise.all(
        records.map(async ({ key, destinationId }) => {
          const { status } = await call(`/${entity}/${destinationId}`, { method: 'DELETE' })
          return { key, result: status === 404 ? ('missing' as const) : ('removed' as const) }
        }),
      )
    },
    asStored: (_entity, content) => asStored(content),
  }
}

const toFound = (key: string, { id, content }: Answered): FoundRecord => ({
  ...content,
  key,
  destinationId: id,
  url: null,
  version: null,
})

function asStored({ fields, customFields, createdAt, updatedAt }: StoredContent): StoredContent {
  const flat = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(flat)
    return typeof value === 'object' && value !== null && 'destinationId' in value ? value.destinationId : value
  }
  return {
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, flat(value)])),
    customFields,
    createdAt,
    updatedAt,
  }
}
