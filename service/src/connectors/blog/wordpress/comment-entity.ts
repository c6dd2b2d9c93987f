import Type from 'typebox'
import { escapeText, plainWords } from '../../../text/plain-words.ts'
import type { OutgoingContent } from '../../contract/contract.ts'
import { asciiAddress } from '../../kit/ascii-address.ts'
import { defineEntity } from '../../kit/entity.ts'
import { clean, isLeftOut, textOf } from '../../kit/left-out.ts'
import { lens, omit } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import { hideSmileys } from './hide-signs.ts'
import * as its from './lenses.ts'
import { type Field, plainLine, reference, type Surroundings, text, toRef } from './lenses.ts'
import { normalizeHtml } from './read-html.ts'
import { writeCommentHtml } from './write-comment-html.ts'

const commentedOn: Record<string, string> = { post: 'posts', page: 'pages' }
const placeOf = ({ _links }: Readonly<Record<string, unknown>>): string | undefined =>
  commentedOn[(_links as { up: { post_type: string }[] } | undefined)?.up[0]?.post_type ?? '']

const plainEmail =
  /^[a-z0-9!#$%*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
const plainUrl = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#][a-z0-9\-._~:/?#@!$()*+,;=%]*)?$/i

/** Leaves out an e-mail address that WordPress would refuse together with the comment. */
export function writeEmail(given: unknown): string {
  const email = asciiAddress(clean(given).trim())
  return plainEmail.test(email) && email.length <= 100 ? email : ''
}
function writeUrl(given: unknown): string {
  const url = clean(given).trim()
  return plainUrl.test(url) && url.length <= 200 ? url : ''
}

/**
 * Name and address of an author without an account. If the author has an account, its own values apply and nothing is
 * compared.
 */
const guest = (field: Field, write: (value: unknown) => string): Field => ({
  ...field,
  write,
  writesEmpty: true,
  wanted: (value, { content }) => (textOf(content.fields, 'author') === '' ? write(value) : null),
  stored: (sent, raw) => (raw && raw.author !== 0 ? null : field.stored(sent, raw)),
})
const writeName = (name: unknown): string => escapeText(plainLine(clean(name)))
/** Whether the comment has no author. Then it names the person who made the record in the source. */
export const isNameless = ({ fields }: OutgoingContent): boolean =>
  textOf(fields, 'author') === '' && writeName(fields.author_name) === ''

export const commentStatus = (status: unknown): string =>
  ['approved', 'spam', 'trash'].includes(clean(status)) ? clean(status) : 'hold'

export const comments = defineEntity<Surroundings>('blog', 'comments', {
  createdAt: its.stamp('date_gmt', (date) => its.toSeconds(date) ?? omit),
  createdBy: its.author,
  sourceUrl: 'link',
  also: {
    author_ip: text,
    author_user_agent: text,
    _links: Type.Object({ up: Type.Array(Type.Object({ post_type: text })) }),
  },
  warns: (raw, around) =>
    noticesIf(
      [!placeOf(raw), 'parent_not_moved', 'It belongs to a record that is not copied.'],
      [
        raw.parent && !around.comments.has(raw.parent as number),
        'parent_not_moved',
        'It answers a comment that was deleted or is spam.',
      ],
    ),
  fields: {
    post: {
      ...reference('post', 'posts'),
      read(id, raw) {
        const entity = placeOf(raw)
        return entity && id ? toRef(entity, id as number) : undefined
      },
    },
    author_name: {
      ...guest(
        lens('text', {
          from: 'author_name',
          check: text,
          max: 200,
          read: plainWords,
          stored: (name, raw) => (isLeftOut(raw, 'byline') ? null : plainLine(plainWords(String(name)))),
        }),
        writeName,
      ),
      write: (name, { content }) => writeName(isNameless(content) ? content.createdBy?.name : name),
    },
    author_email: guest(
      lens('email', {
        from: 'author_email',
        check: text,
        read: (address) => (address === '' ? undefined : { address }),
      }),
      writeEmail,
    ),
    author_url: guest(lens('url', { from: 'author_url', check: text, read: (url) => url || undefined }), writeUrl),
    // When an account is deleted, its comments stay with the author's name only.
    author: {
      ...its.author,
      empty: omit,
      write: Number,
      stored: (id) => (id === omit || id === 0 ? null : String(id)),
    },
    // A space replaces an empty comment, which WordPress refuses.
    body: its.html({ write: (body) => hideSmileys(writeCommentHtml(clean(body))) || '&nbsp;' }, normalizeHtml),
    status: {
      ...is.option('status', { approved: 'approved', hold: 'pending', spam: 'spam', trash: 'trash' }),
      check: text,
      writesEmpty: true,
      write: commentStatus,
    },
    parent_comment: {
      ...reference('parent', 'comments'),
      read: (id, _raw, around) =>
        around.comments.has(id as number) && id !== 0 ? toRef('comments', id as number) : undefined,
    },
  },
})
