import Type from 'typebox'
import type { SentRelation } from '../../contract/contract.ts'
import { comparing } from '../../kit/compared-texts.ts'
import type { MadeField } from '../../kit/custom-fields.ts'
import { type Lens, lens, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { zoneNames } from './time-zones.ts'

// Lenses that only Zendesk needs, and the account facts they use.

export interface Status {
  id: number
  category: string
  label: string
}

/** Settings of one account. */
export interface Facts {
  /** Custom fields, by entity and by Zendesk's field name. */
  made: Readonly<Record<string, ReadonlyMap<string, MadeField>>>
  /** Custom statuses. The default status of each category is not included. */
  statuses: readonly Status[]
  /** The ids of all statuses that Zendesk lists, those of each category among them. */
  statusIds: ReadonlySet<unknown>
  /** Status categories in use. An account can switch off "on hold". */
  categories: readonly string[]
  /** Languages that people can have, and the language of people for whom none is given. */
  locales: readonly string[]
  locale: string | null
  /** The time zone of people for whom none is given; null if Zendesk does not say. */
  zone: string | null
}

export const lowered = (list: unknown) =>
  Array.isArray(list) ? [...new Set(list.map((one) => String(one).toLowerCase()))].sort() : list

/** Zendesk gives every user a language: the account's language if none is given. */
export const languageLens = (usual: string | null): Lens<Facts> =>
  comparing(is.text('locale', { empty: omit, note: 'one of the languages of the account' }), (locale) =>
    locale === usual ? null : locale,
  )

/** Zendesk gives every user a time zone, too. It is read by its IANA name, and written by Zendesk's own name. */
export function zoneLens(usual: string | null): Lens<Facts> {
  const nameOf = (zone: unknown) => zoneNames.get(String(zone))
  const none = nameOf(usual) ?? omit
  const options = { to: 'time_zone', empty: none, note: 'one of the time zones of Zendesk' }
  return {
    ...comparing(is.text('iana_time_zone', options), (zone) => {
      const name = nameOf(zone) ?? zone
      return name === none ? null : name
    }),
    write: (zone) => nameOf(zone) ?? omit,
  }
}

const statusNames: Readonly<Record<string, string>> = { hold: 'on_hold' }
export const nameOfStatus = (category: string): string => statusNames[category] ?? category

/** The ticket's status: a custom status by its own name, the default status of a category by the family's name. */
export const statusLens = ({ statuses, categories }: Pick<Facts, 'statuses' | 'categories'>): Lens<Facts> => {
  const own = (id: unknown, among: Pick<Facts, 'statuses'>) => among.statuses.find((status) => status.id === id)
  return lens('option', {
    from: 'status',
    check: Type.String(),
    options: [...new Set([...categories.map(nameOfStatus), ...statuses.map((status) => status.label)])],
    read: (status, { custom_status_id: id }, around: Facts) => own(id, around)?.label ?? nameOfStatus(status),
    // `write` returns a number for a custom status: its id (see `toTicket`).
    write: (name) =>
      statuses.find((status) => status.label === name)?.id ??
      categories.find((category) => nameOfStatus(category) === name) ??
      name,
    // Zendesk sets the status "new" if none is given.
    stored: (sent, raw) => {
      const status = String(own(raw?.custom_status_id, { statuses })?.id ?? sent)
      return status === 'new' ? null : status
    },
    empty: omit,
    note: 'with the statuses that people made',
  })
}

/** Lower case, without spaces and special characters, because Zendesk would change the tag itself. */
export const toTag = (text: unknown): string =>
  String(text)
    .normalize()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_:/-]+/gu, '_')
    .replace(/^_+|_+$/g, '')
export const tagsOf = (list: unknown) =>
  Array.isArray(list) ? [...new Set(list.map(toTag).filter((tag) => tag !== ''))].sort() : list

/** Whether tags get lost: those of signs alone, such as an emoji, and those that differ in signs only. */
export function losesTags(list: unknown): boolean {
  const given = (Array.isArray(list) ? list : []).map((tag) => String(tag).normalize().trim().toLowerCase())
  return (tagsOf(given) as string[]).length < new Set(given.filter((tag) => tag !== '')).size
}

export const whoIds = (list: unknown): unknown =>
  Array.isArray(list)
    ? list
        .map((one) => String(typeof one === 'object' && one !== null ? (one as { user_id: unknown }).user_id : one))
        .sort()
    : list
export const put = (id: unknown) => ({ user_id: Number(id), action: 'put' })
export const noCustom: Pick<Facts, 'statuses' | 'categories'> = {
  statuses: [],
  categories: ['new', 'open', 'pending', 'hold', 'solved', 'closed'],
}

/** Zendesk names the owner of the token as requester if none is given. */
export const requesterLens = (me: string | null): Lens<Facts> =>
  comparing(is.reference('requester_id', 'contacts', { empty: omit }), (id) => (String(id) === me ? null : String(id)))

/** Zendesk requires that the assignee is in the ticket's group. Without a group, we send a group of the assignee. */
export const groupLens = (groupOfAgent: ReadonlyMap<string, number>): Lens<Facts> => ({
  ...is.reference('group_id', 'groups'),
  writesEmpty: true,
  write: (value, { content }) =>
    value ? Number((value as SentRelation).destinationId) : (groupOfAgent.get(String(content.fields.assignee)) ?? omit),
})

/** An article's labels without the label that holds our key. */
export const ownLabels = (list: unknown): unknown =>
  Array.isArray(list) ? list.filter((label) => !/^wherry_[0-9a-f]{32}$/.test(String(label))).sort() : list
