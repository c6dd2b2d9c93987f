import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import { asciiAddress } from '../../kit/ascii-address.ts'
import { toCustomField } from './custom-fields.ts'
import { hashKey } from './markers.ts'
import { textOf } from './native-issue.ts'
import { type Raw, take, unwrap } from './schema.ts'
import { nameOfUser } from './to-helpdesk.ts'
import { storedCustomValues, toCustomValues, writableFields } from './write-custom-fields.ts'
import { type EntityWriter, field, found, keep, refuseSent, removed, type Writing, written } from './writing.ts'

/** Redmine wants an address of everyone; mail to this one reaches nobody. */
const noAddress = '@no-address.invalid'
const longestName = 30
const locked = 3

/** Redmine has first and last names of 30 characters each; both must be there. */
export function splitName(name: string): { firstname: string; lastname: string } {
  const words = name.trim().split(/\s+/)
  let firstname = words.shift() ?? ''
  if ([...firstname].length > longestName) {
    words.unshift([...firstname].slice(longestName).join(''))
    firstname = [...firstname].slice(0, longestName).join('')
  }
  while (words.length > 1 && [...`${firstname} ${words[0]}`].length <= longestName) firstname += ` ${words.shift()}`
  const lastname = [...words.join(' ')].slice(0, longestName).join('').trim()
  return { firstname: firstname || '-', lastname: lastname || '-' }
}

const joinName = ({ firstname, lastname }: { firstname: string; lastname: string }): string =>
  `${firstname} ${lastname}`.replace(/ -$/, '')

/** The login ends with our key, so that the search for names finds it; before that it is for people. */
export function toLogin(key: string, address: string): string {
  const readable = address
    .split('@')[0]
    ?.normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '')
    .slice(0, 30)
  return `${readable || 'contact'}-${endingOf(key)}`
}

const endingOf = (key: string): string => hashKey(key).slice(0, 12)

/** What Redmine takes for an address: `root@localhost` is none. */
const plainAddress = /^[^@\s]+@([-a-z0-9]+\.)+[a-z]{2,}$/i
const longestAddress = 254

function addressOf(fields: Record<string, unknown>): string {
  const [first] = Array.isArray(fields.emails) ? fields.emails : []
  const given = typeof first === 'object' && first !== null && 'address' in first ? first.address : first
  return asciiAddress(textOf(given).trim())
}

const takenAddress = (address: string): string =>
  plainAddress.test(address) && address.length <= longestAddress ? address : ''

/** An address that Redmine does not take stands behind the name, if there is room for the whole of it. */
function nameOf(fields: Record<string, unknown>): string {
  const name = textOf(fields.name).trim()
  const address = addressOf(fields)
  const both = `${name} (${address})`
  return address === takenAddress(address) || joinName(splitName(both)) !== both ? name : both
}

function toNative(fields: Record<string, unknown>) {
  return {
    name: joinName(splitName(nameOf(fields))),
    mail: takenAddress(addressOf(fields)),
    isLocked: fields.is_suspended === true,
  }
}

const urlOf = ({ api }: Writing, id: number | string) => `${api.base}/users/${id}`

/** Contacts of a help desk become users: only users can watch issues. They get no mail, and a password that nobody knows. */
export const writeContacts: EntityWriter = {
  describe: ({ fields }) => ({
    customFields: writableFields(fields, 'user').map(toCustomField),
    fields: {
      name: field('text', { required: true, maxLength: 2 * longestName }),
      emails: field('email', { many: true }),
      is_suspended: field('boolean'),
    },
    unites: { kind: 'user', by: ['emails'] },
  }),

  stored: ({ fields }) => toNative(fields),

  async write(writing, _call, record) {
    const { api, vocabulary } = writing
    const { mail, isLocked } = toNative(record.fields)
    const isNew = record.destinationId === null
    const losses: WriteLoss[] = mail === addressOf(record.fields) ? [] : ['address_refused']
    const user = {
      ...splitName(nameOf(record.fields)),
      mail: mail || `${endingOf(record.key)}${noAddress}`,
      status: isLocked ? locked : 1,
      custom_fields: toCustomValues(writableFields(vocabulary.fields, 'user'), { record, losses }),
    }
    if (!isNew) {
      const sent = await api.send('PUT', `/users/${record.destinationId}.json`, { user })
      if (!sent.isTaken) return refuseSent(record.key, sent)
      writing.directory.learn({ id: Number(record.destinationId), status: user.status })
      return written(
        record.key,
        String(record.destinationId),
        urlOf(writing, String(record.destinationId)),
        null,
        losses,
      )
    }
    const existing = mail === '' ? undefined : (await search(writing, mail)).find((one) => isSameAddress(one, mail))
    if (existing) return matched(writing, record, existing)
    const login = toLogin(record.key, mail || textOf(record.fields.name))
    const sent = await api.send('POST', '/users.json', {
      user: { ...user, login, generate_password: true, mail_notification: 'none' },
      send_information: false,
    })
    if (!sent.isTaken) return refuseSent(record.key, sent)
    const made = take('user', unwrap(sent.json, 'user'))
    writing.directory.learn({ ...made, status: user.status })
    const { id } = made
    return written(record.key, String(id), urlOf(writing, id), null, losses)
  },

  async find(writing, _call, records) {
    const fields = writableFields(writing.vocabulary.fields, 'user')
    const users = []
    for (const { key, destinationId } of records) {
      const listed = await search(writing, endingOf(key))
      const ids = new Set(
        listed.filter(({ login }) => login?.endsWith(`-${endingOf(key)}`)).map(({ id }) => String(id)),
      )
      if (destinationId !== null) ids.add(destinationId)
      for (const id of ids) {
        const given = await writing.api.find(`/users/${id}.json`, 'user')
        if (given === null) continue
        const raw = take('user', given)
        users.push(
          found(key, id, urlOf(writing, id), null, readNative(raw), storedCustomValues(fields, raw.custom_fields)),
        )
      }
    }
    return users
  },

  async remove(writing, _call, { key, destinationId }) {
    const { api } = writing
    const include = 'memberships,groups'
    const given = await api.find(`/users/${destinationId}.json`, 'user', { include })
    if (given === null) return { key, result: 'missing' }
    const use = await findUse(writing, key, given)
    return use === null ? removed(key, await api.send('DELETE', `/users/${destinationId}.json`)) : keep(key, use)
  },
}

/** Redmine deletes what a user is part of, and puts the anonymous user in their place everywhere else. */
async function findUse({ api }: Writing, key: string, given: unknown): Promise<string | null> {
  const { id, login, admin, last_login_on } = take('user', given)
  const { memberships = [], groups = [] } = given as { memberships?: unknown[]; groups?: unknown[] }
  if (last_login_on) return 'This person has signed in to Redmine since.'
  if (admin || login?.endsWith(`-${endingOf(key)}`) === false) return 'It has been changed since it was imported.'
  if (memberships.length > 0 || groups.length > 0) return 'This person has become a member of a project or group.'
  for (const role of ['author_id', 'assigned_to_id', 'watcher_id']) {
    const { total } = await api.list('/issues.json', 'issues', { [role]: id, status_id: '*', limit: 1 })
    if (total !== 0) return 'There are issues that name this person.'
  }
  const times = await api.list('/time_entries.json', 'time_entries', { user_id: id, limit: 1 })
  return times.total === 0 ? null : 'This person has booked time.'
}

function readNative(raw: Raw<'user'>) {
  const mail = raw.mail ?? ''
  return {
    name: nameOfUser(raw),
    mail: mail.endsWith(noAddress) ? '' : mail,
    isLocked: raw.status === locked,
  }
}

/** Looks into logins, names and addresses, of locked people too. */
async function search({ api }: Writing, name: string): Promise<Raw<'user'>[]> {
  return (await api.listAll('/users.json', 'users', { status: '', name })).map((item) => take('user', item))
}

const isSameAddress = ({ mail }: Raw<'user'>, address: string) => mail?.toLowerCase() === address.toLowerCase()

/** A second contact with the address of the first becomes the same user. One that carries our key is our own, from before a crash. */
function matched(writing: Writing, { key }: OutgoingRecord, { id, login }: Raw<'user'>): WriteOutcome {
  const url = urlOf(writing, id)
  if (login?.endsWith(`-${endingOf(key)}`)) return written(key, String(id), url)
  return { key, result: 'matched', destinationId: String(id), url }
}
