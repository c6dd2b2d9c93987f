import { answer, refuse, type TwinAnswer, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Attachment, found, idOf, type User } from './account.ts'
import type { Guide, Piece } from './guide.ts'
import { guideShapes } from './guide-shapes.ts'
import { sendList } from './lists.ts'

const permissionGroup = 360_100_000_001
/** User segments. An article without a segment is for everybody. */
const segments = [
  { id: 360_100_000_002, name: 'Signed-in users', user_type: 'signed_in_users', built_in: true },
  { id: 360_100_000_003, name: 'Agents and admins', user_type: 'staff', built_in: true },
]

/** The most bytes of a file. */
const mostBytes = 20 * 1024 * 1024
const invalidMedia = { errors: [{ code: 'BadRequest', meta: {}, status: '400', title: 'Invalid property' }] }

export function articleOperations(
  account: Account,
  guide: Guide,
  meOf: (headers: object) => User,
  listed: (request: TwinRequest, kind: Piece['kind'], parent?: number) => TwinAnswer,
): Operation[] {
  const { attachments, medias, nextId, now } = account
  const shown = (status: number, piece: Piece) => answer(status, { article: guide.present(piece) })
  const check = (more: Record<string, unknown>): Record<string, unknown> => {
    const { permission_group_id: group, user_segment_id: segment, author_id: author } = more
    if (group !== permissionGroup) guide.wrong('permission_group_id', 'is invalid')
    if (segment !== null && !segments.some(({ id }) => id === segment)) guide.wrong('user_segment_id', 'is invalid')
    const writer = account.users.get(String(author))
    if (!writer || writer.role === 'end-user') guide.wrong('author_id', 'must be an agent')
    return more
  }
  const make = ({ params, json, headers }: TwinRequest): TwinAnswer => {
    const { title, body, draft, locale, translations = [], position = 0, ...given } = json.article
    const parent = idOf(guide.find('sections', params.id))
    const [first] = translations
    const words = first ?? { title, body, draft, locale: locale ?? params.locale }
    const defaults = {
      author_id: idOf(meOf(headers)),
      comments_disabled: false,
      promoted: false,
      label_names: [],
      content_tag_ids: [],
      permission_group_id: permissionGroup,
      user_segment_id: null,
      user_segment_ids: [],
    }
    const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const more = check({ ...defaults, ...said })
    let piece = guide.make('articles', parent, words, { position: position ?? 0, more })
    for (const other of translations.slice(1)) piece = guide.translate(piece, other.locale, other)
    if (json.notify_subscribers !== false && !words.draft) account.mails.push(`subscribers: article ${piece.id}`)
    return shown(201, piece)
  }
  const presentFile = (file: Attachment) => ({
    id: idOf(file),
    url: account.address(`help_center/articles/attachments/${file.id}.json`),
    article_id: file.article_id ?? null,
    display_file_name: file.file_name,
    file_name: file.file_name,
    locale: guide.locales[0],
    content_url: `${account.origin}/hc/article_attachments/${file.id}/${encodeURIComponent(file.file_name)}`,
    relative_path: `/hc/article_attachments/${file.id}/${encodeURIComponent(file.file_name)}`,
    content_type: file.content_type,
    size: file.bytes.length,
    inline: file.inline,
    created_at: file.created_at,
    updated_at: file.created_at,
  })
  const filesOf = (request: TwinRequest, isWanted: (file: Attachment) => boolean): TwinAnswer => {
    const article = idOf(guide.find('articles', request.params.id))
    const list = attachments.list((one) => one.article_id === article && isWanted(one))
    return sendList(request, list, { name: 'article_attachments', present: presentFile, otherwise: 30 })
  }
  const ofForm = ({ form, files }: TwinRequest) => {
    const part = form?.get('file')
    if (!part || typeof part === 'string' || account.asksForMedia) {
      const { name, content_type, bytes } = found(medias.get(String(form?.get('guide_media_id') ?? '')))
      return { file_name: String(name), content_type, bytes: found(bytes ?? undefined) }
    }
    return {
      file_name: part.name,
      content_type: part.type || 'application/octet-stream',
      bytes: found(files.get('file')),
    }
  }
  const keepFile = (request: TwinRequest, article?: number): TwinAnswer => {
    const { form } = request
    const isNeeded = account.asksForMedia || !form?.has('file')
    if (isNeeded && !form?.has('guide_media_id')) guide.wrong('guide_media_id', "can't be blank")
    const given = ofForm(request)
    if (given.bytes.length > mostBytes) guide.wrong('file', 'is too large')
    const file = attachments.put({
      id: nextId(),
      ...given,
      inline: form?.get('inline') === 'true',
      secret: '',
      created_at: now(),
      ...(article !== undefined && { article_id: article }),
    })
    return answer(201, { article_attachment: presentFile(file) })
  }
  const findFile = ({ params }: TwinRequest) =>
    found(attachments.list(({ id, secret }) => id === params.id && secret === '')[0])
  return [
    { ...guideShapes.segments, act: () => answer(200, { user_segments: segments, count: 2, next_page: null }) },
    {
      ...guideShapes.permissionGroups,
      act: () =>
        answer(200, {
          permission_groups: [{ id: permissionGroup, name: 'Admins', built_in: true, edit: [], publish: [] }],
          count: 1,
          next_page: null,
        }),
    },
    { ...guideShapes.articles, act: (request) => listed(request, 'articles') },
    { ...guideShapes.articlesIn, act: (request) => listed(request, 'articles') },
    {
      ...guideShapes.articlesOf,
      act: (request) => listed(request, 'articles', idOf(guide.find('sections', request.params.id))),
    },
    {
      ...guideShapes.changedArticles,
      act(request) {
        const start = Number(request.query.get('start_time') ?? 0) * 1000
        const changed = guide.list('articles').filter(({ updated_at }) => Date.parse(updated_at) >= start)
        const list = changed.toSorted((a, b) => a.updated_at.localeCompare(b.updated_at))
        return answer(200, {
          articles: list.map((one) => guide.present(one)),
          count: list.length,
          next_page: null,
          end_time: Math.floor(Date.parse(list.at(-1)?.updated_at ?? now()) / 1000),
        })
      },
    },
    { ...guideShapes.article, act: ({ params }) => shown(200, guide.find('articles', params.id)) },
    { ...guideShapes.makeArticle, act: make },
    { ...guideShapes.makeArticleIn, act: make },
    {
      ...guideShapes.changeArticle,
      act({ params, json }) {
        const piece = guide.find('articles', params.id)
        const { position, section_id, ...given } = json.article
        const more = check({ ...piece.more, ...given })
        const parent = section_id ? idOf(guide.find('sections', String(section_id))) : piece.parent
        const place = { parent, position: position ?? piece.position }
        return shown(200, guide.pieces.put({ ...piece, ...place, more, updated_at: now() }))
      },
    },
    {
      // The article goes to the archive, from which only people can restore it.
      ...guideShapes.removeArticle,
      act({ params }) {
        guide.remove(guide.find('articles', params.id))
        return answer(204)
      },
    },
    {
      // Readers have commented on no article here.
      ...guideShapes.comments,
      act: (request) => sendList(request, [], { name: 'comments', present: () => null }),
    },
    { ...guideShapes.attachments, act: (request) => filesOf(request, () => true) },
    { ...guideShapes.inline, act: (request) => filesOf(request, ({ inline }) => inline) },
    { ...guideShapes.block, act: (request) => filesOf(request, ({ inline }) => !inline) },
    {
      ...guideShapes.makeAttachment,
      act: (request) => keepFile(request, idOf(guide.find('articles', request.params.id))),
    },
    { ...guideShapes.makeLoose, act: (request) => keepFile(request) },
    {
      ...guideShapes.mediaAddress,
      act({ json: { content_type, file_size } }, { files }) {
        if (file_size > mostBytes) refuse(400, invalidMedia)
        const one = medias.put({ id: nextId(), name: null, content_type, bytes: null })
        const url = files.receive((bytes) => void medias.change(one.id, { bytes }))
        const headers = JSON.stringify({ 'Content-Type': content_type, 'X-Amz-Server-Side-Encryption': 'AES256' })
        return answer(200, { upload_url: { asset_upload_id: one.id, headers, url } })
      },
    },
    {
      ...guideShapes.makeMedia,
      act({ json: { asset_upload_id, filename } }) {
        const { id, bytes, content_type } = found(medias.get(asset_upload_id))
        if (!bytes) refuse(400, invalidMedia)
        medias.change(id, { name: filename })
        const named = { id, name: filename, content_type, size: bytes?.length }
        return answer(200, { media: { ...named, url: `/guide-media/${id}` } })
      },
    },
    {
      ...guideShapes.removeMedia,
      act({ params }) {
        medias.remove(found(medias.get(`${params.id}`)).id)
        return answer(204)
      },
    },
    {
      ...guideShapes.associate,
      act({ params, json }) {
        const article_id = idOf(guide.find('articles', params.id))
        for (const id of json.attachment_ids ?? []) found(attachments.change(String(id), { article_id }))
        return answer(200, {})
      },
    },
    {
      ...guideShapes.attachment,
      act: (request) => answer(200, { article_attachment: presentFile(findFile(request)) }),
    },
    {
      ...guideShapes.removeAttachment,
      act(request) {
        attachments.remove(findFile(request).id)
        return answer(204)
      },
    },
    {
      ...guideShapes.content,
      act(request, { files }) {
        const file = findFile(request)
        return answer(302, undefined, { location: files.sign(file.bytes, file.content_type) })
      },
    },
  ]
}
