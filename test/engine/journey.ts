import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startFernhill } from '../../demo/fernhill/fernhill.ts'
import { type Harbour, type HarbourOptions, startHarbour } from '../../demo/harbour/harbour.ts'
import { grantAuthorization } from '../../service/src/authorizations/grant-authorization.ts'
import { readConfig } from '../../service/src/config.ts'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { connectors as registry } from '../../service/src/connectors/registry.ts'
import type { RunKind, RunOptions } from '../../service/src/db/schema.ts'
import { openRun } from '../../service/src/engine/open-run.ts'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { restoreIdle } from '../../service/src/engine/restore-idle.ts'
import type { RunContext } from '../../service/src/engine/run-context.ts'
import { type SliceResult, workSlice } from '../../service/src/engine/work-slice.ts'
import { resumeRun } from '../../service/src/imports/resume-run.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { createOutbound } from '../../service/src/outbound/outbound.ts'
import { startTestService } from '../support/service.ts'
import { readEffects } from './read-effects.ts'
import { startProxy, type Tamper } from './tampering-proxy.ts'

const deskKey = 'desk-key'
const harbourToken = 'harbour-token'
const adminKey = 'admin-key'

/** Harbour with a short `late_ms`, so that tests wait less for late requests. */
export const soonSettled: Tamper = async ({ path }, pass) => {
  const answer = await pass()
  if (path !== '/describe') return answer
  const json = JSON.parse(String(answer.body))
  return { ...answer, body: JSON.stringify({ ...json, limits: { ...json.limits, late_ms: 200 } }) }
}

/** Starts a real help desk, a real destination, and an import between them whose two accounts are connected. */
export async function startJourney(
  options: Partial<HarbourOptions> & {
    tickets?: number
    startFull?: boolean
    /** A source that replaces Fernhill Desk. Its connector must be among the destination's connectors. */
    source?: { tool: string; url: string; username?: string; more?: Record<string, string> }
    /** A destination that replaces Harbour. */
    destination?: {
      tool: string
      url: string
      username?: string
      more?: Record<string, string>
      connectors: readonly Connector[]
    }
    /** Changes the connector that reads Fernhill Desk. */
    readAs?: (fernhill: Connector) => Connector
    /** Changes the connector that writes to Harbour. */
    writeAs?: (open: Connector) => Connector
    /** The help desk's own clock. */
    deskNow?: () => Date
    /** Proxies between us and the tools, which change their answers. */
    between?: { source?: Tamper; destination?: Tamper }
  } = {},
) {
  await using cleanup = new AsyncDisposableStack()
  const { tickets, startFull = true, source, destination, readAs, writeAs, deskNow, between = {}, ...rest } = options
  const harbourOptions: Partial<HarbourOptions> = rest
  const changed: Record<string, ((one: Connector) => Connector) | undefined> = { fernhill: readAs, open: writeAs }
  const known = registry.map((one) => changed[one.tool]?.(one) ?? one)
  const connectors = [...known, ...(destination?.connectors ?? [])]
  const { allowedNetworks } = readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' })
  const service = await startTestService({ connectors, config: { rateLimit: 0, allowedNetworks } })
  cleanup.defer(service.close)
  const fernhill = await startFernhill({
    port: 0,
    dataFile: ':memory:',
    apiKey: deskKey,
    requestsPerSecond: 0,
    ...(tickets === undefined ? {} : { tickets }),
    ...(deskNow === undefined ? {} : { now: deskNow }),
  })
  cleanup.defer(() => fernhill.close())
  const harbour: Harbour = await startHarbour({
    port: 0,
    dataFile: ':memory:',
    token: harbourToken,
    adminKey,
    ...harbourOptions,
  })
  cleanup.defer(() => harbour.close())
  const throughProxy = async (url: string, tamper: Tamper | undefined) => {
    if (!tamper) return url
    const proxy = await startProxy(url, tamper)
    cleanup.defer(() => proxy.close())
    return proxy.url
  }
  const sourceUrl = await throughProxy(source?.url ?? fernhill.url, between.source)
  const destinationUrl = await throughProxy(destination?.url ?? harbour.baseUrl, between.destination)
  const outbound = createOutbound(allowedNetworks)
  cleanup.defer(() => outbound.close())

  const { db, keyRing } = service
  const { families } = harbourOptions
  const partner = await service.createPartner({
    destination: destination?.tool ?? 'open',
    ...(families && { families: [...families] }),
  })
  const { json: created } = await partner.call('POST', '/api/v2.1/imports', {
    source_tool: source?.tool ?? 'fernhill',
    start_full: startFull,
  })
  const importId: string = created.id
  const more = (role: 'source' | 'destination') => {
    const fields = (role === 'source' ? source : destination)?.more
    return fields ? { more: fields } : {}
  }
  const grant = (role: 'source' | 'destination', token: string) =>
    grantAuthorization(
      { db, keyRing, connectors, outbound },
      {
        importId,
        role,
        access: {
          instanceUrl: role === 'source' ? sourceUrl : destinationUrl,
          username: (role === 'source' ? source : destination)?.username ?? null,
          token,
          ...more(role),
        },
      },
    )
  const errors: unknown[] = []
  const { signal } = new AbortController()
  const starter = { plan: planStages, enqueue: async () => {} }
  const slice = (runId: string, crashPoint?: RunContext['crashPoint'], sliceMs = 60_000): Promise<SliceResult> =>
    workSlice(
      {
        db,
        openContext: (run) =>
          openRun(
            {
              db,
              keyRing,
              connectors,
              outbound,
              signal,
              ...(crashPoint === undefined ? {} : { crashPoint }),
            },
            run,
          ),
        starter,
        onError: (error) => errors.push(error),
        signal,
      },
      runId,
      (ms) => ms >= sliceMs,
    )
  const running = cleanup.move()
  return {
    db,
    databaseUrl: service.databaseUrl,
    /** The address of the import's portal. */
    origin: service.origin,
    portalPath: new URL(created.redirect_url).pathname,
    /** Errors that slices handled. */
    errors,
    fernhill,
    harbour,
    importId,
    partner,
    connectSource: (key = deskKey) => grant('source', key),
    connectDestination: (token = harbourToken) => grant('destination', token),
    start: async (kind: RunKind, options: RunOptions = {}) =>
      (await startRun(db, starter, importId, kind, options)).runId,
    resume: () => resumeRun(db, starter, importId),
    slice,
    /** Restores, as a worker does, what a run without a worker left behind. */
    restoreIdle: () => restoreIdle({ db, keyRing, connectors, outbound, signal }, importId),
    /** Works until the run ends or pauses, and shortens the waits that the run asks for. */
    async work(runId: string, crashPoint?: RunContext['crashPoint']): Promise<void> {
      for (;;) {
        const result = await slice(runId, crashPoint)
        if (result.next === 'nothing') return
        // Ends all requested waiting times.
        await sql`update account_paces set blocked_until = '-infinity'`.execute(db)
        await sleep(Math.min(result.afterMs, 20))
      }
    },
    status: async () => (await partner.call('GET', `/api/v2.1/imports/${importId}`)).json,
    /** Changes the title of a record by hand, as a person in the destination would. */
    async editInHarbour(sourceId: string, entity: string, value: string): Promise<void> {
      const row = await db
        .selectFrom('id_map')
        .select('destination_url')
        .where('entity', '=', entity)
        .where('source_id', '=', sourceId)
        .executeTakeFirstOrThrow()
      const answer = await fetch(String(row.destination_url), {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ value }),
      })
      if (answer.status !== 303) throw new Error(`the edit was answered ${answer.status}`)
    },
    effects: () => readEffects(harbour.url, adminKey),
    close: () => running.disposeAsync(),
  }
}

export type Journey = Awaited<ReturnType<typeof startJourney>>
