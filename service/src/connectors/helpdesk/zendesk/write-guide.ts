import type {
  FoundRecord,
  OutgoingRecord,
  RemovableRecord,
  RemoveOutcome,
  SentRelation,
  SideRecord,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { originOf } from '../../kit/compared-texts.ts'
import type { Entity } from '../../kit/entity.ts'
import { findRecords } from '../../kit/find.ts'
import { labelKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { refused } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { removeNested, removeRecords } from '../../kit/remove.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { toStored, writeRecord } from '../../kit/write-record.ts'
import { label, largestPage, type ZendeskApi } from './api.ts'
import * as desk from './entities.ts'
import {
  findShelf,
  forgetSection,
  isEmptyShelf,
  makeShelf,
  pathOf,
  placeOf,
  placesOf,
  ShelfRefusedError,
  sectionFor,
  shelvesNow,
} from './shelves.ts'
import { externalOf, isAbout, refusalOf, type WriteContext } from './write-people.ts'

// The knowledge base. Zendesk has categories, in them sections, and articles in sections alone.

/** The Help Center of an account. */
export interface Guide {
  locale: string
  locales: readonly string[]
  /** Readers of what is not for everyone. */
  staff: unknown
  /** People who may change articles. */
  permission: unknown
}
export type GuideContext = WriteContext & { guide: Guide; articles: Entity }

/** Answers of accounts without a Help Center, or without a part of it. */
const none = [403, 404]

/** Null for an account without a Help Center. */
export async function readGuide(api: ZendeskApi): Promise<Guide | null> {
  const { status, json } = await api.http.look('/help_center/locales.json', none)
  if (status !== 200) return null
  const { locales, default_locale: locale } = json as { locales?: unknown; default_locale?: unknown }
  const segments = await api.page('/help_center/user_segments.json', 'user_segments', { built_in: true }, none)
  const permissions = await api.page('/guide/permission_groups.json', 'permission_groups', {}, none)
  const staff = segments.items.find(({ user_type }) => user_type === 'staff')?.id ?? null
  if (typeof locale !== 'string' || staff === null) return null
  return { locale, locales: [locales].flat().map(String), staff, permission: permissions.items[0]?.id ?? null }
}

/** Notes of categories that we make. Their version says which name stands where. */
export const noteKind = 'category_of_record'

export async function foundShelf(raw: RawRecord) {
  const content = toStored(label, desk.categories, raw)
  return { ...content, version: versionOf(content.fields), url: typeof raw.html_url === 'string' ? raw.html_url : null }
}

/**
 * A shelf of the same name at the same place is used, unless a note says that we are creating it. The note stays: after
 * a kill before the outcome is stored, the shelf is found by it.
 */
export async function writeShelves(context: GuideContext, records: readonly OutgoingRecord[]): Promise<WriteOutcome[]> {
  const { sides, guide } = context
  const shelves = await shelvesNow(context)
  const isNoted = noted((await sides?.list(noteKind)) ?? [])
  return writeEach(records, async (record): Promise<WriteOutcome> => {
    const { key, fields } = record
    const parent = (fields.parent_category as SentRelation | undefined)?.destinationId ?? null
    const mark = externalOf(key)
    const side = { kind: noteKind, mark, destinationId: null, version: placeOf(fields.name, parent) }
    const own = shelves.find((raw) => isNoted(raw, key))
    const id = record.destinationId ?? (own ? String(own.id) : null)
    const existing = findShelf(shelves, fields.name, parent)
    if (id === null && existing) {
      return { key, result: 'matched', destinationId: String(existing.id), url: (await foundShelf(existing)).url }
    }
    const { parent: _parent, name, description, position } = writeRecord(desk.categories, record, { isWhole: true })
    const place = position === undefined ? {} : { position }
    if (id !== null) {
      const shelf = shelves.find((raw) => String(raw.id) === id)
      const locale = typeof shelf?.source_locale === 'string' ? shelf.source_locale : guide.locale
      const sent = await changeShelf(context, id, locale, { title: name, body: description }, place)
      if (sent?.result === 'refused') return refusalOf(key, sent)
      const now = (await shelvesNow(context)).find((raw) => String(raw.id) === id)
      if (!now) return refused(key, 'gone', 'It was deleted in Zendesk since it was imported.')
      if (record.destinationId !== null) await sides?.forget(side)
      const { url, version } = await foundShelf(now)
      return { key, result: 'written', destinationId: id, url, version }
    }
    await sides?.note(side)
    try {
      const raw = await makeShelf(context, shelves, parent, { name, description, ...place, locale: guide.locale })
      shelves.push(raw)
      await sides?.note({ ...side, destinationId: String(raw.id) })
      const { url, version } = await foundShelf(raw)
      return { key, result: 'written', destinationId: String(raw.id), url, version }
    } catch (error) {
      if (!(error instanceof ShelfRefusedError)) throw error
      await sides?.forget(side)
      return refusalOf(key, error.sent)
    }
  })
}

/** Whether a shelf is the one that we made for a record, by the notes. */
const noted = (notes: readonly SideRecord[]) => (raw: RawRecord, key: string) =>
  notes.some(
    ({ mark, destinationId, version }) =>
      mark === externalOf(key) &&
      (destinationId === null ? placeOf(raw.name, raw.parent) === version : destinationId === String(raw.id)),
  )

/** Its words are those of a translation; an empty change would be refused. */
async function changeShelf({ api }: WriteContext, id: string, locale: string, words: object, place: object) {
  const path = pathOf(id)
  const said = await api.http.send('PUT', `${path}/translations/${locale}.json`, { json: { translation: words } })
  if (said.result === 'refused' || Object.keys(place).length === 0) return said
  const one = id.startsWith('c') ? 'category' : 'section'
  return api.http.send('PUT', `${path}.json`, { json: { [one]: place } })
}

export async function foundArticle(context: GuideContext, raw: RawRecord, places: ReadonlyMap<string, string | null>) {
  const section = String(raw.section_id)
  const placed = places.has(section) ? { ...raw, section_id: places.get(section) ?? null } : raw
  const content = toStored(label, context.articles, { ...placed, files: [] })
  return { ...content, version: versionOf(content.fields), url: typeof raw.html_url === 'string' ? raw.html_url : null }
}

export async function writeArticles(
  context: GuideContext,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const { api, guide, articles } = context
  const writeArticle = async (record: OutgoingRecord): Promise<WriteOutcome> => {
    const { key, destinationId } = record
    const {
      title,
      body,
      draft,
      visibility,
      section_id: place,
      locale,
      label_names,
      ...rest
    } = writeRecord(articles, record, { isWhole: true })
    const shelf = place === undefined || place === null ? null : String(place)
    let section: string
    const wordsOf = (line: string) => ({ title, body: `${line}${body}`, ...(draft !== undefined && { draft }) })
    const readers = {
      user_segment_id: visibility === 'public' ? null : guide.staff,
      permission_group_id: guide.permission,
    }
    const labels = [...(Array.isArray(label_names) ? label_names : []), externalOf(key)]
    const settings = { ...rest, ...readers, label_names: labels }
    const spoken = typeof locale === 'string' ? locale : guide.locale
    const create = async (more: object, line: string) =>
      api.http.send('POST', `/help_center/${spoken}/sections/${section}/articles.json`, {
        json: { article: { ...wordsOf(line), ...settings, ...more }, notify_subscribers: false },
      })
    const change = async (id: string, more: object, line: string) => {
      const path = `/help_center/articles/${id}`
      const article = { ...settings, ...more, section_id: Number(section) }
      const sent = await api.http.send('PUT', `${path}.json`, { json: { article } })
      if (sent.result === 'refused') return sent
      const { source_locale: own } = api.one(sent.json, 'article')
      const said = await api.http.send('PUT', `${path}/translations/${own ?? spoken}.json`, {
        json: { translation: wordsOf(line) },
      })
      return said.result === 'refused' ? said : { ...sent, json: (await api.http.ask(`${path}.json`)).json }
    }
    const send = (more: object = {}, line = '') =>
      destinationId === null ? create(more, line) : change(destinationId, more, line)
    const origin = originOf(record)
    const sendInto = async () => {
      section = await sectionFor(context, shelf)
      const sent = await send()
      // Only agents write articles.
      const isAuthorless = sent.result === 'refused' && isAbout(sent, /author/i)
      return { isAuthorless, sent: isAuthorless ? await send({ author_id: undefined }, origin) : sent }
    }
    let { sent, isAuthorless } = await sendInto()
    const isShelfless = sent.result === 'refused' && sent.status === 404 && destinationId === null
    if (isShelfless && (await forgetSection(context, shelf))) ({ sent, isAuthorless } = await sendInto())
    if (sent.result === 'refused') return refusalOf(key, sent)
    const raw = api.one(sent.json, 'article')
    const { url, version } = await foundArticle(context, raw, await placesOf(context))
    const losses = isAuthorless
      ? { losses: [origin === '' ? ('author_replaced' as const) : ('author_not_kept' as const)] }
      : {}
    return { key, result: 'written', destinationId: String(raw.id), url, version, ...losses }
  }
  return writeEach(records, async (record) => {
    try {
      return await writeArticle(record)
    } catch (error) {
      if (error instanceof ShelfRefusedError) return refusalOf(record.key, error.sent)
      throw error
    }
  })
}

const articlesByIds =
  ({ api }: WriteContext) =>
  async (ids: readonly string[]): Promise<RawRecord[]> => {
    const found: RawRecord[] = []
    for (const id of ids) {
      const { status, json } = await api.http.look(`/help_center/articles/${id}.json`, [404])
      if (status === 200) found.push(api.one(json, 'article'))
    }
    return found
  }

const shelvesByIds = (context: WriteContext) => async (ids: readonly string[]) =>
  (await shelvesNow(context)).filter(({ id }) => ids.includes(String(id)))

export async function findInGuide(
  context: GuideContext,
  entity: 'categories' | 'articles',
  records: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  if (entity === 'categories') {
    const isNoted = noted((await context.sides?.list(noteKind)) ?? [])
    const key = { atOnce: largestPage, seek: () => shelvesNow(context), isOn: isNoted }
    return findRecords({ byIds: shelvesByIds(context), key, toFound: foundShelf }, records)
  }
  const seek = ([sought]: readonly SoughtRecord[]) =>
    readAll(
      context.api.list('/help_center/articles.json', 'articles', { label_names: externalOf(sought?.key ?? '') }),
      largestPage,
    )
  const places = await placesOf(context)
  const toFound = (raw: RawRecord) => foundArticle(context, raw, places)
  return findRecords(
    { byIds: articlesByIds(context), key: labelKey('label_names', seek, 1, externalOf), toFound },
    records,
  )
}

/** With a shelf goes everything in it: one that is not empty stays. */
export async function removeFromGuide(
  context: GuideContext,
  entity: 'categories' | 'articles',
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  const { api } = context
  const sendEach = (pathOfOne: (id: string) => string) => async (some: readonly RemovableRecord[]) => {
    const answers = []
    for (const { destinationId } of some)
      answers.push(await api.http.send('DELETE', `${pathOfOne(destinationId)}.json`))
    return answers
  }
  if (entity === 'articles') {
    const places = await placesOf(context)
    const version = async (raw: RawRecord) => (await foundArticle(context, raw, places)).version
    const send = sendEach((id) => `/help_center/articles/${id}`)
    return removeRecords({ label, byIds: articlesByIds(context), versionOf: version, send }, records)
  }
  const findNeed = async ({ id }: RawRecord) => ((await isEmptyShelf(context, String(id))) ? null : 'It is not empty.')
  const version = async (raw: RawRecord) => (await foundShelf(raw)).version
  const rules = { label, byIds: shelvesByIds(context), versionOf: version, findNeed, send: sendEach(pathOf) }
  return removeNested(rules, await shelvesNow(context), records)
}
