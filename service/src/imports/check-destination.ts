import type { AccountAccess, AccountInfo, Connector } from '../connectors/contract/contract.ts'
import { credentialsOf, givenValue } from '../connectors/credentials.ts'
import { AccountRefusedError, isAddressRefusal, ValidationError } from '../errors.ts'
import { accountCheckBytes, limitAnswers } from '../outbound/limit-answers.ts'
import type { LimitBucket } from '../outbound/limits.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { type Exchange, watchRequests } from '../outbound/watch-requests.ts'

export const destinationCheckMs = 5_000

/** The account's description of itself, and the requests of the check, which count against its limits. */
export interface CheckedDestination {
  info: AccountInfo
  limits: readonly LimitBucket[]
  exchanges: readonly Exchange[]
}

/**
 * Signs in to the destination if the given values are enough. Answers the account's description of itself; throws if
 * the tool refused. A tool that is down, slow or answers nonsense refuses nothing: the portal will ask the customer.
 */
export async function checkDestination(
  connector: Connector | undefined,
  access: AccountAccess,
  outbound: Outbound,
): Promise<CheckedDestination | null> {
  const destination = connector?.destination
  const asked = credentialsOf(connector, 'destination').filter(({ isOptional }) => !isOptional)
  if (!destination || asked.some(({ name }) => givenValue(access, name) === null)) return null
  try {
    const signal = AbortSignal.timeout(destinationCheckMs)
    const watched = watchRequests(outbound)
    const brief = limitAnswers(watched.outbound, accountCheckBytes)
    const info = await destination.checkAccount({ access, outbound: brief, signal })
    return { info, limits: connector.limits ?? [], exchanges: watched.exchanges }
  } catch (error) {
    if (error instanceof AccountRefusedError) throw new ValidationError({ destination: [error.message] })
    if (isAddressRefusal(error)) {
      throw new ValidationError({
        destination_instance_url: ['is not an allowed address: it must be publicly reachable'],
      })
    }
    return null
  }
}
