import type { Query } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { FreshdeskApi } from './api.ts'

// Finds contacts of the destination: ours by our id, and those of others by their address.

const externalPrefix = 'wherry_'
export const externalOf = (key: string): string => `${externalPrefix}${digestOf(key)}`

/** The filter is not documented. Where it answers 400, a second sending is refused and names the contact. */
export const withExternalId = (api: FreshdeskApi, key: string, more: Query = {}) =>
  api.all('/contacts', { ...more, unique_external_id: externalOf(key) }, [400])

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
  const [contact] = await api.all('/contacts', { email })
  return contact ?? (await api.all('/agents', { email }))[0]
}
