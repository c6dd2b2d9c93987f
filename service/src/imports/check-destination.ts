import type { AccountAccess, AccountInfo, Connector } from '../connectors/contract.ts'
import { credentialsOf, givenValue } from '../connectors/credentials.ts'
import { AccountRefusedError, isAddressRefusal, ValidationError } from '../errors.ts'
import { accountCheckBytes, limitAnswers } from '../outbound/limit-answers.ts'
import type { Outbound } from '../outbound/outbound.ts'

export const destinationCheckMs = 5_000

/**
 * Signs in to the destination when what was given is enough for that. Answers what the account that let us in said of itself;
 * throws when it said no. A tool that is down, slow or answers nonsense is no reason to refuse: the customer will be asked.
 */
export async function checkDestination(
  connector: Connector | undefined,
  access: AccountAccess,
  outbound: Outbound,
): Promise<AccountInfo | null> {
  const destination = connector?.destination
  if (!destination || credentialsOf(connector, 'destination').some(({ name }) => givenValue(access, name) === null))
    return null
  try {
    const signal = AbortSignal.timeout(destinationCheckMs)
    return await destination.checkAccount({ access, outbound: limitAnswers(outbound, accountCheckBytes), signal })
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
