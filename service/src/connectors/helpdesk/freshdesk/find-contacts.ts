import type { Query } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import type { FreshdeskApi } from './api.ts'

// Finds contacts of the destination: ours by our id, and those of others by their address.

const externalPrefix = 'wherry_'
export const externalOf = (key: string): string => `${externalPrefix}${digestOf(key)}`

/**
 * The filter is not documented. Where it answers 400, a second sending is refused and names the contact. Where it is
 * ignored, all contacts are listed, so each is compared.
 */
export async function withExternalId(api: FreshdeskApi, key: string, more: Query = {}): Promise<RawRecord[]> {
  const id = externalOf(key)
  const listed = await api.all('/contacts', { ...more, unique_external_id: id }, [400])
  return listed.filter((raw) => raw.unique_external_id === id)
}

/** Whether an undo moved this contact to the trash. It still has its address and our id, so no new contact can. */
export const isUndone = ({ deleted, unique_external_id: id }: RawRecord) =>
  deleted === true && typeof id === 'string' && id.startsWith(externalPrefix)

export async function findTrashed(api: FreshdeskApi, key: string, email: unknown): Promise<RawRecord | undefined> {
  const state = 'deleted'
  const listed = await withExternalId(api, key, { state })
  if (typeof email === 'string') listed.push(...(await api.all('/contacts', { state, email })))
  const ids = new Set(listed.map(({ id }) => id))
  return (await api.viewEach('/contacts', [...ids])).find(isUndone)
}

/** Finds the contact or the agent with this address. Agents can be requesters, too. */
export async function findByAddress(api: FreshdeskApi, email: unknown): Promise<RawRecord | undefined> {
  if (typeof email !== 'string') return undefined
  const isIt = (address: unknown) => String(address).toLowerCase() === email.toLowerCase()
  const listed = await api.all('/contacts', { email })
  const contact = listed.find((raw) => isIt(raw.email)) ?? (await findAmong(api, listed, isIt))
  return contact ?? (await api.all('/agents', { email })).find((raw) => isIt(valueAt(raw, 'contact.email')))
}

/** Finds the contact with a further address. The list omits these, and one answer has at most a few contacts. */
async function findAmong(api: FreshdeskApi, listed: readonly RawRecord[], isIt: (address: unknown) => boolean) {
  const ids = listed.slice(0, 10).map(({ id }) => id)
  return (await api.viewEach('/contacts', ids)).find(({ other_emails: others }) => [others].flat().some(isIt))
}
