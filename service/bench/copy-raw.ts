import { readConfig } from '../src/config.ts'
import type { Account, OutgoingRecord, RecordPage } from '../src/connectors/contract/contract.ts'
import { fernhill } from '../src/connectors/helpdesk/fernhill/index.ts'
import { open } from '../src/connectors/open/index.ts'
import { entityOf, familyDefinitions } from '../src/families/index.ts'
import { type MapContext, mapRecord } from '../src/mapping/map-record.ts'
import { createOutbound } from '../src/outbound/outbound.ts'
import { convertText } from '../src/text/convert-text.ts'
import { answerParent } from './run-child.ts'

/** The baseline: reads a page, maps it and sends it. Stores nothing, so a crash would lose or double records. */
export interface CopyRaw {
  desk: string
  sink: string
  concurrency: number
}

answerParent(async ({ desk, sink, concurrency }: CopyRaw) => {
  const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  const account = (instanceUrl: string): Account => ({
    access: { instanceUrl, username: null, token: 'bench' },
    outbound,
    signal: new AbortController().signal,
  })
  const reader = await fernhill.source?.open(account(desk))
  const writer = await open.destination?.open(account(sink))
  if (!reader || !writer) throw new Error('the connectors are missing')
  const destination = await writer.describe()
  const start = performance.now()
  const usedBefore = process.cpuUsage()
  let records = 0
  for (const { name } of familyDefinitions.helpdesk.entities) {
    const context: MapContext = {
      entity: entityOf('helpdesk', name),
      mapping: { changes: {}, destination },
      resolveRecord: ({ entity, sourceId }) => ({ key: `raw/${entity}/${sourceId}`, destinationId: sourceId }),
      resolveUser: () => null,
      mapText: (text, to) => ({ ...convertText(text, to), hasOpenLinks: false }),
    }
    let next: Promise<RecordPage> | null = reader.read(name, null, {})
    while (next) {
      const page: RecordPage = await next
      next = page.next === null ? null : reader.read(name, page.next, {})
      records += page.items.length
      const outgoing = page.items.map((record): OutgoingRecord => {
        const { fields = {}, customFields = {} } = mapRecord(record, context) ?? {}
        const times = { createdAt: record.createdAt ?? null, updatedAt: record.updatedAt ?? null }
        return {
          key: `raw/${name}/${record.sourceId}`,
          revision: 1,
          destinationId: null,
          createdBy: null,
          fields,
          customFields,
          ...times,
        }
      })
      await sendAll(outgoing, destination.capabilities.batchSize, (batch) => writer.write(name, batch))
    }
  }
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(usedBefore)
  await outbound.close()
  return { records, seconds, cpuMs: (user + system) / 1000 }

  async function sendAll(all: OutgoingRecord[], size: number, send: (batch: OutgoingRecord[]) => Promise<unknown>) {
    const batches = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
      all.slice(index * size, (index + 1) * size),
    )
    const sender = async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await send(batch)
    }
    await Promise.all(Array.from({ length: concurrency }, sender))
  }
})
