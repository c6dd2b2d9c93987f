import { RetryableError } from '../../../errors.ts'
import type * as contract from '../../contract/contract.ts'
import { storedPart } from '../../kit/found-parts.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { matched, RefusedError, written } from '../../kit/outcomes.ts'
import { removeEach } from '../../kit/remove.ts'
import { oneLine } from '../../kit/sent-values.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { writeEach } from '../../kit/write-each.ts'
import { requireMarker } from './account-facts.ts'
import { anyOf, type RtApi } from './api.ts'
import { ofSite, toFields } from './custom-fields.ts'
import { isRemovedMarker, markerField, markerOf, removedMarker, toMarker } from './marker.ts'
import * as people from './people.ts'
import { personFields } from './people.ts'
import { ticketsAtOnce, type WriteContext } from './write-messages.ts'

export function peopleEntities(context: WriteContext): Record<string, WrittenEntity> {
  const { fields } = context.facts
  return {
    groups: {
      ...ofSite(people.groups, fields.groups, {
        required: ['name'],
        unites: { kind: 'queue', by: ['name'] },
        fields: { description: { type: 'text' } },
      }),
      ...markedEntity(context, 'groups', writeGroup),
    },
    // An organization is only a text on users, so nothing is created, found or removed.
    organizations: {
      declared: people.organizations,
      offer: { required: ['name'], removal: 'never', unites: { kind: 'organization', by: ['name'] } },
      write: (records) => writeEach(records, async ({ key, fields: { name } }) => matched(key, wordOf(name), null)),
      find: async () => [],
      asStored: ({ fields: { name } }) => storedPart({ name }),
    },
    contacts: {
      ...ofSite(people.contacts, fields.contacts, {
        unites: { kind: 'person', by: ['emails'] },
        fields: { phones: { isDetailed: true } },
      }),
      ...markedEntity(context, 'contacts', writeContact),
    },
  }
}

function wordOf(name: unknown): string {
  const word = oneLine(name, 200)
  if (word === '') throw new RefusedError('blank', 'An organization without a name has no place in Request Tracker.')
  return word
}

type Kind = ReturnType<typeof kindOf>

/** Users and queues: they cannot be searched by several keys at once, and cannot be deleted. */
function kindOf({ api, facts }: WriteContext, name: people.PeopleEntity) {
  const isUser = name === 'contacts'
  const query = encodeURIComponent('Queue = ')
  const page = isUser ? '/User/Summary.html?id=' : `/Search/Results.html?Query=${query}`
  return {
    path: isUser ? '/user' : '/queue',
    urlOf: (id: unknown) => `${api.base}${page}${id}`,
    read: async (raw: RawRecord) => (isUser ? people.foundContact(raw, facts) : people.foundGroup(api, raw, facts)),
    findNeed: ({ id, Privileged }: RawRecord) => (isUser ? needOfUser(api, id, Privileged) : needOfQueue(api, id)),
  }
}

async function needOfUser(api: RtApi, id: unknown, privileged: unknown): Promise<string | null> {
  if (Number(privileged ?? 0) !== 0) return 'This user has become an agent since.'
  const total = await api.count('/tickets', `Watcher.id = ${id} OR Owner.id = ${id}`)
  if (total !== 0) return 'This person requested or watches tickets.'
  const groups = await api.list(`/user/${id}/groups`, { fields: 'id', perPage: 1 })
  return groups.items.length === 0 ? null : 'This person has become a member of a group since.'
}

const needOfQueue = async (api: RtApi, id: unknown): Promise<string | null> =>
  (await api.count('/tickets', `Queue = ${id}`)) === 0 ? null : 'There are tickets in this queue that people made.'

function markedEntity(
  context: WriteContext,
  name: people.PeopleEntity,
  write: (context: WriteContext, kind: Kind, record: contract.OutgoingRecord) => Promise<contract.SettledOutcome>,
): Pick<WrittenEntity, 'write' | 'find' | 'remove' | 'asStored'> {
  const { api, facts } = context
  const kind = kindOf(context, name)
  return {
    write: (records) =>
      writeEach(records, async (record) => {
        requireMarker(facts, name)
        return write(context, kind, record)
      }),
    find: async (sought) => (await sideBySide(sought, ticketsAtOnce, (one) => findMarked(api, kind, one))).flat(),
    remove: (records) => removeEach(records, (record) => disable(api, kind, record), ticketsAtOnce),
    asStored: (content) => people.storedPerson(name, content, facts),
  }
}

/** Finds a record by our key, or by id if people removed the key. A record that an undo disabled has another key. */
async function findMarked(api: RtApi, { path, read, urlOf }: Kind, { key, destinationId }: contract.SoughtRecord) {
  const marker = toMarker(key)
  const query = [{ field: `CustomField.{${markerField}}`, value: marker }]
  const { items } = await api.list(`${path}s`, { query, fields: 'id,CustomFields', withDisabled: true })
  // The search ignores case, but keys differ by case.
  const ids = items.filter((item) => markerOf(item) === marker).map(({ id }) => String(id))
  const found: contract.FoundRecord[] = []
  for (const id of new Set([...ids, ...(destinationId === null ? [] : [destinationId])])) {
    const record = await api.get(`${path}/${encodeURIComponent(id)}`)
    const owner = markerOf(record)
    const isOurs = owner === marker || (owner === null && id === destinationId)
    if (record && isOurs) found.push({ ...(await read(record)), key, destinationId: id, url: urlOf(id) })
  }
  return found
}

/** Users and queues cannot be deleted. A disabled record is hidden, and its marker allows us to use it again. */
async function disable(
  api: RtApi,
  { path, read, findNeed }: Kind,
  { key, destinationId, version }: contract.RemovableRecord,
) {
  const place = `${path}/${Number(destinationId)}`
  const record = await api.get(place)
  if (!record || markerOf(record) !== toMarker(key)) return null
  const isChanged = version !== null && version !== (await read(record)).version
  const need = isChanged ? 'People have changed it since it was imported.' : await findNeed(record)
  if (need !== null) return need
  await api.update(place, { Disabled: 1 })
  return api.update(place, { CustomFields: { [markerField]: removedMarker(toMarker(key)) } })
}

/** A customer becomes an unprivileged user. An existing user with the same address is used as that customer. */
async function writeContact({ api, facts }: WriteContext, kind: Kind, record: contract.OutgoingRecord) {
  const { key, destinationId } = record
  const form = people.formOf('contacts', record, facts)
  const email = String(form.EmailAddress)
  const madeUp = `wherry-${digestOf(key, 16)}`
  const find = async (field: string, value: string) => {
    const fields = `${personFields},NickName,Gecos,Signature`
    return (await api.list('/users', { query: anyOf(field, [value]), fields, withDisabled: true })).items[0]
  }
  // A person without an address is found by the login that we made up.
  const search = () => (email === '' ? find('Name', madeUp) : find('EmailAddress', email))
  const known = destinationId === null ? await search() : undefined
  if (known && isOfOthers(known, key)) return matched(key, known.id, kind.urlOf(known.id))
  const id = destinationId ?? known?.id
  const sent = withMarker(key, people.toUserFields(form))
  if (id !== undefined) {
    await api.update(`/user/${id}`, sent)
    return settled(kind, key, id, await api.get(`/user/${id}`))
  }
  let reason = ''
  // Tries the wanted login, then the e-mail address, then a login made from our key.
  for (const Name of new Set([people.loginOf(form.Name, email), email, madeUp].filter((one) => one !== ''))) {
    const created = await api.create('/user', { ...sent, Name, Privileged: 0 })
    if ('refused' in created) {
      reason = created.refused
      continue
    }
    const user = await find('Name', Name)
    if (!user) throw new RetryableError('Request Tracker does not list a user that it has just made')
    return settled(kind, key, user.id, { ...user, Disabled: form.Disabled })
  }
  throw new RefusedError('refused', reason)
}

/** A group becomes a queue. An existing queue with the same name is used unchanged. */
async function writeGroup({ api, facts }: WriteContext, kind: Kind, record: contract.OutgoingRecord) {
  const { key, destinationId } = record
  const { AdminCc, ...request } = toFields(people.formOf('groups', record, facts))
  const known = destinationId === null ? await findQueue(api, String(request.Name)) : undefined
  if (known && isOfOthers(known, key)) {
    if (Number(known.Disabled ?? 0) === 0) return matched(key, known.id, kind.urlOf(known.id))
    const message = 'There is a disabled queue of this name. Enable it, or give it another name.'
    throw new RefusedError('name_taken', message)
  }
  let id = destinationId ?? known?.id
  if (id === undefined) {
    const created = await api.create('/queue', withMarker(key, request))
    if ('refused' in created) throw new RefusedError('refused', created.refused)
    id = created.id
  } else {
    await api.update(`/queue/${id}`, withMarker(key, { ...request, Disabled: 0 }))
  }
  if (Array.isArray(AdminCc) && AdminCc.length > 0) await api.update(`/queue/${id}`, { AdminCc })
  return settled(kind, key, id, await api.get(`/queue/${id}`))
}

/** Finds a queue by name, including disabled queues, because their names are taken, too. */
async function findQueue(api: RtApi, name: string): Promise<RawRecord | undefined> {
  const query = anyOf('Name', [name])
  const fields = 'id,Name,Disabled,CustomFields'
  return name === '' ? undefined : (await api.list('/queues', { query, fields, withDisabled: true })).items[0]
}

/** Whether people own the record. A record that our undo disabled is ours to use again. */
function isOfOthers(known: RawRecord, key: string): boolean {
  const owner = markerOf(known)
  return owner !== toMarker(key) && !isRemovedMarker(owner)
}

async function settled({ read, urlOf }: Kind, key: string, id: unknown, now: RawRecord | null) {
  return written(key, id, { url: urlOf(id), version: now && (await read(now)).version })
}

const withMarker = (key: string, request: Record<string, unknown>) => ({
  ...request,
  CustomFields: { ...(request.CustomFields as object | undefined), [markerField]: toMarker(key) },
})
