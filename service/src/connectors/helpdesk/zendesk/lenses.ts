import Type from 'typebox'
import type { SentRelation } from '../../contract/contract.ts'
import { comparing } from '../../kit/compared-texts.ts'
import type { MadeField } from '../../kit/custom-fields.ts'
import { type Lens, lens, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'

// Lenses for what is odd about Zendesk, and what they have to know of an account.

export interface Status {
  id: number
  category: string
  label: string
}

/** The account's own set-up. */
export interface Facts {
  /** Fields that people made, by entity and by what the tool calls them. */
  made: Readonly<Record<string, ReadonlyMap<string, MadeField>>>
  /** Statuses that people made, beside the one of each category. */
  statuses: readonly Status[]
  /** On hold can be switched off. */
  categories: readonly string[]
  /** Languages that people can have, and the one of those of whom nobody said any. */
  locales: readonly string[]
  locale: string | null
}

export const lowered = (list: unknown) =>
  Array.isArray(list) ? [...new Set(list.map((one) => String(one).toLowerCase()))].sort() : list

/** Everyone has a language: that of the account unless another was said. */
export const languageLens = (usual: string | null): Lens<Facts> =>
  comparing(is.text('locale', { empty: omit, note: 'one of the languages of the account' }), (locale) =>
    locale === usual ? null : locale,
  )

const statusNames: Readonly<Record<string, string>> = { hold: 'on_hold' }
export const nameOfStatus = (category: string): string => statusNames[category] ?? category

/** A status that people made goes by its own name, the one of each category by the name of the family. */
export const statusLens = ({ statuses, categories }: Pick<Facts, 'statuses' | 'categories'>): Lens<Facts> => {
  const own = (id: unknown, among: Pick<Facts, 'statuses'>) => among.statuses.find((status) => status.id === id)
  return lens('option', {
    from: 'status',
    check: Type.String(),
    options: [...new Set([...categories.map(nameOfStatus), ...statuses.map((status) => status.label)])],
    read: (status, { custom_status_id: id }, around: Facts) => own(id, around)?.label ?? nameOfStatus(status),
    // A number is the id of a status that people made; see `toTicket`.
    write: (name) =>
      statuses.find((status) => status.label === name)?.id ??
      categories.find((category) => nameOfStatus(category) === name) ??
      name,
    // A ticket is new unless something else is said.
    stored: (sent, raw) => {
      const status = String(own(raw?.custom_status_id, { statuses })?.id ?? sent)
      return status === 'new' ? null : status
    },
    empty: omit,
    note: 'with the statuses that people made',
  })
}

/** Small letters, without spaces and signs: anything else Zendesk would change by itself. */
export const toTag = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_:/-]+/gu, '_')
    .replace(/^_+|_+$/g, '')
export const tagsOf = (list: unknown) =>
  Array.isArray(list) ? [...new Set(list.map(toTag).filter((tag) => tag !== ''))].sort() : list

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

/** Zendesk gives a ticket without a requester to the user who writes it. */
export const requesterLens = (me: string | null): Lens<Facts> =>
  comparing(is.reference('requester_id', 'contacts', { empty: omit }), (id) => (String(id) === me ? null : String(id)))

/** A ticket's assignee is in its group; without a group the ticket becomes that person's own. */
export const groupLens = (groupOfAgent: ReadonlyMap<string, number>): Lens<Facts> => ({
  ...is.reference('group_id', 'groups'),
  writesEmpty: true,
  write: (value, { content }) =>
    value ? Number((value as SentRelation).destinationId) : (groupOfAgent.get(String(content.fields.assignee)) ?? omit),
})

/** One label of each article of an import is our key. */
export const ownLabels = (list: unknown): unknown =>
  Array.isArray(list) ? list.filter((label) => !/^wherry_[0-9a-f]{32}$/.test(String(label))).sort() : list
