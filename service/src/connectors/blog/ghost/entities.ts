import Type from 'typebox'
import { plainWords } from '../../../text/plain-words.ts'
import { defineEntity, type Entity, type EntityRules } from '../../kit/entity.ts'
import { digestOf } from '../../kit/keys.ts'
import { clean } from '../../kit/left-out.ts'
import { lens, made, takenElsewhere } from '../../kit/lens.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import * as its from './lenses.ts'
import { id, moment, orNone, type RawFields, type Surroundings, text, textOrNone, toRef } from './lenses.ts'
import { fileName, typeOf } from './list-media.ts'
import { dropUnseen, markNote, readNote } from './mark-record.ts'
import { pages, posts } from './post-entities.ts'
import { comparableComment, writeComment } from './write-comment.ts'

// Fields that the Admin API sends and accepts. https://docs.ghost.org/admin-api/

interface Commenter {
  name: string | null
  email: string | null
}
const commenterOf = ({ member }: RawFields) => member as Commenter | null | undefined
const answeredIn = ({ in_reply_to_id, parent_id }: RawFields): string[] =>
  [in_reply_to_id, parent_id].filter((one) => typeof one === 'string')
/** Compares the sent value with the value that `read` finds in the whole record. */
const comparedBy = (field: its.Field, read: (raw: RawFields) => unknown): its.Field => ({
  ...field,
  stored: (sent, raw) => (raw ? read(raw) : sent) || null,
})

const comments = defineEntity<Surroundings>('blog', 'comments', {
  createdAt: lens('datetime', {
    from: 'created_at',
    check: moment,
    read: its.toMoment,
    write: its.toSeconds,
    stored: its.toSeconds,
  }),
  also: {
    parent_id: orNone(id),
    in_reply_to_id: orNone(id),
    edited_at: orNone(moment),
    member: orNone(Type.Object({ id, name: textOrNone, email: textOrNone })),
  },
  warns: (raw, around) =>
    noticesIf(
      [
        answeredIn(raw).length > 0 && !answeredIn(raw).some((one) => around.comments.has(one)),
        'parent_not_moved',
        'It answers a comment that was deleted.',
      ],
      [raw.member === null, 'author_missing', 'Its author is no longer a member.'],
    ),
  fields: {
    post: lens('relation', {
      from: 'post',
      check: Type.Object({ id, url: text }),
      read: (post, _raw, around: Surroundings) => toRef(around.pages.has(post.id) ? 'pages' : 'posts', post.id),
      write: (post) => its.orNull(its.relationId(post)),
      stored: (post) => (typeof post === 'string' ? post : (post as { id: string }).id),
    }),
    // The name belongs to the member, so it is not written with the comment.
    author_name: {
      ...takenElsewhere(made('text', (raw) => commenterOf(raw)?.name ?? undefined)),
      maxLength: 191,
    },
    author_email: comparedBy(
      {
        ...made('email', (raw) => {
          const address = commenterOf(raw)?.email
          return address ? { address } : undefined
        }),
        maxLength: 191,
        write: its.toEmail,
      },
      (raw) => commenterOf(raw)?.email?.toLowerCase(),
    ),
    body: lens('rich_text', {
      from: 'html',
      check: textOrNone,
      writesEmpty: true,
      read: (html) => ({ format: 'html', body: dropUnseen(String(html)) }),
      write: (body) => writeComment(clean(body)),
      stored: (html) => comparableComment(String(html)),
    }),
    status: lens('option', {
      from: 'status',
      check: text,
      options: ['approved', 'pending', 'spam', 'trash'],
      absent: 'pending',
      writesEmpty: true,
      // Any other status means that the staff hid the comment. `pending` is the closest status of the family.
      read: (status) => (status === 'published' ? 'approved' : 'pending'),
      write: its.commentStatus,
    }),
    parent_comment: comparedBy(
      {
        ...made('relation', (raw, around: Surroundings) => {
          const parent = answeredIn(raw).find((one) => around.comments.has(one))
          return parent === undefined ? undefined : toRef('comments', parent)
        }),
        write: (parent) => its.relationId(parent),
      },
      (raw) => raw.in_reply_to_id ?? raw.parent_id,
    ),
  },
})

const subscribers = defineEntity<Surroundings>('blog', 'subscribers', {
  ...its.stamps,
  also: { status: text },
  warns: ({ status }) =>
    typeof status === 'string' && status !== 'free'
      ? [['plan_not_moved', 'The paid plan of this member is not copied.']]
      : [],
  fields: {
    email: lens('email', {
      from: 'email',
      check: text,
      max: 191,
      empty: '',
      read: (address) => (address === '' ? undefined : { address }),
      write: its.toEmail,
      stored: (email) => String(email).toLowerCase(),
    }),
    name: its.words('text', 'name', 191, { write: its.toLine, empty: '' }),
    status: lens('text', {
      from: 'subscribed',
      check: Type.Boolean(),
      writesEmpty: true,
      read: (gets) => (gets ? 'subscribed' : 'unsubscribed'),
      write: its.isSubscribed,
    }),
    labels: lens('text', {
      from: 'labels',
      check: Type.Array(Type.Object({ name: text })),
      many: true,
      max: 150,
      writesEmpty: true,
      read: (labels) => labels.map(({ name }) => name),
      write: (labels) => its.labelsOf(labels).map((name) => ({ name })),
      stored: (labels) => (labels as { name: string }[]).map(({ name }) => name.toLowerCase()).sort(),
    }),
    note: lens('long_text', {
      from: 'note',
      check: textOrNone,
      max: 1_900,
      writesEmpty: true,
      read: (note) => (note ? readNote(note).note : undefined),
      write: (note, { content }) => markNote(its.toLines(note), digestOf(String(content.key))),
      wanted: its.toLines,
      stored: (note) => readNote(String(note)).note,
    }),
  },
})

const tag: EntityRules<Surroundings> = {
  ...its.stamps,
  sourceUrl: 'url',
  also: { codeinjection_head: textOrNone },
  fields: {
    name: lens('text', {
      from: 'name',
      check: text,
      max: 191,
      empty: '',
      write: its.toLine,
    }),
    slug: its.slug,
    description: its.words('long_text', 'description', 500),
  },
}
const tags = defineEntity('blog', 'tags', tag)
// A category becomes the first tag.
const categories = defineEntity('blog', 'categories', tag)

/** Files are found in the texts that use them, see read-media.ts. Ghost stores only the bytes of a file. */
const media = defineEntity<Surroundings>('blog', 'media', {
  fields: {
    file_name: takenElsewhere(made('text', ({ id }) => fileName(String(id)))),
    content_type: takenElsewhere(made('text', ({ id }) => typeOf(String(id)))),
    size: takenElsewhere(made('integer', () => undefined)),
    alt: lens('text', { from: 'alt', check: text, read: (alt) => alt.trim() }),
    caption: lens('long_text', { from: 'caption', check: text, read: plainWords }),
    original_url: made('url', ({ id }) => String(id)),
  },
})

export const entities = { media, tags, categories, posts, pages, comments, subscribers } satisfies Record<
  string,
  Entity<Surroundings>
>
export type EntityName = keyof typeof entities
