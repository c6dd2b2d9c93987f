import { createHash } from 'node:crypto'
import { RetryableError } from '../../errors.ts'
import type { OutgoingRecord, WriteOutcome } from '../contract.ts'
import { requireMarker } from './account-facts.ts'
import { anyOf } from './api.ts'
import { customRequest, takeCustomTexts } from './custom-texts.ts'
import { personFields } from './list-people.ts'
import { isRemovedMarker, markerField, readMarker, toMarker } from './marker.ts'
import { type PersonForm, personOfContent, personRequest, personVersion } from './person-form.ts'
import type { WriteContext } from './post-messages.ts'
import { foundGroup } from './queue-form.ts'
import { type Raw, takeFields } from './schema.ts'
import { oneLine } from './stored-values.ts'

const refused = (key: string, code: string, message: string): WriteOutcome => ({
  key,
  result: 'refused',
  code,
  message,
})

/** An organization is a word on its people: it is there as soon as one of them carries it. */
export function writeOrganization({ key, fields }: OutgoingRecord): WriteOutcome {
  const name = typeof fields.name === 'string' ? oneLine(fields.name, 200) : ''
  if (name === '') return refused(key, 'blank', 'An organization without a name has no place in Request Tracker.')
  return { key, result: 'matched', destinationId: name, url: null }
}

/** A customer becomes a user without privileges. A user who has the address already is that customer. */
export async function writeContact(context: WriteContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api, facts } = context
  const { key } = record
  requireMarker(facts, 'contacts')
  const form = personOfContent(record, facts)
  const known = record.destinationId === null ? await findPerson(context, key, form.email) : null
  const owner = readMarker(known?.CustomFields)
  if (known && owner !== toMarker(key) && !isRemovedMarker(owner)) {
    return { key, result: 'matched', destinationId: known.id, url: userUrl(context, known.id) }
  }
  const id = record.destinationId ?? known?.id ?? null
  if (id === null) return createContact(context, record, form)
  await api.update(
    `/user/${id}`,
    withMarker(key, { ...personRequest(form, facts), Disabled: form.isSuspended ? 1 : 0 }),
  )
  const now = await api.get(`/user/${id}`)
  const version = now && personVersion(takeFields('user', now).raw, facts)
  return { key, result: 'written', destinationId: id, url: userUrl(context, id), version }
}

async function createContact(context: WriteContext, { key }: OutgoingRecord, form: PersonForm): Promise<WriteOutcome> {
  const { api, facts } = context
  let reason = ''
  // A login that is taken is given up for the address, and that for one made up of our key.
  for (const name of new Set([form.login, form.email, madeUpLogin(key)].filter((login) => login !== ''))) {
    const request = { ...personRequest(form, facts), Name: name, Privileged: 0, Disabled: form.isSuspended ? 1 : 0 }
    const created = await api.create('/user', withMarker(key, request))
    if ('refused' in created) {
      reason = created.refused
      continue
    }
    const user = await findByLogin(context, name)
    if (!user) throw new RetryableError('Request Tracker does not list a user that it has just made')
    const version = personVersion(user, facts, form.isSuspended)
    return { key, result: 'written', destinationId: user.id, url: userUrl(context, user.id), version }
  }
  return refused(key, 'refused', reason)
}

/** A group becomes a queue. A queue of the name is used as it is. */
export async function writeGroup(context: WriteContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api, facts } = context
  const { key, fields } = record
  requireMarker(facts, 'groups')
  const name = typeof fields.name === 'string' ? oneLine(fields.name, 200) : ''
  const request = {
    Name: name,
    Description: typeof fields.description === 'string' ? oneLine(fields.description, 255) : '',
    CustomFields: customRequest(facts.fields.groups, takeCustomTexts(facts.fields.groups, record.customFields)),
  }
  const known = record.destinationId === null ? await findQueue(context, name) : null
  const owner = readMarker(known?.CustomFields)
  if (known && owner !== toMarker(key) && !isRemovedMarker(owner)) {
    if (Number(known.Disabled ?? 0) === 0) {
      return { key, result: 'matched', destinationId: known.id, url: queueUrl(context, known.id) }
    }
    const message = 'There is a disabled queue of this name. Enable it, or give it another name.'
    return refused(key, 'name_taken', message)
  }
  let id = record.destinationId ?? known?.id ?? null
  if (id === null) {
    const created = await api.create('/queue', withMarker(key, request))
    if ('refused' in created) return refused(key, 'refused', created.refused)
    id = created.id
  } else {
    await api.update(`/queue/${id}`, withMarker(key, { ...request, Disabled: 0 }))
  }
  const agents = Array.isArray(fields.agents) ? fields.agents : []
  if (agents.length > 0) await api.update(`/queue/${id}`, { AdminCc: agents })
  const now = await api.get(`/queue/${id}`)
  const version = now && (await foundGroup(api, now, facts)).version
  return { key, result: 'written', destinationId: id, url: queueUrl(context, id), version }
}

function withMarker(key: string, request: { CustomFields?: object; [name: string]: unknown }) {
  return { ...request, CustomFields: { ...request.CustomFields, [markerField]: toMarker(key) } }
}

/** By address; people without one by the login that was made up for them. */
async function findPerson(context: WriteContext, key: string, email: string): Promise<Raw<'user'> | null> {
  return email === '' ? findByLogin(context, madeUpLogin(key)) : findUser(context, 'EmailAddress', email)
}

const madeUpLogin = (key: string) => `wherry-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

const findByLogin = (context: WriteContext, login: string) => findUser(context, 'Name', login)

async function findUser({ api }: WriteContext, field: string, value: string): Promise<Raw<'user'> | null> {
  const fields = [...personFields, 'NickName', 'Gecos', 'Signature']
  const [user] = (await api.list('/users', { query: anyOf(field, [value]), fields, withDisabled: true })).items
  return user ? takeFields('user', user).raw : null
}

/** Also a disabled one: its name is taken all the same. */
async function findQueue({ api }: WriteContext, name: string): Promise<Raw<'queue'> | null> {
  if (name === '') return null
  const fields = ['id', 'Name', 'Disabled', 'CustomFields']
  const [queue] = (await api.list('/queues', { query: anyOf('Name', [name]), fields, withDisabled: true })).items
  return queue ? takeFields('queue', queue).raw : null
}

export const userUrl = ({ api }: WriteContext, id: string): string => `${api.base}/User/Summary.html?id=${id}`
export const queueUrl = ({ api }: WriteContext, id: string): string =>
  `${api.base}/Search/Results.html?Query=${encodeURIComponent(`Queue = ${id}`)}`
