import { createHash } from 'node:crypto'
import { RetryableError } from '../../../errors.ts'
import type { OutgoingRecord, SettledOutcome } from '../../contract/contract.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { refused } from '../../kit/outcomes.ts'
import { requireMarker } from './account-facts.ts'
import { anyOf } from './api.ts'
import { kinds, type MarkedEntity, markerOf } from './find.ts'
import { personFields } from './list-people.ts'
import { isRemovedMarker, markerField, toMarker } from './marker.ts'
import { personRequest } from './people-forms.ts'
import type { WriteContext } from './post-messages.ts'
import { take } from './schema.ts'
import { oneLine } from './stored-values.ts'

/** An organization is only a text on users, so it exists as soon as a user has it. */
export function writeOrganization({ key, fields }: OutgoingRecord): SettledOutcome {
  const name = oneLine(fields.name, 200)
  if (name === '') return refused(key, 'blank', 'An organization without a name has no place in Request Tracker.')
  return { key, result: 'matched', destinationId: name, url: null }
}

/** A customer becomes an unprivileged user. An existing user with the same address is used as that customer. */
export async function writeContact(context: WriteContext, record: OutgoingRecord): Promise<SettledOutcome> {
  const { api, facts } = context
  const { key } = record
  requireMarker(facts, 'contacts')
  const { form, request } = personRequest('contacts', record, facts)
  const email = String(form.EmailAddress)
  // A person without an address is found by the login that we made up.
  const search = () =>
    email === '' ? findUser(context, 'Name', madeUpLogin(key)) : findUser(context, 'EmailAddress', email)
  const known = record.destinationId === null ? await search() : null
  if (known && isOfOthers(known, key)) return matched(context, 'contacts', key, known)
  const id = record.destinationId ?? (known ? String(known.id) : null)
  if (id !== null) {
    await api.update(`/user/${id}`, withMarker(key, { ...request, Disabled: form.Disabled }))
    return written(context, 'contacts', key, id, await api.get(`/user/${id}`))
  }
  let reason = ''
  // Tries the wanted login, then the e-mail address, then a login made from our key.
  for (const Name of new Set([String(form.Login), email, madeUpLogin(key)].filter((login) => login !== ''))) {
    const body = { ...request, Name, Privileged: 0, Disabled: form.Disabled }
    const created = await api.create('/user', withMarker(key, body))
    if ('refused' in created) {
      reason = created.refused
      continue
    }
    const user = await findUser(context, 'Name', Name)
    if (!user) throw new RetryableError('Request Tracker does not list a user that it has just made')
    return written(context, 'contacts', key, String(user.id), { ...user, Disabled: form.Disabled })
  }
  return refused(key, 'refused', reason)
}

/** A group becomes a queue. An existing queue with the same name is used unchanged. */
export async function writeGroup(context: WriteContext, record: OutgoingRecord): Promise<SettledOutcome> {
  const { api, facts } = context
  const { key } = record
  requireMarker(facts, 'groups')
  const { AdminCc, ...request } = personRequest('groups', record, facts).request
  const known = record.destinationId === null ? await findQueue(context, String(request.Name)) : null
  if (known && isOfOthers(known, key)) {
    if (Number(take('queue', known).Disabled ?? 0) === 0) return matched(context, 'groups', key, known)
    return refused(key, 'name_taken', 'There is a disabled queue of this name. Enable it, or give it another name.')
  }
  let id = record.destinationId ?? (known ? String(known.id) : null)
  if (id === null) {
    const created = await api.create('/queue', withMarker(key, request))
    if ('refused' in created) return refused(key, 'refused', created.refused)
    id = created.id
  } else {
    await api.update(`/queue/${id}`, withMarker(key, { ...request, Disabled: 0 }))
  }
  if (Array.isArray(AdminCc) && AdminCc.length > 0) await api.update(`/queue/${id}`, { AdminCc })
  return written(context, 'groups', key, id, await api.get(`/queue/${id}`))
}

/** Whether people own the record. A record that our undo disabled is ours to use again. */
function isOfOthers(known: RawRecord, key: string): boolean {
  const owner = markerOf(known)
  return owner !== toMarker(key) && !isRemovedMarker(owner)
}

function matched(context: WriteContext, entity: MarkedEntity, key: string, known: RawRecord): SettledOutcome {
  const id = String(known.id)
  return { key, result: 'matched', destinationId: id, url: kinds[entity].urlOf(context, id) }
}

async function written(context: WriteContext, entity: MarkedEntity, key: string, id: string, now: RawRecord | null) {
  const { urlOf, read } = kinds[entity]
  const version = now && (await read(context, now)).version
  return { key, result: 'written' as const, destinationId: id, url: urlOf(context, id), version }
}

const withMarker = (key: string, request: Record<string, unknown>) => ({
  ...request,
  CustomFields: { ...(request.CustomFields as object | undefined), [markerField]: toMarker(key) },
})

const madeUpLogin = (key: string) => `wherry-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

async function findUser({ api }: WriteContext, field: string, value: string): Promise<RawRecord | undefined> {
  const fields = `${personFields},NickName,Gecos,Signature`
  return (await api.list('/users', { query: anyOf(field, [value]), fields, withDisabled: true })).items[0]
}

/** Finds a queue by name, including disabled queues, because their names are taken, too. */
async function findQueue({ api }: WriteContext, name: string): Promise<RawRecord | undefined> {
  if (name === '') return undefined
  const fields = 'id,Name,Disabled,CustomFields'
  return (await api.list('/queues', { query: anyOf('Name', [name]), fields, withDisabled: true })).items[0]
}
