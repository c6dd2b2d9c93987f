import Type from 'typebox'
import { defineEntity } from '../../kit/entity.ts'
import { lens, made, takenElsewhere } from '../../kit/lens.ts'
import {
  type Field,
  id,
  moment,
  orNone,
  orNull,
  type RawFields,
  type Surroundings,
  stamps,
  text,
  textOrNone,
  toMoment,
  toRef,
  type Warnings,
  words,
} from './lenses.ts'
import { dropUnseen, markerOf, markNote, readNote } from './mark-record.ts'
import * as value from './values.ts'
import { comparableComment, writeComment } from './write-comment.ts'

interface Commenter {
  name: string | null
  email: string | null
}
const commenterOf = ({ member }: RawFields) => member as Commenter | null | undefined
const answeredIn = ({ in_reply_to_id, parent_id }: RawFields): string[] =>
  [in_reply_to_id, parent_id].filter((one) => typeof one === 'string')
/** Compares the sent value with the value that `read` finds in the whole record. */
const comparedBy = (field: Field, read: (raw: RawFields) => unknown): Field => ({
  ...field,
  stored: (sent, raw) => (raw ? read(raw) : sent) || null,
})

export const comments = defineEntity<Surroundings>('blog', 'comments', {
  createdAt: lens('datetime', {
    from: 'created_at',
    check: moment,
    read: toMoment,
    write: value.toSeconds,
    stored: value.toSeconds,
  }),
  also: {
    parent_id: orNone(id),
    in_reply_to_id: orNone(id),
    edited_at: orNone(moment),
    member: orNone(Type.Object({ id, name: textOrNone, email: textOrNone })),
  },
  warns: (raw, around) =>
    [
      ...(answeredIn(raw).length > 0 && !answeredIn(raw).some((one) => around.comments.has(one))
        ? [['parent_not_moved', 'It answers a comment that was deleted.']]
        : []),
      ...(raw.member === null ? [['author_missing', 'Its author is no longer a member.']] : []),
    ] as Warnings,
  fields: {
    post: {
      ...lens('relation', {
        from: 'post',
        check: Type.Object({ id, url: text }),
        read: (post, _raw, around: Surroundings) => toRef(around.pages.has(post.id) ? 'pages' : 'posts', post.id),
        write: (post) => orNull(value.relationId(post)),
        stored: (post) => (typeof post === 'string' ? post : (post as { id: string }).id),
      }),
    },
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
        write: value.toEmail,
      },
      (raw) => commenterOf(raw)?.email?.toLowerCase(),
    ),
    body: lens('rich_text', {
      from: 'html',
      check: textOrNone,
      writesEmpty: true,
      read: (html) => ({ format: 'html', body: dropUnseen(String(html)) }),
      write: (body) => writeComment(value.clean(body)),
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
      write: value.commentStatus,
    }),
    parent_comment: comparedBy(
      {
        ...made('relation', (raw, around: Surroundings) => {
          const parent = answeredIn(raw).find((one) => around.comments.has(one))
          return parent === undefined ? undefined : toRef('comments', parent)
        }),
        write: (parent) => value.relationId(parent),
      },
      (raw) => raw.in_reply_to_id ?? raw.parent_id,
    ),
  },
})

export const subscribers = defineEntity<Surroundings>('blog', 'subscribers', {
  ...stamps,
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
      write: value.toEmail,
      stored: (email) => String(email).toLowerCase(),
    }),
    name: words('text', 'name', 191, { write: value.toLine, empty: '' }),
    status: lens('text', {
      from: 'subscribed',
      check: Type.Boolean(),
      writesEmpty: true,
      read: (gets) => (gets ? 'subscribed' : 'unsubscribed'),
      write: value.isSubscribed,
    }),
    labels: lens('text', {
      from: 'labels',
      check: Type.Array(Type.Object({ name: text })),
      many: true,
      max: 150,
      writesEmpty: true,
      read: (labels) => labels.map(({ name }) => name),
      write: (labels) => value.labelsOf(labels).map((name) => ({ name })),
      stored: (labels) => (labels as { name: string }[]).map(({ name }) => name.toLowerCase()).sort(),
    }),
    note: lens('long_text', {
      from: 'note',
      check: textOrNone,
      max: 1_900,
      writesEmpty: true,
      read: (note) => (note ? readNote(note).note : undefined),
      write: (note, { content }) => markNote(value.toLines(note), markerOf(String(content.key))),
      wanted: value.toLines,
      stored: (note) => readNote(String(note)).note,
    }),
  },
})
