import type {
  Account,
  Connector,
  DeliveryClass,
  DestinationEntity,
  EntityCapabilities,
  FoundRecord,
  OutgoingRecord,
  SentRelation,
  SoughtRecord,
  StoredContent,
  WriteOutcome,
  Writer,
} from '../../service/src/connectors/contract/contract.ts'
import { writeParts } from '../../service/src/connectors/kit/write-each.ts'
import { familyDefinitions } from '../../service/src/families/index.ts'
import { callTool } from '../../service/src/outbound/call-tool.ts'

/** Time during which the tool of these tests may miss a new record. */
export const plainSettleMs = 150
/** The latest time after a broken connection at which a request still takes effect. */
export const plainLateMs = 1_200

interface Answered {
  id: string
  key: string
  content: StoredContent
}

type ByEntity = Record<string, EntityCapabilities>

/** The most comments that fit inside a ticket. */
export const plainMostInside = 4
const carriesComments = { comments: { most: plainMostInside, backdate: true as const } }
/** The most files that fit inside a ticket. */
export const plainMostFiles = 3
const carriesFiles = { ...carriesComments, attachments: { most: plainMostFiles, isUploaded: true as const } }

const plainConnector = (
  name: string,
  deliveryClass: DeliveryClass,
  byEntity: ByEntity = {},
  carries: NonNullable<DestinationEntity['carries']> = {},
): Connector => ({
  tool: `plain_${name.toLowerCase()}`,
  label: `Plain ${name}`,
  families: ['helpdesk'],
  movesBetweenInstances: false,
  destination: {
    requires: ['instanceUrl'],
    checkAccount: async () => ({ name: 'Plain' }),
    open: (account) => openPlain(account, deliveryClass, byEntity, carries),
  },
})

/** Connectors for the plain tool, one for each way in which a destination without an upsert can be written to. */
export const plainConnectors: readonly Connector[] = [
  ...(['B', 'C', 'D'] as const).map((deliveryClass) => plainConnector(deliveryClass, deliveryClass)),
  // Tickets cannot be looked up, and notes of a ticket keep their order. Neither delays any other record.
  plainConnector('mixed', 'C', {
    tickets: { deliveryClass: 'D' },
    comments: { lane: 'ticket', batchSize: 5, concurrency: 6 },
  }),
  // Comments keep their times only inside their ticket, and are identified only by their place in it.
  ...(['B', 'C', 'D'] as const).map((deliveryClass) =>
    plainConnector(
      `carrying_${deliveryClass}`,
      deliveryClass,
      { comments: { backdate: false, lane: 'ticket' } },
      carriesComments,
    ),
  ),
  // Files of a ticket and of the comments inside it come with it, after they were uploaded.
  plainConnector('carrying_files', 'C', { comments: { backdate: false, lane: 'ticket' } }, carriesFiles),
]

function openPlain(
  { access, outbound, signal }: Account,
  deliveryClass: DeliveryClass,
  byEntity: ByEntity,
  carries: NonNullable<DestinationEntity['carries']>,
): Writer {
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
  const written = (key: string, destinationId: string): WriteOutcome => ({
    key,
    result: 'written',
    destinationId,
    url: null,
    version: null,
  })
  const sendAll = async (entity: string, record: OutgoingRecord): Promise<WriteOutcome[]> => {
    const { key, parts = [] } = record
    const outcome = parts.length === 0 ? await send(entity, record) : null
    if (outcome) return [outcome]
    if (record.fields.subject === undefined) return [{ key, result: 'refused', code: 'blank', message: 'No subject' }]
    const inside = parts.map((part) => {
      const parentKey = (part.fields.parent as SentRelation | undefined)?.key
      const file = part.upload && { file: { token: part.upload.token, parentKey } }
      return { entity: part.entity, key: part.key, content: asStored(part), ...file }
    })
    const json = { ...asStored(record), parts: inside }
    type Made = { id: string; parts: { id?: string; error?: string }[] }
    const { json: made } = await call<Made>(`/${entity}`, { method: 'POST', json, key })
    return [
      written(key, made.id),
      ...parts.map((part, index): WriteOutcome => {
        const { id, error = 'nothing was said of it' } = made.parts[index] ?? {}
        return id === undefined
          ? { key: part.key, result: 'refused', code: 'not_taken', message: error }
          : written(part.key, id)
      }),
    ]
  }
  const send = async (entity: string, record: OutgoingRecord): Promise<WriteOutcome> => {
    const { key, destinationId } = record
    // A comment that is sent separately gets the current time.
    const isStamped = entity === 'comments' && byEntity.comments?.backdate === false
    const json = isStamped ? { ...asStored(record), createdAt: null, updatedAt: null } : asStored(record)
    if (record.fields.subject === undefined && entity === 'tickets') {
      return { key, result: 'refused', code: 'blank', message: 'No subject' }
    }
    if (destinationId !== null) {
      await call(`/${entity}/${destinationId}`, { method: 'PUT', json })
      return written(key, destinationId)
    }
    return written(key, (await call<{ id: string }>(`/${entity}`, { method: 'POST', json, key })).json.id)
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
        // Class B remembers keys only for a moment, so that the time after it is tested too.
        idempotencyMs: 400,
      },
      entities: Object.fromEntries(
        familyDefinitions.helpdesk.entities.map(({ name, fields }) => [
          name,
          {
            customFields: 'any' as const,
            ...(byEntity[name] && { capabilities: byEntity[name] }),
            ...(name === 'tickets' && carries && { carries }),
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
    write: (entity, records) =>
      writeParts(records.map((record) => ({ keys: [record.key], write: () => sendAll(entity, record) }))),
    async writeFile(entity, { body, ...file }) {
      body.resume()
      return send(entity, file)
    },
    async uploadFile(_entity, { body }) {
      for await (const _piece of body);
      const { json } = await call<{ token: string }>('/uploads', { method: 'POST', json: {} })
      return { token: json.token, url: null }
    },
    async find(entity, sought) {
      const found: FoundRecord[] = []
      const isInside = ({ destinationId, position }: SoughtRecord) => destinationId === null && position !== undefined
      for (const { key, parent, position } of sought.filter(isInside)) {
        const { json } = await call<Answered[]>(`/${entity}?within=${parent?.destinationId}`)
        const there = json[position ?? -1]
        if (there) found.push(toFound(key, there))
      }
      const unplaced = sought.filter((one) => one.destinationId === null && !isInside(one))
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
