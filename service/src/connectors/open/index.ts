import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { AccountRefusedError, OtherProgramError } from '../../errors.ts'
import { families } from '../../families/index.ts'
import { redirectOf } from '../../outbound/call-tool.ts'
import type { Account, AccountInfo, Connector } from '../contract/contract.ts'
import { describeSchema } from './schema.ts'
import { words } from './words.ts'

const accountSchema = Type.Pick(describeSchema, ['protocol', 'account', 'families'])

/**
 * Connects any product that implements docs/destination-protocol.md. It supports every family that the partner names.
 */
export const open: Connector = {
  tool: 'open',
  label: 'Open destination',
  families,
  movesBetweenInstances: false,
  words,
  destination: {
    requires: ['instanceUrl', 'token'],
    checkAccount,
    open: async (account) => (await import('./writer.ts')).openDestination(account),
  },
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
  const account = readAccount(answer.body)
  if (account === null) {
    // This is no refusal of the account: a partner may create an import while the destination temporarily shows another
    // page.
    throw new OtherProgramError('answered, but not as a destination of Wherry does. Please check the address.')
  }
  return { name: new URL(String(access.instanceUrl)).host, ...account }
}

/**
 * Reads the account's part of a description. Null if the answer is no description. The rest is checked when the account
 * is opened.
 */
function readAccount(body: string): Partial<AccountInfo> | null {
  const described = parse(body)
  // The account check reads only the beginning of a long description, which then is no valid JSON.
  if (described === undefined) return /^\s*\{/.test(body) && /"protocol"\s*:\s*1\b/.test(body) ? {} : null
  if (!Check(accountSchema, described)) return null
  const { account, families } = described
  return {
    ...(account.name.trim() !== '' && { name: account.name.toWellFormed().slice(0, 200) }),
    ...(account.id !== undefined && { id: account.id }),
    families,
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body.replaceAll(String.raw`\u0000`, ''))
  } catch {
    return undefined
  }
}
