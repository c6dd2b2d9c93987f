import { readHtml } from '../../../text/plain-words.ts'
import type { OutgoingRecord, SoughtRecord, StoredContent, WriteOutcome } from '../../contract/contract.ts'
import { originOf } from '../../kit/compared-texts.ts'
import type { Entity } from '../../kit/entity.ts'
import { eachById } from '../../kit/find.ts'
import { digestOf, labelKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { RefusedError, written } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { shelfEntity } from '../../kit/shelf-entity.ts'
import { placesOf } from '../../kit/side-shelves.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { accepted, label, largestPage, present, type ZendeskApi } from './api.ts'
import * as desk from './entities.ts'
import { forgetSection, makeShelf, pathOf, sectionFor, sectionKind, shelfRules, shelvesNow } from './shelves.ts'
import { externalOf, isAbout, type WriteContext } from './write-people.ts'

// The knowledge base. Categories contain sections, and only sections contain articles.

/** Settings of an account's Help Center. */
export interface Guide {
  locale: string
  locales: readonly string[]
  /** The user segment that may read internal articles; null if Zendesk does not list it. */
  staff: unknown
  /** The permission group that may change articles. */
  permission: unknown
}
type GuideContext = WriteContext & { guide: Guide; articles: Entity }

/** Statuses of accounts without a Help Center, or without a part of it. */
const none = [403, 404]

/** Null for an account without a Help Center. */
export async function readGuide(api: ZendeskApi): Promise<Guide | null> {
  const { status, json } = await api.http.look('/help_center/locales.json', none)
  if (status !== 200) return null
  const { locales, default_locale: locale } = json as { locales?: unknown; default_locale?: unknown }
  const segments = await api.page('/help_center/user_segments.json', 'user_segments', { built_in: true }, none)
  const permissions = await api.page('/guide/permission_groups.json', 'permission_groups', {}, none)
  const staff = segments.items.find(({ user_type }) => user_type === 'staff')?.id ?? null
  if (typeof locale !== 'string') return null
  return { locale, locales: [locales].flat().map(String), staff, permission: permissions.items[0]?.id ?? null }
}

const withoutSegment = 'Zendesk does not list its user segments to us. Without one, everybody could read this article.'
const quiet = { backdate: false, silentCreate: true, concurrency: 1 }

export const guideEntities = (context: GuideContext): Record<string, WrittenEntity> => ({
  categories: shelfEntity(desk.categories, shelfRules(context), context.sides, quiet, {
    save: (id, body, shelves) => saveShelf(context, id, body, shelves),
  }),
  articles: {
    declared: context.articles,
    offer: {
      required: ['title'],
      hidesLinks: true,
      capabilities: quiet,
      fields: { locale: { type: 'option', options: [...context.guide.locales], isFixed: true } },
    },
    write: (records) => writeEach(records, (record) => writeArticle(context, record)),
    look: () => lookForArticles(context),
    asStored: (content) => withLinks(asStored(context.articles, content), linksOf(content.fields.body)),
  },
})

async function saveShelf(
  context: GuideContext,
  id: string | null,
  { parent, name, description, position }: Record<string, unknown>,
  shelves: readonly RawRecord[],
) {
  const place = position === undefined ? {} : { position }
  if (id === null) {
    const body = { name, description, ...place, locale: context.guide.locale }
    const raw = await makeShelf(context, shelves, parent as string | null, body)
    return { raw, losses: thatHold([String(raw.parent) !== String(parent), 'parent_refused']) }
  }
  const shelf = shelves.find((raw) => String(raw.id) === id)
  const locale = typeof shelf?.source_locale === 'string' ? shelf.source_locale : context.guide.locale
  await changeShelf(context, id, locale, { title: name, body: description }, place)
  return { raw: present((await shelvesNow(context)).find((raw) => String(raw.id) === id)) }
}

/**
 * Changes a category or section. Name and description belong to its translation. Zendesk refuses an empty change of
 * position.
 */
async function changeShelf({ api }: WriteContext, id: string, locale: string, words: object, place: object) {
  const path = pathOf(id)
  accepted(await api.http.send('PUT', `${path}/translations/${locale}.json`, { json: { translation: words } }))
  if (Object.keys(place).length === 0) return
  const one = id.startsWith('c') ? 'category' : 'section'
  accepted(await api.http.send('PUT', `${path}.json`, { json: { [one]: place } }))
}

interface Notes {
  /** The former places of articles. */
  places: ReadonlyMap<string, string | null>
  /** Articles in which Zendesk changed addresses: a digest of the sent and one of the stored addresses. */
  links: ReadonlyMap<string, string>
}
const linksKind = 'links_of_article'

async function readNotes({ sides }: WriteContext): Promise<Notes> {
  const links = (await sides.list(linksKind)).map(({ mark, version }): [string, string] => [mark, version ?? ''])
  return { places: await placesOf(sides, sectionKind), links: new Map(links) }
}

/** Notes the addresses of a text that we sent, if Zendesk stored others. */
async function noteLinks({ sides }: WriteContext, mark: string, sent: unknown, raw: RawRecord): Promise<Notes> {
  const [ours, theirs] = [linksOf(sent), linksOf(raw.body)]
  const note = { kind: linksKind, mark, destinationId: String(raw.id), version: `${ours} ${theirs}` }
  const isSame = ours === theirs
  await (isSame ? sides.forget(note) : sides.note(note))
  return {
    places: await placesOf(sides, sectionKind),
    links: new Map<string, string>(isSame ? [] : [[mark, note.version]]),
  }
}

/** A digest of the addresses of links and pictures in a text. Empty if it has none. */
function linksOf(html: unknown): string {
  const found: string[] = []
  readHtml(typeof html === 'string' ? html : '', {
    onopentag: (_name, { href, src }) => void found.push(...[href, src].filter((one) => one !== undefined)),
  })
  return found.length === 0 ? '' : digestOf(found.join('\n'), 16)
}

/** The content with the addresses of its text, so that a later change of links or pictures alone is noticed. */
function withLinks<C extends StoredContent>(content: C, links: string): C {
  const { body } = content.fields
  return links === '' ? content : { ...content, fields: { ...content.fields, body: `${body ?? ''} ${links}` } }
}

function foundArticle({ articles }: GuideContext, raw: RawRecord, { places, links }: Notes) {
  const section = String(raw.section_id)
  const placed = places.has(section) ? { ...raw, section_id: places.get(section) ?? null } : raw
  const now = linksOf(raw.body)
  const [sent, stored] = [raw.label_names].flat().flatMap((one) => links.get(String(one))?.split(' ') ?? [])
  const content = withLinks(toStored(label, articles, { ...placed, files: [] }), (stored === now ? sent : now) ?? now)
  return { ...content, version: versionOf(content.fields), url: typeof raw.html_url === 'string' ? raw.html_url : null }
}

async function writeArticle(context: GuideContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api, guide, articles } = context
  const { key, destinationId } = record
  const body = writeRecord(articles, record, { isWhole: true })
  const { title, body: text, draft, visibility, section_id: place, locale, label_names, ...rest } = body
  if (visibility !== 'public' && guide.staff === null) throw new RefusedError('no_user_segment', withoutSegment)
  const shelf = place === undefined || place === null ? null : String(place)
  const wordsOf = (line: string) => ({ title, body: `${line}${text}`, ...(draft !== undefined && { draft }) })
  const settings = {
    ...rest,
    user_segment_id: visibility === 'public' ? null : guide.staff,
    permission_group_id: guide.permission,
    label_names: [...(Array.isArray(label_names) ? label_names : []), externalOf(key)],
  }
  const spoken = typeof locale === 'string' ? locale : guide.locale
  const create = (section: string, more: object, line: string) =>
    api.http.send('POST', `/help_center/${spoken}/sections/${section}/articles.json`, {
      json: { article: { ...wordsOf(line), ...settings, ...more }, notify_subscribers: false },
    })
  const change = async (id: string, section: string, more: object, line: string) => {
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
  const origin = originOf(record)
  const sendInto = async () => {
    const section = await sectionFor(context, shelf)
    const send = (more: object, line: string) =>
      destinationId === null ? create(section, more, line) : change(destinationId, section, more, line)
    const sent = await send({}, '')
    // Zendesk refuses an author who is not an agent.
    const isAuthorless = sent.result === 'refused' && isAbout(sent, /author/i)
    return { isAuthorless, sent: isAuthorless ? await send({ author_id: undefined }, origin) : sent }
  }
  let { sent, isAuthorless } = await sendInto()
  const isShelfless = sent.result === 'refused' && sent.status === 404 && destinationId === null
  if (isShelfless && (await forgetSection(context, shelf))) ({ sent, isAuthorless } = await sendInto())
  const raw = api.one(accepted(sent), 'article')
  const found = foundArticle(context, raw, await noteLinks(context, externalOf(key), text, raw))
  const loss = origin === '' ? 'author_replaced' : 'author_not_kept'
  return written(key, raw.id, found, isAuthorless ? [loss] : [])
}

async function lookForArticles(context: GuideContext) {
  const { api } = context
  const pathOfOne = (id: string) => `/help_center/articles/${encodeURIComponent(id)}.json`
  const seek = ([sought]: readonly SoughtRecord[]) => {
    const query = { label_names: externalOf(sought?.key ?? '') }
    return readAll(api.list('/help_center/articles.json', 'articles', query), largestPage)
  }
  const notes = await readNotes(context)
  return {
    byIds: eachById(async (id) => {
      const { status, json } = await api.http.look(pathOfOne(id), [404])
      return status === 200 ? api.one(json, 'article') : null
    }),
    key: labelKey('label_names', seek, 1, externalOf),
    toFound: (raw: RawRecord) => foundArticle(context, raw, notes),
    remove: (id: string) => api.http.send('DELETE', pathOfOne(id)),
  }
}
