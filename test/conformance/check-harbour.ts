import { type HarbourOptions, startHarbour } from '../../demo/harbour/harbour.ts'
import { readConfig } from '../../service/src/config.ts'
import { type CheckResult, checkConformance } from '../../service/src/conformance/check-conformance.ts'
import { createOutbound } from '../../service/src/outbound/outbound.ts'
import { startProxy, type Tamper } from './tampering-proxy.ts'

export const openLoopback = () => createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)

/** Checks a new Harbour, broken by `tamper` if given, and returns the effects of its checks. */
export async function checkHarbour(options: Partial<HarbourOptions>, tamper?: Tamper) {
  await using cleanup = new AsyncDisposableStack()
  const outbound = openLoopback()
  cleanup.defer(() => outbound.close())
  const harbour = await startHarbour({ port: 0, dataFile: ':memory:', token: 'token', adminKey: 'admin', ...options })
  cleanup.defer(() => harbour.close())
  const proxy = tamper && (await startProxy(harbour.baseUrl, tamper))
  if (proxy) cleanup.defer(() => proxy.close())
  const results: CheckResult[] = []
  const onResult = (result: CheckResult) => results.push(result)
  const sum = await checkConformance({ url: proxy?.url ?? harbour.baseUrl, token: 'token', outbound, onResult })
  const effects = await fetch(`${harbour.url}/effects`, { headers: { authorization: 'Bearer admin' } })
  const { data } = (await effects.json()) as { data: { action: string; external_id: string }[] }
  return { sum, results, effects: data }
}

export const namesOf = (results: CheckResult[], outcome: CheckResult['outcome']) =>
  results.filter((result) => result.outcome === outcome).map(({ name }) => name)
