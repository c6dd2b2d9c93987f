import { answers } from '../connectors/open/schema.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { accountChecks } from './account-checks.ts'
import { carryChecks } from './carry-checks.ts'
import { changeChecks } from './change-checks.ts'
import type { Bench, Check } from './check.ts'
import { conditionalChecks } from './conditional-checks.ts'
import { emptinessChecks } from './emptiness-checks.ts'
import { expectSame, expectThat, SkippedError } from './expectations.ts'
import { fileChecks } from './file-checks.ts'
import { fileFieldChecks } from './file-field-checks.ts'
import { createProtocolClient, type ProtocolClient } from './protocol-client.ts'
import { revisionChecks } from './revision-checks.ts'
import { createSpecimens } from './specimens.ts'
import { entityChecks, valueChecks } from './value-checks.ts'
import { writingChecks } from './writing-checks.ts'

export interface CheckResult {
  name: string
  outcome: 'ok' | 'FAIL' | 'skipped'
  /** Expected and actual values, or the reason for skipping. Empty if the check passed. */
  detail: string
}

export interface ConformanceOptions {
  url: string
  token: string
  outbound: Outbound
  /** Called after each check. */
  onResult: (result: CheckResult) => void
}

/**
 * Checks an account against docs/destination-protocol.md. It writes only records that `describe` offers, under external
 * ids that begin with `conformance_`, and deletes them at the end.
 */
export async function checkConformance(options: ConformanceOptions): Promise<{ passed: number; failed: number }> {
  const sum = { passed: 0, failed: 0 }
  const judge = async (name: string, run: () => Promise<unknown>): Promise<boolean> => {
    const result = { name, ...(await outcomeOf(run)) }
    if (result.outcome === 'ok') sum.passed += 1
    if (result.outcome === 'FAIL') sum.failed += 1
    options.onResult(result)
    return result.outcome !== 'FAIL'
  }
  const client = createProtocolClient(options)
  let bench: Bench | undefined
  // Without a description no other check can run.
  await judge('describe has the shape and the limits of the protocol', async () => {
    bench = await prepare(client)
  })
  if (!bench) return sum

  const checks: Check[] = [
    ...accountChecks,
    ...writingChecks,
    ...emptinessChecks,
    ...changeChecks,
    ...entityChecks(bench.specimens.offers),
    ...valueChecks,
    ...fileChecks,
    ...fileFieldChecks,
    ...revisionChecks,
    ...conditionalChecks,
    ...carryChecks(bench),
  ]
  const ready = bench
  try {
    for (const { name, run } of checks) await judge(name, () => run(ready))
  } finally {
    await judge('everything that was written is deleted again', () => removeAll(ready))
  }
  return sum
}

/** One line of the printed report. */
export function lineOf({ name, outcome, detail }: CheckResult): string {
  return `${outcome.padEnd(7)} ${name}${detail === '' ? '' : `: ${detail}`}`
}

async function outcomeOf(run: () => Promise<unknown>): Promise<Pick<CheckResult, 'outcome' | 'detail'>> {
  try {
    await run()
    return { outcome: 'ok', detail: '' }
  } catch (error) {
    const outcome = error instanceof SkippedError ? 'skipped' : 'FAIL'
    return { outcome, detail: error instanceof Error ? describeError(error) : String(error) }
  }
}

/** undici reports "fetch failed" and puts the reason into `cause`. */
function describeError(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

async function prepare(client: ProtocolClient): Promise<Bench> {
  const { status, json } = await client.request('/describe')
  expectSame('status of GET /describe to be', 200, status)
  const fault = answers.describe.findFault(json)
  expectThat(fault === null, `the answer of the protocol (${fault})`, json)
  const description = answers.describe.read(json)
  const users = await client.request('/users?limit=200')
  const active = answers.users.findFault(users.json) === null ? answers.users.read(users.json).data : []
  const userIds = active.filter((user) => user.active !== false).map(({ id }) => id)
  return { client, description, specimens: createSpecimens(client, description, userIds) }
}

/** Newest first, so that children are removed before their parents. */
async function removeAll({ client, description }: Bench): Promise<void> {
  const left = [...client.written].reverse()
  while (left.length > 0) {
    const entity = left[0]?.[1] ?? ''
    const end = left.findIndex(([, other]) => other !== entity)
    const length = Math.min(description.limits.batch, end === -1 ? left.length : end)
    const keys = left.splice(0, length).map(([key]) => key)
    await client.remove(
      entity,
      keys.map((external_id) => ({ external_id })),
    )
    expectSame(`${entity} found after the delete`, [], await client.find(entity, keys))
  }
}
