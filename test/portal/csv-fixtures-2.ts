import type { Family } from '../../service/src/families/index.ts'
import { type Fixture, rows } from './csv-fixtures.ts'

const crm: Fixture = {
  files: [
    { name: 'pipelines.csv', content: rows('id,name,position', 'l1,Sales,1') },
    {
      name: 'stages.csv',
      content: rows('id,pipeline_id,name,position,probability,outcome', 's1,l1,Offer,2,60,open'),
    },
    {
      name: 'accounts.csv',
      content: rows(
        'id,name,emails,phones,addresses,websites,description,industry,type,employees,annual_revenue,vat_number,parent_account_id,owner',
        'f1,Acme,info@acme.example,+1 555 01,"[""1 Main St, Springfield""]",https://acme.example,Big,Garden,customer,120,1200000.50 EUR,DE123,,maeve@fernhill.example',
        'f2,Acme South,,,,,,,,,,,f1,',
      ),
    },
    {
      name: 'contacts.csv',
      content: rows(
        'id,name,first_name,last_name,emails,phones,addresses,websites,title,department,account_ids,language,birthday,do_not_contact,description,owner',
        'c1,Ada Byron,Ada,Byron,ada@acme.example,555-02,Long Lane 5,https://ada.example,CTO,Research,f1;f2,en,1985-12-10,no,Likes numbers,priya@fernhill.example',
      ),
    },
    {
      name: 'deals.csv',
      content: rows(
        'id,name,value,currency,pipeline_id,stage_id,status,probability,expected_close_on,closed_at,lost_reason,source,account_id,contact_ids,description,owner',
        'd1,100 rakes,2500,USD,l1,s1,won,60,2024-08-01,2024-07-15T10:00:00Z,Price,Fair,f1,c1,Bulk order,tomasz@fernhill.example',
      ),
    },
    {
      name: 'activities.csv',
      content: rows(
        'id,deal_id,type,subject,body,status,started_at,ended_at,due_at,owner',
        'v1,d1,call,First call,<p>Friendly</p>,done,2024-06-01T09:00:00Z,2024-06-01T09:20:00Z,2024-06-02,maeve@fernhill.example',
      ),
    },
    {
      name: 'notes.csv',
      content: rows(
        'id,contact_id,title,body,author,created_at',
        'n1,c1,Remember,<p>Has a dog</p>,priya@fernhill.example,2024-06-03',
      ),
    },
  ],
  counts: { pipelines: 1, stages: 1, accounts: 2, contacts: 1, deals: 1, activities: 1, notes: 1 },
  expected: {
    pipelines: { l1: { fields: { name: 'Sales', position: 1 } } },
    stages: {
      s1: { fields: { pipeline: '@pipelines/l1', name: 'Offer', position: 2, probability: 60, outcome: 'open' } },
    },
    accounts: {
      f1: {
        fields: {
          name: 'Acme',
          emails: ['info@acme.example'],
          phones: ['+1 555 01'],
          addresses: [{ line1: '1 Main St, Springfield' }],
          websites: ['https://acme.example'],
          description: 'Big',
          industry: 'Garden',
          type: 'customer',
          employees: 120,
          annual_revenue: { amount: '1200000.50', currency: 'EUR' },
          vat_number: 'DE123',
          owner: 'u1',
        },
      },
      f2: { fields: { name: 'Acme South', parent_account: '@accounts/f1' } },
    },
    contacts: {
      c1: {
        fields: {
          name: 'Ada Byron',
          first_name: 'Ada',
          last_name: 'Byron',
          emails: ['ada@acme.example'],
          phones: ['555-02'],
          addresses: [{ line1: 'Long Lane 5' }],
          websites: ['https://ada.example'],
          title: 'CTO',
          department: 'Research',
          accounts: ['@accounts/f1', '@accounts/f2'],
          language: 'en',
          birthday: '1985-12-10',
          do_not_contact: false,
          description: 'Likes numbers',
          owner: 'u3',
        },
      },
    },
    deals: {
      d1: {
        fields: {
          name: '100 rakes',
          value: { amount: '2500', currency: 'USD' },
          pipeline: '@pipelines/l1',
          stage: '@stages/s1',
          status: 'won',
          probability: 60,
          expected_close_on: '2024-08-01',
          closed_at: '2024-07-15T10:00:00.000Z',
          lost_reason: 'Price',
          source: 'Fair',
          account: '@accounts/f1',
          contacts: ['@contacts/c1'],
          description: 'Bulk order',
          owner: 'u2',
        },
      },
    },
    activities: {
      v1: {
        fields: {
          related: '@deals/d1',
          type: 'call',
          subject: 'First call',
          body: '<p>Friendly</p>',
          status: 'done',
          started_at: '2024-06-01T09:00:00.000Z',
          ended_at: '2024-06-01T09:20:00.000Z',
          due_at: '2024-06-02T00:00:00.000Z',
          owner: 'u1',
        },
      },
    },
    notes: {
      n1: {
        fields: { related: '@contacts/c1', title: 'Remember', body: '<p>Has a dog</p>', author: 'u3' },
        created_at: '2024-06-03T00:00:00.000Z',
      },
    },
  },
}

const writing = {
  head: 'title,slug,body,excerpt,status,published_at,authors,feature_image_alt,feature_image_caption,canonical_url,original_url,seo_title,seo_description',
  row: (title: string, slug: string) =>
    `${title},${slug},<p>Text</p>,Short,published,2024-02-03T04:05:06Z,maeve@fernhill.example,Alt,Caption,https://c.example/${slug},https://o.example/${slug},Seo,Described`,
  fields: (title: string, slug: string) => ({
    title,
    slug,
    body: '<p>Text</p>',
    excerpt: 'Short',
    status: 'published',
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

const blog: Fixture = {
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

export const moreFixtures: Partial<Record<Family, Fixture>> = { crm, blog }
