import { readConfig } from '../src/config.ts'
import type {
  Account,
  AccountAccess,
  OutgoingPart,
  OutgoingRecord,
  RecordPage,
  SentRelation,
  WriteOutcome,
} from '../src/connectors/contract/contract.ts'
import { connectors } from '../src/connectors/registry.ts'
import { isFileEntity } from '../src/engine/send-batches.ts'
import { entityOf, type Family, familyDefinitions } from '../src/families/index.ts'
import type { FamilyRecord, RecordRef } from '../src/families/record.ts'
import { mapRecord } from '../src/mapping/map-record.ts'
import { createOutbound } from '../src/outbound/outbound.ts'
import { convertText } from '../src/text/convert-text.ts'
import { answerParent } from './run-child.ts'

/**
 * The baseline between two tools: reads a page, maps it and sends it. Stores nothing, looks up nothing and verifies
 * nothing.
 */
export interface CopyLive {
  tool: string
  /** The tool of the destination, if it differs from the source. */
  to?: string
  family: Family
  source: AccountAccess
  destination: AccountAccess
}

answerParent(async ({ tool, to = tool, family, source, destination }: CopyLive) => {
  const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  const account = (access: AccountAccess): Account => ({ access, outbound, signal: new AbortController().signal })
  const connectorOf = (name: string) => connectors.find((one) => one.tool === name)
  const reader = await connectorOf(tool)?.source?.open(account(source), family)
  const writer = await connectorOf(to)?.destination?.open(account(destination), family)
  if (!reader || !writer) throw new Error(`no connector from ${tool} to ${to}`)
  const start = performance.now()
  const described = await writer.describe()
  const { batchSize, concurrency } = described.capabilities
  const ids = new Map<string, SentRelation>()
  const nameOf = ({ entity, sourceId }: RecordRef) => `${entity} ${sourceId}`
  const keyOf = ({ entity, sourceId }: RecordRef) => `raw/${entity}/${sourceId}`
  const inside = new Set(Object.values(described.entities).flatMap(({ carries = {} }) => Object.keys(carries)))
  let records = 0

  const mapOne = (record: FamilyRecord): OutgoingRecord[] => {
    const { parent } = entityOf(family, record.entity)
    const mapped = mapRecord(record, {
      entity: entityOf(family, record.entity),
      mapping: { changes: {}, destination: described },
      resolveRecord: (ref) =>
        ids.get(nameOf(ref)) ??
        (parent && inside.has(record.entity) ? { entity: ref.entity, key: keyOf(ref), destinationId: '' } : 'lost'),
      resolveUser: () => null,
      mapText: (text, wanted) => ({ ...convertText(text, wanted), hasOpenLinks: false }),
    })
    if (!mapped) return []
    const { fields, customFields } = mapped
    const times = { createdAt: record.createdAt ?? null, updatedAt: record.updatedAt ?? null }
    return [{ key: keyOf(record), revision: 1, destinationId: null, createdBy: null, fields, customFields, ...times }]
  }

  /** Reads the parts that are sent inside these records, by record id. */
  const readParts = async (carried: string, parents: RecordRef[]) => {
    const { parent = '' } = entityOf(family, carried)
    const parts = new Map<string, OutgoingPart[]>()
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page: RecordPage | undefined = await reader.readSome?.(carried, { parents }, cursor)
      cursor = page?.next ?? null
      for (const record of page?.items ?? []) {
        const of = nameOf(record.fields[parent] as RecordRef)
        parts.set(of, [...(parts.get(of) ?? []), ...mapOne(record).map((one) => ({ ...one, entity: carried }))])
      }
    }
    return parts
  }

  const send = async (entity: string, batch: { record: FamilyRecord; sent: OutgoingRecord }[]) => {
    const [first] = batch
    if (!first) return
    if (isFileEntity(entity)) {
      const outcome = await writer.writeFile(entity, { ...first.sent, ...(await reader.openFile(first.record)) })
      return keep([outcome])
    }
    for (const carried of Object.keys(described.entities[entity]?.carries ?? {})) {
      const parts = await readParts(
        carried,
        batch.map(({ record: { sourceId } }) => ({ entity, sourceId })),
      )
      for (const one of batch)
        one.sent = { ...one.sent, parts: [...(one.sent.parts ?? []), ...(parts.get(nameOf(one.record)) ?? [])] }
    }
    keep(
      await writer.write(
        entity,
        batch.map(({ sent }) => sent),
      ),
    )
  }
  const keep = (outcomes: readonly WriteOutcome[]) => {
    for (const outcome of outcomes) {
      if (!('destinationId' in outcome)) continue
      const [, entity = '', sourceId = ''] = /^raw\/([^/]+)\/(.+)$/.exec(outcome.key) ?? []
      ids.set(nameOf({ entity, sourceId }), { entity, key: outcome.key, destinationId: outcome.destinationId })
      records += 1
    }
  }

  for (const { name } of familyDefinitions[family].entities) {
    if (!described.entities[name] || inside.has(name)) continue
    const size = isFileEntity(name) ? 1 : batchSize
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page: RecordPage = await reader.read(name, cursor, {})
      cursor = page.next
      const outgoing = page.items.flatMap((record) => mapOne(record).map((sent) => ({ record, sent })))
      const batches = Array.from({ length: Math.ceil(outgoing.length / size) }, (_, index) =>
        outgoing.slice(index * size, (index + 1) * size),
      )
      const sender = async () => {
        for (let batch = batches.shift(); batch; batch = batches.shift()) await send(name, batch)
      }
      await Promise.all(Array.from({ length: concurrency }, sender))
    }
  }
  await outbound.close()
  return { records, seconds: (performance.now() - start) / 1000 }
})
