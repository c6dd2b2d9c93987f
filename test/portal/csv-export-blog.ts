import { type CsvExport, rows } from './csv-export.ts'

const writing = {
  head: 'title,slug,body,excerpt,status,visibility,published_at,authors,feature_image_alt,feature_image_caption,canonical_url,original_url,seo_title,seo_description',
  row: (title: string, slug: string) =>
    `${title},${slug},<p>Text</p>,Short,published,members,2024-02-03T04:05:06Z,maeve@fernhill.example,Alt,Caption,https://c.example/${slug},https://o.example/${slug},Seo,Described`,
  fields: (title: string, slug: string) => ({
    title,
    slug,
    body: '<p>Text</p>',
    excerpt: 'Short',
    status: 'published',
    visibility: 'members',
    published_at: '2024-02-03T04:05:06.000Z',
    authors: ['u1'],
    feature_image_alt: 'Alt',
    feature_image_caption: 'Caption',
    canonical_url: `https://c.example/${slug}`,
    original_url: `https://o.example/${slug}`,
    seo_title: 'Seo',
    seo_description: 'Described',
  }),
}

export const blogExport: CsvExport = {
  files: [
    { name: 'tags.csv', content: rows('name,slug,description', 'Garden,garden,Green', 'Pond,pond,Wet') },
    {
      name: 'categories.csv',
      content: rows('id,name,slug,description,parent_category_id', 'x1,News,news,All,', 'x2,Local,local,,x1'),
    },
    {
      name: 'posts.csv',
      content: rows(
        `id,${writing.head},tags,category_ids,is_featured,comments_enabled,format`,
        `q1,${writing.row('Hello', 'hello')},Garden;Pond,x1;x2,yes,no,photo`,
      ),
    },
    {
      name: 'pages.csv',
      content: rows(
        `id,${writing.head},tags,parent_page_id,position`,
        `g1,${writing.row('About', 'about')},Pond,,1`,
        `g2,${writing.row('Team', 'team')},,g1,2`,
      ),
    },
    {
      name: 'comments.csv',
      content: rows(
        'id,post_id,author_name,author_email,author_url,author,body,status,parent_comment_id,created_at',
        'k1,q1,Bob,bob@post.example,https://bob.example,,<p>First!</p>,approved,,2024-02-04',
        'k2,q1,,,,priya@fernhill.example,<p>Second</p>,pending,k1,2024-02-05',
      ),
    },
    {
      name: 'subscribers.csv',
      content: rows('email,name,status,labels,note', 'Zoe@Post.example,Zoë,free,"a,b",Met at the fair'),
    },
  ],
  counts: { tags: 2, categories: 2, posts: 1, pages: 2, comments: 2, subscribers: 1 },
  expected: {
    tags: {
      Garden: { fields: { name: 'Garden', slug: 'garden', description: 'Green' } },
      Pond: { fields: { name: 'Pond', slug: 'pond', description: 'Wet' } },
    },
    categories: {
      x1: { fields: { name: 'News', slug: 'news', description: 'All' } },
      x2: { fields: { name: 'Local', slug: 'local', parent_category: '@categories/x1' } },
    },
    posts: {
      q1: {
        fields: {
          ...writing.fields('Hello', 'hello'),
          tags: ['@tags/Garden', '@tags/Pond'],
          categories: ['@categories/x1', '@categories/x2'],
          is_featured: true,
          comments_enabled: false,
          format: 'photo',
        },
      },
    },
    pages: {
      g1: { fields: { ...writing.fields('About', 'about'), tags: ['@tags/Pond'], position: 1 } },
      g2: { fields: { ...writing.fields('Team', 'team'), parent_page: '@pages/g1', position: 2 } },
    },
    comments: {
      k1: {
        fields: {
          post: '@posts/q1',
          author_name: 'Bob',
          author_email: 'bob@post.example',
          author_url: 'https://bob.example',
          body: '<p>First!</p>',
          status: 'approved',
        },
        created_at: '2024-02-04T00:00:00.000Z',
      },
      k2: {
        fields: {
          post: '@posts/q1',
          author: 'u3',
          body: '<p>Second</p>',
          status: 'pending',
          parent_comment: '@comments/k1',
        },
        created_at: '2024-02-05T00:00:00.000Z',
      },
    },
    subscribers: {
      'zoe@post.example': {
        fields: {
          email: 'Zoe@Post.example',
          name: 'Zoë',
          status: 'free',
          labels: ['a', 'b'],
          note: 'Met at the fair',
        },
      },
    },
  },
}
