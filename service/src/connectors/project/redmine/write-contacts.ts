import { asciiAddress } from '../../kit/ascii-address.ts'
import { hashKey } from './markers.ts'
import { textOf } from './native-issue.ts'
import { locked } from './people.ts'
import { type Raw, take } from './schema.ts'
import { nameOfUser } from './to-helpdesk.ts'
import { customTaken, sendCustom, storedCustom } from './write-custom-fields.ts'
import * as write from './writing.ts'
import { type EntityWriter, field, found, keep, type Writing } from './writing.ts'

/** Redmine requires an address for every user. Mail to this domain reaches nobody. */
const noAddress = '@no-address.invalid'
const longestName = 30

/** Redmine requires a first and a last name, each of at most 30 characters. */
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

/** The login ends with a hash of our key, so that Redmine's search finds it. Its first part is readable. */
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

/** Redmine's rule for an address. `root@localhost` is invalid. */
const plainAddress = /^[^@\s]+@([-a-z0-9]+\.)+[a-z]{2,}$/i
const longestAddress = 254

function addressOf(fields: Record<string, unknown>): string {
  const [first] = Array.isArray(fields.emails) ? fields.emails : []
  const given = typeof first === 'object' && first !== null && 'address' in first ? first.address : first
  return asciiAddress(textOf(given).trim())
}

const takenAddress = (address: string): string =>
  plainAddress.test(address) && address.length <= longestAddress ? address : ''

/** An address that Redmine refuses is added to the name, if it fits completely. */
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

/**
 * Contacts of a help desk become users, because only users can watch issues. They get no mail, and a random password.
 */
export const writeContacts: EntityWriter = {
  describe: (vocabulary) => ({
    customFields: customTaken(vocabulary, 'user'),
    fields: {
      name: field('text', { required: true, maxLength: 2 * longestName }),
      emails: field('email', { many: true }),
      is_suspended: field('boolean'),
    },
    unites: { kind: 'user', by: ['emails'] },
  }),

  stored: ({ fields }) => toNative(fields),

  async write(job) {
    const { api, directory, record, losses } = job
    const { key, destinationId, fields } = record
    const { mail, isLocked } = toNative(fields)
    if (mail !== addressOf(fields)) losses.push('address_refused')
    const user = {
      ...splitName(nameOf(fields)),
      mail: mail || `${endingOf(key)}${noAddress}`,
      status: isLocked ? locked : 1,
      custom_fields: sendCustom(job, 'user'),
    }
    if (destinationId !== null) {
      const sent = await api.change('user', destinationId, user)
      if (!sent.isTaken) return write.refuseSent(job, sent)
      directory.learn({ id: Number(destinationId), status: user.status })
      return write.written(job, destinationId, urlOf(job, destinationId))
    }
    // Two contacts with the same address become one user.
    const existing = mail === '' ? undefined : (await search(job, mail)).find((one) => isSameAddress(one, mail))
    if (existing) return write.matched(job, existing.id, urlOf(job, existing.id), isOurs(existing, key))
    const login = toLogin(key, mail || textOf(fields.name))
    const born = { ...user, login, generate_password: true, mail_notification: 'none' }
    const sent = await api.make('user', born, { beside: { send_information: false } })
    if (!sent.isTaken) return write.refuseSent(job, sent)
    directory.learn({ ...sent.made, status: user.status })
    return write.written(job, sent.made.id, urlOf(job, sent.made.id))
  },

  async find(writing, records) {
    const users = []
    for (const { key, destinationId } of records) {
      const ours = (await search(writing, endingOf(key))).filter((user) => isOurs(user, key))
      const ids = new Set([...ours.map((user) => String(user.id)), destinationId ?? []].flat())
      for (const id of ids) {
        const raw = await writing.api.one('user', id)
        if (raw === null) continue
        users.push(found(key, id, urlOf(writing, id), null, readNative(raw), storedCustom(writing, 'user', raw)))
      }
    }
    return users
  },

  async remove(writing, { key, destinationId }) {
    const { api } = writing
    const given = await api.find(`/users/${destinationId}.json`, 'user', { include: 'memberships,groups' })
    if (given === null) return { key, result: 'missing' }
    const use = await findUse(writing, key, given)
    return use === null ? write.removed(key, await api.remove('user', destinationId)) : keep(key, use)
  },
}

const isOurs = ({ login }: Raw<'user'>, key: string): boolean => login?.endsWith(`-${endingOf(key)}`) ?? false

/**
 * Deleting a user deletes their memberships and replaces them elsewhere by the anonymous user. So a user in use stays.
 */
async function findUse({ api }: Writing, key: string, given: unknown): Promise<string | null> {
  const { id, login, admin, last_login_on } = take('user', given)
  const { memberships = [], groups = [] } = given as { memberships?: unknown[]; groups?: unknown[] }
  if (last_login_on) return 'This person has signed in to Redmine since.'
  if (admin || login?.endsWith(`-${endingOf(key)}`) === false) return 'It has been changed since it was imported.'
  if (memberships.length > 0 || groups.length > 0) return 'This person has become a member of a project or group.'
  for (const role of ['author_id', 'assigned_to_id', 'watcher_id']) {
    const total = await api.count('issue', { [role]: id, status_id: '*' })
    if (total !== 0) return 'There are issues that name this person.'
  }
  return (await api.count('timeEntry', { user_id: id })) === 0 ? null : 'This person has booked time.'
}

function readNative(raw: Raw<'user'>) {
  const mail = raw.mail ?? ''
  return {
    name: nameOfUser(raw),
    mail: mail.endsWith(noAddress) ? '' : mail,
    isLocked: raw.status === locked,
  }
}

/** Searches logins, names and addresses, including locked users. */
const search = ({ api }: Writing, name: string): Promise<Raw<'user'>[]> => api.all('user', { status: '', name })

const isSameAddress = ({ mail }: Raw<'user'>, address: string) => mail?.toLowerCase() === address.toLowerCase()
