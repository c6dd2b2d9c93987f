import type { Twin } from '../../connectors/twin-contract.ts'
import { callAs, seedWordpress } from '../../live/wordpress-seed.ts'
import { type Clock, createClock } from '../clock.ts'
import { startToolTwin } from '../tool-twin.ts'
import { wordpressRules } from './rules.ts'
import { secondOf } from './site.ts'
import { blankWriting } from './writings.ts'

const password = 'abcd efgh ijkl mnop qrst uvwx'

/** A WordPress right after its installation: one post, two pages, one comment, one category. */
export async function startWordpressTwin(clock: Clock = createClock()) {
  const { rules, site } = wordpressRules(clock, password)
  const twin = await startToolTwin(() => rules, clock)
  site.origin = twin.url
  site.users.put({
    id: site.users.nextId(),
    username: 'admin',
    name: 'admin',
    email: 'admin@example.test',
    roles: ['administrator'],
  })
  const slug = 'uncategorized'
  site.terms.put({
    id: site.terms.nextId(),
    taxonomy: 'category',
    name: 'Uncategorized',
    slug,
    description: '',
    parent: 0,
  })
  const now = secondOf(clock.now())
  const write = (type: 'post' | 'page', title: string, words: { slug: string; status: string; content: string }) =>
    site.writings.put({ ...blankWriting(site, type), id: site.writings.nextId(), title, modified: now, ...words })
  const welcome = '<!-- wp:paragraph -->\n<p>Welcome to WordPress. This is your first post.</p>\n<!-- /wp:paragraph -->'
  write('post', 'Hello world!', { slug: 'hello-world', status: 'publish', content: welcome })
  write('page', 'Sample Page', { slug: 'sample-page', status: 'publish', content: welcome })
  write('page', 'Privacy Policy', { slug: 'privacy-policy', status: 'draft', content: welcome })
  site.comments.put({
    id: site.comments.nextId(),
    post: 1,
    parent: 0,
    author: 0,
    author_name: 'A WordPress Commenter',
    author_email: 'wapuu@wordpress.example',
    author_url: 'https://wordpress.org/',
    author_ip: '',
    author_user_agent: '',
    date: now,
    content: 'Hi, this is a comment.',
    status: 'approved',
    type: 'comment',
  })
  return { ...twin, site, access: { instanceUrl: twin.url, username: 'admin', token: password } }
}

export type WordpressTwin = Awaited<ReturnType<typeof startWordpressTwin>>

/** The API's fields of each kind of record, by the names of the family. */
const ofWriting = [
  'title',
  'slug',
  'body',
  'excerpt',
  'status',
  'published_at',
  'authors',
  'feature_image',
  'comments_enabled',
  'password',
]
const fieldsOf: Record<string, readonly string[]> = {
  media: ['file_name', 'content_type', 'size', 'title', 'alt', 'caption', 'description'],
  tags: ['name', 'slug', 'description'],
  categories: ['name', 'slug', 'description', 'parent_category'],
  posts: [...ofWriting, 'tags', 'categories', 'is_featured', 'format'],
  pages: [...ofWriting, 'parent_page', 'position'],
  comments: ['post', 'parent_comment', 'author', 'author_name', 'author_email', 'author_url', 'body', 'status'],
}

/** A twin with every peculiarity of real sites, and more comments than a page holds. */
export async function startTwin(): Promise<Twin> {
  const { site, access, ...twin } = await startWordpressTwin()
  const call = callAs(access)
  const { post } = await seedWordpress(call, 'twin')
  for (let index = 0; index < 120; index += 1) {
    const guest = { author_name: `Guest ${index}`, author_email: `g${index}@guest.example` }
    await call('POST', '/comments', { post, content: `Many ${index}`, ...guest })
  }
  const missing = '99999999'
  return {
    access,
    source: {
      family: 'blog',
      entities: ['media', 'tags', 'categories', 'posts', 'pages', 'comments'],
      fields: {
        ...fieldsOf,
        media: [...(fieldsOf.media ?? []), 'original_url'],
        tags: ['name', 'slug'],
        posts: [...(fieldsOf.posts ?? []), 'feature_image_alt', 'feature_image_caption'],
        // In the seed, only posts have the other fields.
        pages: [
          'title',
          'slug',
          'body',
          'status',
          'published_at',
          'authors',
          'parent_page',
          'position',
          'comments_enabled',
        ],
      },
      missing: Object.fromEntries(
        ['media', 'tags', 'categories', 'posts', 'pages', 'comments'].map((name) => [name, missing]),
      ),
    },
    destination: {
      family: 'blog',
      fields: fieldsOf,
      users: ['1', '2'],
      async editByHand(entity, destinationId) {
        const words = {
          tags: { description: 'Mine now' },
          categories: { description: 'Mine now' },
          media: { title: 'Mine now' },
        }
        await call(
          'POST',
          `/${entity}/${destinationId}`,
          words[entity as keyof typeof words] ?? { content: 'Mine now' },
        )
      },
      countAll: async () => site.writings.size() + site.terms.size() + site.comments.size(),
      readFile: async (_entity, destinationId) => site.writings.get(destinationId)?.file?.bytes ?? Buffer.from('none'),
      chooseValue,
      spoil: (_entity, record) => ({ ...record, fields: { ...record.fields, authors: '99999999' } }),
      // WordPress checks the extension and the content of files.
      refusesFile: (fileName, bytes) => bytes.length === 0 || /\.(bin|ini|png|pdf)$|passwd$/.test(fileName),
      indifferent: {
        'media.file_name': 'WordPress changes names as it likes',
        'media.content_type': 'it follows from the name',
        'media.size': 'it is a fact of the bytes',
      },
    },
    expectNoViolations: () => twin.expectNoViolations(),
    close: () => twin.close(),
  }
}

/**
 * Values that keep other fields effective: drafts have no date, posts with a password cannot be sticky, and a comment
 * of an account uses the name of the account.
 */
function chooseValue(entity: string, field: string, seed: number): unknown {
  if (entity === 'media') return field === 'file_name' ? `words ${seed}.txt` : undefined
  if (entity === 'comments') return chooseForComment(field, seed)
  if (entity !== 'posts' && entity !== 'pages') return undefined
  const status = ['published', 'private', 'scheduled'][seed % 3]
  const isProtected = seed % 2 === 0
  if (field === 'status') return isProtected ? 'private' : status
  if (field === 'published_at')
    return status === 'scheduled' && !isProtected ? '2036-06-06T06:06:06.000Z' : '2018-08-08T08:08:08.000Z'
  if (field === 'password') return isProtected ? `pass ${seed}` : ''
  if (field === 'is_featured') return !isProtected
  return field === 'format' ? ['photo', 'quote', 'aside'][seed % 3] : undefined
}

/** A comment without a status waits for approval. Addresses with unusual characters are refused. */
function chooseForComment(field: string, seed: number): unknown {
  const isOfAccount = seed % 2 === 0
  if (field === 'status') return ['approved', 'spam', 'trash'][seed % 3]
  if (field === 'author') return isOfAccount ? undefined : null
  if (isOfAccount && field.startsWith('author_')) return null
  if (field === 'author_email') return `guest${seed}@mail.example`
  return field === 'author_url' ? `https://guest.example/?a=${seed}` : undefined
}
