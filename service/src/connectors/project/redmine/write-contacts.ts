import { asciiAddress } from '../../kit/ascii-address.ts'
import { eachById } from '../../kit/find.ts'
import { done } from './api.ts'
import { locked } from './directory.ts'
import { endingOf, uniqueName } from './markers.ts'
import { nameOfUser, type Raw, take } from './schema.ts'
import { sendCustom } from './vocabulary.ts'
import * as write from './writing.ts'
import { type Fields, formOf, textOf, type Writing } from './writing.ts'

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

/** The name as Redmine shows it after it was split. */
const shownName = (name: string): string => nameOfUser({ id: 0, ...splitName(name) })

export const toLogin = (key: string, address: string): string =>
  uniqueName(key, String(address.split('@')[0]), /[^a-z0-9.]+/g, '', 30).replace(/^-/, 'contact-')

/** Redmine's rule for an address. `root@localhost` is invalid. */
const plainAddress = /^[^@\s]+@([-a-z0-9]+\.)+[a-z]{2,}$/i
const longestAddress = 254

/** The name and address that are sent, and the address that was wanted. Redmine may refuse that one. */
function nameAndMail(fields: Fields) {
  const [first] = Array.isArray(fields.emails) ? fields.emails : []
  const given = typeof first === 'object' && first !== null && 'address' in first ? first.address : first
  const address = asciiAddress(textOf(given).trim())
  const mail = plainAddress.test(address) && address.length <= longestAddress ? address : ''
  const name = textOf(fields.name).trim()
  const both = `${name} (${address})`
  // An address that Redmine refuses is added to the name, if it fits completely.
  const isBoth = address !== mail && shownName(both) === both
  return { name: isBoth ? both : name, mail, isLost: address !== mail }
}

const form = formOf<Raw<'user'>>()({
  name: [(fields) => shownName(nameAndMail(fields).name), nameOfUser],
  mail: [(fields) => nameAndMail(fields).mail, ({ mail }) => (mail?.endsWith(noAddress) ? '' : (mail ?? ''))],
  isLocked: [({ is_suspended }) => is_suspended === true, ({ status }) => status === locked],
})

/** Contacts become users, because only users can watch issues. They get no mail, and a random password. */
export const writeContacts = write.entityWriter(form, {
  customized: 'user',
  without: ['phones', 'organization', 'language', 'timezone', 'notes'],
  facts: () => ({ name: { maxLength: 2 * longestName } }),
  about: () => ({ unites: { kind: 'user', by: ['emails'] } }),
  url: ({ api }, { id }) => `${api.base}/users/${id}`,

  async write(job) {
    const { api, directory, record, losses } = job
    const { key, destinationId, fields } = record
    const { name, mail, isLost } = nameAndMail(fields)
    if (isLost) losses.push('address_refused')
    const user = {
      ...splitName(name),
      mail: mail || `${endingOf(key)}${noAddress}`,
      status: job.native.isLocked ? locked : 1,
      custom_fields: sendCustom(job, 'user'),
    }
    if (destinationId !== null) {
      done(await api.change('user', destinationId, user))
      const raw = { id: Number(destinationId), status: user.status }
      await directory.learn(raw)
      return { raw }
    }
    // Two contacts with the same address become one user.
    const existing =
      mail === '' ? undefined : (await search(job, mail)).find((one) => one.mail?.toLowerCase() === mail.toLowerCase())
    if (existing) return { raw: existing, isOurs: isOurs(existing, key) }
    const login = toLogin(key, mail || textOf(fields.name))
    const born = { ...user, login, generate_password: true, mail_notification: 'none' }
    const { made } = done(await api.save('user', null, born, { beside: { send_information: false } }))
    await directory.learn({ ...made, status: user.status })
    return { raw: made }
  },

  async find(writing, { key, destinationId }) {
    const ours = (await search(writing, endingOf(key))).filter((user) => isOurs(user, key))
    const ids = new Set([...ours.map((user) => String(user.id)), destinationId ?? []].flat())
    return eachById((id) => writing.api.one('user', id))([...ids])
  },

  /** Deleting a user ends their memberships and makes their records anonymous. So a user in use stays. */
  async remove({ api }, { key, destinationId }) {
    const given = await api.find(`/users/${destinationId}.json`, 'user', { include: 'memberships,groups' })
    if (given === null) return null
    const user = take('user', given)
    const { memberships = [], groups = [] } = given as { memberships?: unknown[]; groups?: unknown[] }
    if (user.last_login_on) return 'This person has signed in to Redmine since.'
    const isChanged = user.admin || (user.login !== undefined && !isOurs(user, key))
    if (isChanged) return 'It has been changed since it was imported.'
    if (memberships.length > 0 || groups.length > 0) return 'This person has become a member of a project or group.'
    for (const role of ['author_id', 'assigned_to_id', 'watcher_id']) {
      const total = await api.count('issue', { [role]: user.id, status_id: '*' })
      if (total !== 0) return 'There are issues that name this person.'
    }
    const booked = await api.count('time_entry', { user_id: user.id })
    return booked === 0 ? api.remove('user', destinationId) : 'This person has booked time.'
  },
})

const isOurs = ({ login }: Raw<'user'>, key: string): boolean => login?.endsWith(`-${endingOf(key)}`) ?? false

/** Searches logins, names and addresses, including locked users. */
const search = ({ api }: Writing, name: string): Promise<Raw<'user'>[]> => api.all('user', { status: '', name })
