import { readConfig } from '../src/config.ts'
import type { Account, AccountAccess, OutgoingRecord, RecordPage, SentRelation } from '../src/connectors/contract.ts'
import { connectors } from '../src/connectors/registry.ts'
import { isFileEntity } from '../src/engine/send-batches.ts'
import { entityOf, type Family, familyDefinitions } from '../src/families/index.ts'
import type { FamilyRecord, RecordRef } from '../src/families/record.ts'
import { mapRecord } from '../src/mapping/map-record.ts'
import { createOutbound } from '../src/outbound/outbound.ts'
import { convertText } from '../src/text/convert-text.ts'
import { answerParent } from './run-child.ts'

/** The yardstick between two real tools: read a page, map it, send it; nothing is written down, looked up or read back. */
export interface CopyLive {
  tool: string
  family: Family
  source: AccountAccess
  destination: AccountAccess
}

answerParent(async ({ tool, family, source, destination }: CopyLive) => {
  const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  const account = (access: AccountAccess): Account => ({ access, outbound, signal: new AbortController().signal })
  const connector = connectors.find((one) => one.tool === tool)
  const reader = connector?.source?.open(account(source), family)
  const writer = connector?.destination?.open(account(destination), family)
  if (!reader || !writer) throw new Error(`no connector for ${tool}`)
  const start = performance.now()
  const described = await writer.describe()
  const { batchSize, concurrency } = described.capabilities
  const ids = new Map<string, SentRelation>()
  const nameOf = ({ entity, sourceId }: RecordRef) => `${entity} ${sourceId}`
  let records = 0
  for (const { name } of familyDefinitions[family].entities) {
    if (!described.entities[name]) continue
    const size = isFileEntity(name) ? 1 : batchSize
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page: RecordPage = await reader.read(name, cursor, {})
      cursor = page.next
      const outgoing = page.items.flatMap((record): { record: FamilyRecord; sent: OutgoingRecord }[] => {
        const mapped = mapRecord(record, {
          entity: entityOf(family, name),
          mapping: { changes: {}, destination: described },
          resolveRecord: (ref) => ids.get(nameOf(ref)) ?? 'lost',
          resolveUser: () => null,
          mapText: (text, to) => ({ ...convertText(text, to), hasOpenLinks: false }),
        })
        if (!mapped) return []
        const times = { createdAt: record.createdAt ?? null, updatedAt: record.updatedAt ?? null }
        const key = `raw/${name}/${record.sourceId}`
        const { fields, customFields } = mapped
        return [
          { record, sent: { key, revision: 1, destinationId: null, createdBy: null, fields, customFields, ...times } },
        ]
      })
      const batches = Array.from({ length: Math.ceil(outgoing.length / size) }, (_, index) =>
        outgoing.slice(index * size, (index + 1) * size),
      )
      const sender = async () => {
        for (let batch = batches.shift(); batch; batch = batches.shift()) {
          const [first] = batch
          const outcomes =
            isFileEntity(name) && first
              ? [await writer.writeFile(name, { ...first.sent, ...(await reader.openFile(first.record)) })]
              : await writer.write(
                  name,
                  batch.map(({ sent }) => sent),
                )
          for (const [index, outcome] of outcomes.entries()) {
            const record = batch[index]?.record
            if (!('destinationId' in outcome) || !record) continue
            ids.set(nameOf(record), { entity: name, key: outcome.key, destinationId: outcome.destinationId })
            records += 1
          }
        }
      }
      await Promise.all(Array.from({ length: concurrency }, sender))
    }
  }
  await outbound.close()
  return { records, seconds: (performance.now() - start) / 1000 }
})
