import { AccountRefusedError } from '../../errors.ts'
import { families } from '../../families/index.ts'
import { redirectOf } from '../../outbound/call-tool.ts'
import type { Account, AccountInfo, Connector } from '../contract.ts'
import { openDestination } from './writer.ts'

/** Any partner's own product that implements docs/destination-protocol.md. It takes every family that the partner names. */
export const open: Connector = {
  tool: 'open',
  label: 'Open destination',
  families,
  movesBetweenInstances: false,
  destination: { requires: ['instanceUrl', 'token'], checkAccount, open: openDestination },
}

async function checkAccount({ access, outbound, signal }: Account): Promise<AccountInfo> {
  const url = `${String(access.instanceUrl).replace(/\/+$/, '')}/describe`
  const answer = await outbound.request(url, {
    headers: { authorization: `Bearer ${access.token}`, accept: 'application/json' },
    signal,
  })
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
    throw new AccountRefusedError(`could not be reached: ${answer.status} ${answer.statusText}`)
  }
  const redirect = redirectOf(url, answer)
  if (redirect) throw redirect
  if (answer.status < 200 || answer.status > 299) throw new Error(`describe answered ${answer.status}`)
  return { name: new URL(String(access.instanceUrl)).host, ...readAccount(answer.body) }
}

/** What the account says of itself. An answer that is none of the protocol's is met when the account is opened. */
function readAccount(body: string): { name?: string; id?: string } {
  try {
    const json = JSON.parse(body.replaceAll(String.raw`\u0000`, '')) as { account?: Record<string, unknown> }
    const { name, id } = json.account ?? {}
    return {
      ...(typeof name === 'string' && name.trim() !== '' && { name: name.slice(0, 200) }),
      ...(typeof id === 'string' && id !== '' && { id: id.slice(0, 255) }),
    }
  } catch {
    return {}
  }
}
