import type { Config } from '../config.ts'
import { type CheckResult, checkConformance, lineOf } from '../conformance/check-conformance.ts'
import { OperatorError } from '../errors.ts'
import { createOutbound } from '../outbound/outbound.ts'

/** Checks a destination, and prints a line for each check. The command fails if one check fails. */
export async function runConformance(
  config: Config,
  input: { url: string; token: string; asJson: boolean },
): Promise<void> {
  const { url, token, asJson } = input
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new OperatorError('<url> must be the base URL of the destination, such as https://api.example.com/wherry.')
  }
  await using cleanup = new AsyncDisposableStack()
  const outbound = createOutbound(config.allowedNetworks)
  cleanup.defer(() => outbound.close())
  const results: CheckResult[] = []
  const onResult = (result: CheckResult) => {
    results.push(result)
    if (!asJson) console.log(lineOf(result))
  }
  const { passed, failed } = await checkConformance({ url, token, outbound, onResult })
  console.log(asJson ? JSON.stringify({ passed, failed, results }) : `${passed} passed, ${failed} failed.`)
  if (failed > 0) throw new OperatorError('The destination does not keep to the protocol yet.')
}
