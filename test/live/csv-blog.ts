import { zipOf } from '../connectors/csv-upload.ts'
import { rows } from '../portal/csv-export.ts'
import { type CommentFact, emptyPost, type MemberFact, type PostFact, type TermFact } from './blog-facts.ts'
import { type Fact, type Facts, keyOf, words } from './facts.ts'

// A blog as a customer exports it, and the same blog in the form for comparisons.

const many = <Made>(count: number, make: (index: number) => Made): Made[] =>
  Array.from({ length: count }, (_, index) => make(index))
const two = (index: number) => String(index).padStart(2, '0')

const posts = many(40, (index) => ({
  id: `p${index}`,
  // Every third post has the same title.
  title: index % 3 === 0 ? 'Same title 🚀' : `Post ${index} "quoted" & more`,
  body: `<p>Text ${index} שלום</p><p>And <strong>more</strong> of it</p>`,
  excerpt: index % 2 === 0 ? `Short ${index}` : '',
  date: index === 7 ? '1969-07-20T20:17:40.000Z' : `2015-05-${two((index % 28) + 1)}T05:05:05.000Z`,
}))
/** Each comment answers the comment three before it, which makes threads. */
const comments = many(60, (index) => ({
  id: `k${index}`,
  post: `p${index % 3}`,
  parent: index < 3 ? null : `k${index - 3}`,
  name: `Guest ${index % 7}`,
  email: `g${index % 7}@export.example`,
  body: `<p>Comment ${index}</p>`,
  date: `2016-01-01T00:00:${two(index)}.000Z`,
}))
const members = many(10, (index) => ({ email: `s${index}@export.example`, name: `Reader ${index}` }))

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

export const csvBlogZip = (): Buffer =>
  zipOf([
    { name: 'tags.csv', content: rows('name,slug', 'News,news') },
    {
      name: 'posts.csv',
      content: rows(
        'id,title,body,excerpt,status,published_at,created_at,tags',
        ...posts.map(({ id, title, body, excerpt, date }) =>
          [id, quoted(title), quoted(body), excerpt, 'published', date, date, 'News'].join(),
        ),
      ),
    },
    {
      name: 'comments.csv',
      content: rows(
        'id,post_id,author_name,author_email,body,status,parent_comment_id,created_at',
        ...comments.map(({ id, post, name, email, body, parent, date }) =>
          [id, post, name, email, body, 'approved', parent ?? '', date].join(),
        ),
      ),
    },
    {
      name: 'subscribers.csv',
      content: rows('email,name,status', ...members.map(({ email, name }) => [email, name, 'subscribed'].join())),
    },
  ])

export function csvBlog(): Facts {
  const facts = new Map<string, Fact>()
  for (const { id, title, body, excerpt, date } of posts) {
    const post: PostFact = { ...emptyPost, title, words: words(body, 'html'), excerpt, date, terms: ['News'] }
    facts.set(keyOf('posts', id), { ...post, status: 'published' })
  }
  for (const { id, post, parent, name, email, body, date } of comments) {
    const comment: CommentFact = {
      post,
      parent,
      words: words(body, 'html'),
      email,
      name,
      site: '',
      date,
      isShown: true,
    }
    facts.set(keyOf('comments', id), comment)
  }
  for (const { email, name } of members) {
    const member: MemberFact = { email, name, note: '', labels: [], isSubscribed: true, since: null }
    facts.set(keyOf('members', email), member)
  }
  const tag: TermFact = { kind: 'tags', name: 'News', slug: 'news', description: '', parent: null }
  facts.set(keyOf('terms', 'News'), tag)
  return facts
}
