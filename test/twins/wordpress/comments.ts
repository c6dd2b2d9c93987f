import { isIP } from 'node:net'
import type { TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { shapes } from './operations.ts'
import {
  adminId,
  type Comment,
  gone,
  isForced,
  localOf,
  type Site,
  secondOf,
  sendList,
  sendOne,
  wpError,
} from './site.ts'
import { isFoundBy, kses, relUgc, rendered, specialChars, textField } from './texts.ts'
import { linkOf } from './writings.ts'

const statuses: Record<string, string> = { approve: 'approved', approved: 'approved', '1': 'approved', '0': 'hold' }
const shownAs = (status: string) => statuses[status] ?? status

export function commentOperations(site: Site): Operation[] {
  const present = (one: Comment) => {
    const post = site.writings.get(String(one.post))
    const up = {
      embeddable: true,
      post_type: post?.type ?? 'post',
      href: `${site.origin}/wp-json/wp/v2/posts/${one.post}`,
    }
    return {
      ...one,
      id: Number(one.id),
      date: localOf(one.date),
      date_gmt: one.date,
      content: { rendered: rendered(one.content), raw: one.content },
      link: `${post ? linkOf(site, post) : `${site.origin}/`}#comment-${one.id}`,
      ...(one.post !== 0 && { _links: { up: [up] } }),
    }
  }
  const find = (id: string | undefined): Comment =>
    site.comments.get(String(Number(id))) ?? wpError(404, 'rest_comment_invalid_id', 'Invalid comment ID.')

  /** Mails the post's author about a comment below it, except for comments that the author approved. */
  const tell = (before: Comment | null, after: Comment) => {
    const post = site.writings.get(String(after.post))
    if (before?.status === 'approved' || after.status !== 'approved' || !post || post.author === adminId) return
    if (post.author !== after.author) site.mails.push(`comment ${after.id} on ${post.id}`)
  }
  const merge = (known: Comment, { json }: TwinRequest): Comment => {
    if (json.author_email && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(json.author_email))
      wpError(400, 'rest_invalid_param', 'Invalid parameter(s): author_email')
    if (json.author_ip && isIP(json.author_ip) === 0)
      wpError(400, 'rest_invalid_param', 'Invalid parameter(s): author_ip')
    const author = Number(json.author ?? known.author)
    const user = author === 0 ? undefined : site.users.get(String(author))
    if (json.author && !user) wpError(400, 'rest_comment_author_invalid', 'Invalid comment author ID.')
    if (json.post !== undefined && !site.writings.get(String(json.post)))
      wpError(403, 'rest_comment_invalid_post_id', 'Sorry, you are not allowed to create this comment without a post.')
    const name = (given: string) => specialChars(textField(given))
    const isAuthorGiven = json.author !== undefined && user !== undefined
    const words = (given: string) => (author === adminId ? given : relUgc(kses(given)))
    return {
      ...known,
      post: Number(json.post ?? known.post),
      parent: Number(json.parent ?? known.parent),
      author,
      author_name:
        json.author_name !== undefined ? name(json.author_name) : isAuthorGiven ? user.name : known.author_name,
      author_email: json.author_email ?? (isAuthorGiven ? user.email : known.author_email),
      author_url: json.author_url ?? known.author_url,
      author_ip: json.author_ip ?? known.author_ip,
      author_user_agent: json.author_user_agent ?? known.author_user_agent,
      date: json.date_gmt === undefined ? known.date : String(json.date_gmt).replace(/Z$/, ''),
      content: json.content === undefined ? known.content : words(json.content),
      status: json.status === undefined ? known.status : shownAs(json.status),
    }
  }
  const make = (request: TwinRequest): Comment => {
    const { json } = request
    const post = site.writings.get(String(json.post ?? 0))
    if (!post)
      return wpError(
        403,
        'rest_comment_invalid_post_id',
        'Sorry, you are not allowed to create this comment without a post.',
      )
    if (['draft', 'pending', 'future'].includes(post.status))
      wpError(403, 'rest_comment_draft_post', 'Sorry, you are not allowed to create a comment on this post.')
    if (post.status === 'trash')
      wpError(403, 'rest_comment_trash_post', 'Sorry, you are not allowed to create a comment on this post.')
    if (post.comment_status !== 'open') wpError(403, 'rest_comment_closed', 'Sorry, comments are closed for this item.')
    if ((json.content ?? '') === '') wpError(400, 'rest_comment_content_invalid', 'Invalid comment content.')
    const isNobody = !json.author && !json.author_name && !json.author_email && !json.author_url
    const admin = site.users.get(String(adminId))
    const blank: Comment = {
      id: '',
      post: 0,
      parent: 0,
      author: isNobody ? adminId : 0,
      author_name: isNobody ? String(admin?.name) : '',
      author_email: isNobody ? String(admin?.email) : '',
      author_url: '',
      author_ip: '127.0.0.1',
      author_user_agent: request.headers['user-agent'] ?? '',
      date: secondOf(site.clock.now()),
      content: '',
      status: 'approved',
      type: 'comment',
    }
    const made = merge(blank, request)
    if (made.author === 0 && (made.author_name === '' || made.author_email === ''))
      wpError(
        400,
        'rest_comment_author_data_required',
        'Creating a comment requires valid author name and email values.',
      )
    const isSame = (one: Comment) =>
      one.post === made.post &&
      one.parent === made.parent &&
      one.content === made.content &&
      one.status !== 'trash' &&
      (one.author_email === made.author_email || one.author_name === made.author_name)
    if (site.comments.list(isSame).length > 0)
      wpError(409, 'comment_duplicate', 'Duplicate comment detected; it looks as though you’ve already said that!')
    return { ...made, id: site.comments.nextId() }
  }
  return [
    {
      ...shapes.comments.list,
      act: (request) => {
        const { query } = request
        const status = query.get('status') ?? 'approve'
        const isShown = (one: Comment) =>
          status === 'any' ||
          (status === 'all' ? ['approved', 'hold'].includes(one.status) : one.status === shownAs(status))
        const search = query.get('search')
        const among = (name: string, value: number) => query.get(name)?.split(',').map(Number).includes(value) ?? true
        const wanted = site.comments
          .list(isShown)
          .filter((one) => one.type === (query.get('type') ?? 'comment'))
          .filter((one) => among('post', one.post) && among('parent', one.parent) && among('author', one.author))
          .filter(
            (one) =>
              search === null ||
              isFoundBy(search, [one.content, one.author_name, one.author_email, one.author_url, one.author_ip]),
          )
        const compare = (a: Comment, b: Comment) =>
          a.date < b.date ? -1 : a.date > b.date ? 1 : Number(a.id) - Number(b.id)
        return sendList(request, wanted, { idOf: ({ id }) => Number(id), compare, present })
      },
    },
    { ...shapes.comments.get, act: (request) => sendOne(request, present(find(request.params.id))) },
    {
      ...shapes.comments.make,
      act: (request) => {
        const made = site.comments.put(make(request))
        if (request.json.status !== undefined) tell(null, made)
        return sendOne(request, present(made), 201)
      },
    },
    {
      ...shapes.comments.change,
      act: (request) => {
        const known = find(request.params.id)
        if (request.json.content === '') wpError(400, 'rest_comment_content_invalid', 'Invalid comment content.')
        const changed = site.comments.put(merge(known, request))
        tell(known, changed)
        return sendOne(request, present(changed))
      },
    },
    {
      ...shapes.comments.remove,
      act: (request) => {
        const known = find(request.params.id)
        if (!isForced(request)) return sendOne(request, present(site.comments.put({ ...known, status: 'trash' })))
        const below = site.comments.list(({ parent }) => String(parent) === known.id)
        for (const { id } of below) site.comments.change(id, { parent: known.parent })
        site.comments.remove(known.id)
        return sendOne(request, gone(present(known)))
      },
    },
  ]
}
