import Type from 'typebox'
import { cutText } from '../../../text/cut-text.ts'
import { escapeText, plainWords } from '../../../text/plain-words.ts'
import type { OutgoingRecord } from '../../contract/contract.ts'
import { comparing, wordsAndLinksOf, wordsOf } from '../../kit/compared-texts.ts'
import type { MadeField } from '../../kit/custom-fields.ts'
import { digestOf } from '../../kit/keys.ts'
import { type Lens, lens, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { htmlWithPictures } from '../../kit/shown-pictures.ts'

// Lenses that only Freshdesk needs, and the account facts they use.

/** Settings of one account. */
export interface Facts {
  /** Custom fields, by entity and by Freshdesk's field name. */
  made: Readonly<Record<string, ReadonlyMap<string, MadeField>>>
  /** Ids of all agents, and agent ids by e-mail address. Every other person is a contact. */
  agents: ReadonlySet<number>
  agentOf: ReadonlyMap<string, number>
  /** Names of all agents. */
  staff: ReadonlyMap<number, string>
  /** Status numbers, and the names that agents see. */
  statuses: ReadonlyMap<string, string>
  sources: ReadonlyMap<string, string>
  types: readonly string[]
  /** Names of the products and mailboxes, by their ids. */
  products: ReadonlyMap<number, string>
  mailboxes: ReadonlyMap<number, string>
  /** Labels of the fields that agents must fill before they can save a ticket. */
  required: readonly string[]
}

const usualStatuses: Readonly<Record<string, string>> = { 2: 'open', 3: 'pending', 4: 'solved', 5: 'closed' }
const usualTypes: Readonly<Record<string, string>> = {
  ...{ Question: 'question', Incident: 'incident', Problem: 'problem', Task: 'task' },
}
const typeName = (type: string): string => usualTypes[type] ?? type

/** Names of all statuses: the family's name for standard statuses, the agents' name for custom statuses. */
function statusNames(statuses: Facts['statuses']): Map<string, string> {
  const names = new Map(Object.entries(usualStatuses))
  for (const [number, name] of statuses) {
    // Of two statuses with the same name, the second gets its number appended.
    if (!names.has(number)) names.set(number, [...names.values()].includes(name) ? `${name} (${number})` : name)
  }
  return names
}

export const statusLens = (statuses: Facts['statuses']): Lens<Facts> => {
  const own = statusNames(statuses)
  return lens('option', {
    from: 'status',
    check: Type.Integer(),
    options: [...own.values()],
    read: (status, _raw, facts: Facts) => statusNames(facts.statuses).get(String(status)) ?? String(status),
    write: (name) => Number([...own].find(([, word]) => word === name)?.[0] ?? 2),
    // Freshdesk sets the status "open" if none is given.
    stored: (sent) => (Number(sent) === 2 ? null : String(sent)),
    empty: omit,
    note: 'with the statuses that people made',
  })
}

const priorities = is.option('priority', { 1: 'low', 2: 'normal', 3: 'high', 4: 'urgent' }, { empty: omit })
export const priorityLens: Lens<Facts> = {
  ...priorities,
  write: (name, writing) => Number(priorities.write?.(name, writing)) || 1,
  // Freshdesk sets the priority "low" if none is given.
  stored: (sent) => (sent === undefined || sent === null || sent === omit || Number(sent) === 1 ? null : String(sent)),
}

export const typeLens = (types: readonly string[]): Lens<Facts> =>
  lens('option', {
    from: 'type',
    check: Type.String(),
    options: [...new Set(types.map(typeName))],
    read: typeName,
    write: (name) => types.find((type) => typeName(type) === name) ?? name,
    note: 'of the types that the account has',
  })

const marker = /^—[^—]*?wherry-([0-9a-f]{16}) —/

/**
 * Adds a line above the text with its author, its time and our key. Freshdesk stores no times, and not every author.
 */
export function withOrigin(
  { key, createdAt, createdBy }: Pick<OutgoingRecord, 'key' | 'createdAt' | 'createdBy'>,
  html: unknown,
  more: readonly string[] = [],
): string {
  const at = createdAt && `${createdAt.slice(0, 16).replace('T', ' ')} UTC`
  const words = [...more, createdBy?.name, createdBy?.email, at].filter(Boolean).join(' · ')
  const shown = cutText(words.replace(/[—\s]+/gu, ' '), 300)
  return `<p>— ${escapeText([shown, markOf(key)].filter(Boolean).join(' · '))} —</p>${typeof html === 'string' ? html : ''}`
}
export const markOf = (key: string): string => `wherry-${digestOf(key, 16)}`
export const markIn = (html: unknown): string | null => {
  const [, found] = marker.exec(typeof html === 'string' ? plainWords(html.slice(0, 4_000)) : '') ?? []
  return found === undefined ? null : `wherry-${found}`
}

/** `write` leaves the text unchanged: each writer adds the origin line itself. */
export const html = (from: string): Lens<Facts> => ({
  ...htmlWithPictures(from, { files: 'files', addresses: ['attachment_url'] }),
  write: (body) => body,
  empty: '',
  stored: (body) => wordsOf(body, marker),
})
/** A text whose links are compared, too. */
export const linkedHtml = (from: string): Lens<Facts> => ({
  ...html(from),
  stored: (body) => wordsAndLinksOf(body, marker),
})

export const lowered = (list: unknown) =>
  Array.isArray(list) && list.length > 0 ? [...new Set(list.map((one) => String(one).toLowerCase()))].sort() : null

/** Freshdesk gives every contact a language: the account's language if none is given. */
export const languageLens = (usual: string | null): Lens<Facts> =>
  comparing(is.text('language', { empty: omit, note: 'one of the languages of the account' }), (language) =>
    language === usual ? null : language,
  )

/** Freshdesk's maximum number of tags on a ticket. */
export const mostTags = 30

export const longestTag = 32

/** Removes commas, and drops tags that differ only in case. */
export const tagsOf = (list: unknown): string[] => {
  const tags = (Array.isArray(list) ? list : []).map((tag) =>
    String(tag)
      .replace(/[,\s]+/gu, ' ')
      .trim(),
  )
  return [...new Map(tags.filter((tag) => tag !== '').map((tag) => [tag.toLowerCase(), tag])).values()]
}

export type Readers = 'public' | 'internal'

/** Null for folders that neither everyone nor only agents may read, such as folders for some companies. */
export const readersOf = (visibility: unknown): Readers | null =>
  visibility === 1 ? 'public' : visibility === 3 ? 'internal' : null
export const visibilityOf = (readers: Readers): number => (readers === 'public' ? 1 : 3)

/** An article's labels without the tag that holds our key. */
export const ownLabels = (list: unknown): string[] =>
  (Array.isArray(list) ? list.map(String) : []).filter((tag) => !/^wherry-[0-9a-f]{16}$/.test(tag))
