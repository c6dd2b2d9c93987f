import type { Account, AccountAccess, SideRecords } from '../../service/src/connectors/contract/contract.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { checkTool } from './known-requests.ts'
import type { Seeded } from './redmine-seed.ts'

export interface LivePlace {
  url: string
  access: AccountAccess
  mailFolder: string
}

export interface LiveRedmine {
  source: LivePlace & { seeded: Seeded }
  destination: LivePlace
}

/** The output of `node test/live/start-redmine.ts`; null if Redmine was not started. */
export function readLiveRedmine(): LiveRedmine | null {
  const told = process.env.WHERRY_LIVE_REDMINE
  return told === undefined || told === '' ? null : (JSON.parse(told) as LiveRedmine)
}

const live = readLiveRedmine()
export const outbound = checkTool(
  'redmine',
  createLoopbackOutbound(),
  ...(live ? [live.source.url, live.destination.url] : []),
)

export const accountOf = ({ access }: LivePlace, sides?: SideRecords): Account => ({
  access,
  outbound,
  signal: AbortSignal.timeout(1_800_000),
  ...(sides && { sides }),
})

/** Makes a request as an administrator, for steps that people would do by hand. */
export async function callRedmine(place: LivePlace, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${place.url}${path}`, {
    method,
    headers: { 'x-redmine-api-key': String(place.access.token), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests that know them
  return { status: answer.status, json: (text.trim() === '' ? null : JSON.parse(text)) as any }
}
