import iconv from 'iconv-lite'
import type { Family } from '../../service/src/families/index.ts'
import type { ZipEntry } from '../connectors/csv-upload.ts'

export interface ExpectedRecord {
  fields: Record<string, unknown>
  custom_fields?: Record<string, { label: string; type: string; value: unknown }>
  created_at?: string
  updated_at?: string
}

/** A customer's export, and what must be in the destination afterwards. A text `@tickets/1` stands for that record. */
export interface Fixture {
  files: ZipEntry[]
  expected: Record<string, Record<string, ExpectedRecord>>
  /** How many there are of an entity, where not all are written down above. */
  counts: Record<string, number>
}

/** When a record was made and changed, where its own row does not say. */
export const usualTimes = { created_at: '2024-01-01T00:00:00.000Z', updated_at: '2024-01-02T00:00:00.000Z' }

/** A table whose rows all say when they were made and changed; with a column for each that the header lacks. */
export function rows(header: string, ...lines: string[]): string {
  const delimiter = ['\t', ';', ','].find((one) => header.includes(one)) ?? ','
  const missing = Object.entries(usualTimes).filter(([name]) => !header.includes(name))
  const added = (texts: string[]) => texts.map((text) => `${delimiter}${text}`).join('')
  const head = `${header}${added(missing.map(([name]) => name))}`
  return `${[head, ...lines.map((line) => `${line}${added(missing.map(([, time]) => time))}`)].join('\n')}\n`
}

const many = (count: number, row: (index: number) => string) => Array.from({ length: count }, (_, index) => row(index))

const helpdesk: Fixture = {
  files: [
    {
      name: 'export/groups.csv',
      content: rows(
        'id,name,description,agents',
        'g1,Support,First line,"maeve@fernhill.example; tomasz@fernhill.example"',
      ),
    },
    {
      name: 'export/Organisationen.csv',
      content: iconv.encode(
        rows(
          'ID;Name;Domänen;Beschreibung;Notizen;Umsatz in T€',
          'o1;Müller & Söhne;"mueller.example,soehne.example";Großkunde;"zwei\nZeilen";"12,5"',
        ),
        'windows-1252',
      ),
    },
    {
      name: 'export/contacts.csv',
      content: rows(
        'id,Full Name,E-Mail,Phone,organization_id,Language,Time zone,Notes,is_suspended,created_at,updated_at',
        'c1,"Öztürk, ""Ada""",ada@post.example; a@b.example,+49 30 1234,o1,de,Europe/Berlin,VIP,no,2024-02-29,2024-03-01 10:00',
        'c2,王小明,ming@post.example,,,zh,,,yes,31.12.2023 23:59,1.1.2024',
      ),
    },
    {
      name: 'export/tickets.csv',
      content: Buffer.from(
        `\ufeff${rows(
          'id\tnumber\tsubject\tdescription\ttype\tstatus\tpriority\tchannel\trequester_id\tassignee_email\tgroup_id\torganization_id\tcollaborator_ids\ttags\tdue_at\tsolved_at\tclosed_at\tparent_ticket_id\tlinked_ticket_ids\ttime_spent_s\tcreated_at\tupdated_at\tOrder No',
          't1\tT-1\tRake arrived bent 🌱\t"<p>See ""<strong>photo</strong>""</p>"\tincident\tsolved\thigh\temail\tc1\tmaeve@fernhill.example\tg1\to1\tc2\treturns;tools\t2024-05-01T12:00:00Z\t2024-05-02 08:30\t2024-05-03\t\tt2\t3600\t2024-04-30T09:00:00+02:00\t2024-05-03T00:00:00Z\t0042',
          't2\tT-2\tשלום\tplain text\tquestion\tnew\tlow\tweb\tc2\tnobody@fernhill.example\t\t\t\t\t\t\t\tt1\t\t\t2024-06-01\t2024-06-02\t0043',
        )}`,
        'utf16le',
      ),
    },
    {
      name: 'export/tickets-old.csv',
      content: rows('id,subject', ...many(40, (n) => `old${n},Old ticket ${n}`)),
    },
    {
      name: 'export/comments.csv',
      content: rows(
        'id,ticket_id,author_agent,author_contact_id,body,is_public,channel,created_at',
        'k1,t1,priya@fernhill.example,,<p>We send a new one.</p>,yes,email,2024-05-01T13:00:00Z',
        'k2,t1,,c1,<p>Thank you!</p>,ja,email,2024-05-01T14:00:00Z',
        'k3,t2,tomasz@fernhill.example,,<p>Internal</p>,no,,2024-06-01T14:00:00Z',
      ),
    },
    {
      name: 'export/categories.csv',
      content: rows(
        'id,name,slug,description,parent_category_id,position',
        'x1,Tools,tools,All tools,,1',
        'x2,Rakes,rakes,,x1,2',
      ),
    },
    {
      name: 'export/articles.csv',
      content: rows(
        'id,title,slug,body,status,visibility,category_id,author,locale,labels,position,published_at,url',
        'a1,Care of rakes,care,<p>Oil it.</p>,published,public,x2,maeve@fernhill.example,en,"care, oil",3,2024-01-02T03:04:05Z,https://kb.example/care',
      ),
    },
  ],
  counts: { groups: 1, organizations: 1, contacts: 2, tickets: 42, comments: 3, categories: 2, articles: 1 },
  expected: {
    groups: { g1: { fields: { name: 'Support', description: 'First line', agents: ['u1', 'u2'] } } },
    organizations: {
      o1: {
        fields: {
          name: 'Müller & Söhne',
          domains: ['mueller.example', 'soehne.example'],
          description: 'Großkunde',
          notes: 'zwei\nZeilen',
        },
        custom_fields: { umsatz_in_t: { label: 'Umsatz in T€', type: 'decimal', value: 12.5 } },
      },
    },
    contacts: {
      c1: {
        fields: {
          name: 'Öztürk, "Ada"',
          emails: ['ada@post.example', 'a@b.example'],
          phones: ['+49 30 1234'],
          organization: '@organizations/o1',
          language: 'de',
          timezone: 'Europe/Berlin',
          notes: 'VIP',
          is_suspended: false,
        },
        created_at: '2024-02-29T00:00:00.000Z',
        updated_at: '2024-03-01T10:00:00.000Z',
      },
      c2: {
        fields: { name: '王小明', emails: ['ming@post.example'], language: 'zh', is_suspended: true },
        created_at: '2023-12-31T23:59:00.000Z',
        updated_at: '2024-01-01T00:00:00.000Z',
      },
    },
    tickets: {
      t1: {
        fields: {
          number: 'T-1',
          subject: 'Rake arrived bent 🌱',
          description: '<p>See "<strong>photo</strong>"</p>',
          type: 'incident',
          status: 'solved',
          priority: 'high',
          channel: 'email',
          requester: '@contacts/c1',
          assignee: 'u1',
          group: '@groups/g1',
          organization: '@organizations/o1',
          collaborators: ['@contacts/c2'],
          tags: ['returns', 'tools'],
          due_at: '2024-05-01T12:00:00.000Z',
          solved_at: '2024-05-02T08:30:00.000Z',
          closed_at: '2024-05-03T00:00:00.000Z',
          linked_tickets: ['@tickets/t2'],
          time_spent_s: 3600,
        },
        custom_fields: { order_no: { label: 'Order No', type: 'text', value: '0042' } },
        created_at: '2024-04-30T07:00:00.000Z',
        updated_at: '2024-05-03T00:00:00.000Z',
      },
      t2: {
        fields: {
          number: 'T-2',
          subject: 'שלום',
          description: '<p>plain text</p>',
          type: 'question',
          status: 'new',
          priority: 'low',
          channel: 'web',
          requester: '@contacts/c2',
          parent_ticket: '@tickets/t1',
        },
        custom_fields: { order_no: { label: 'Order No', type: 'text', value: '0043' } },
        created_at: '2024-06-01T00:00:00.000Z',
        updated_at: '2024-06-02T00:00:00.000Z',
      },
      old39: { fields: { subject: 'Old ticket 39' } },
    },
    comments: {
      k1: {
        fields: {
          ticket: '@tickets/t1',
          author_agent: 'u3',
          body: '<p>We send a new one.</p>',
          is_public: true,
          channel: 'email',
        },
        created_at: '2024-05-01T13:00:00.000Z',
      },
      k2: {
        fields: {
          ticket: '@tickets/t1',
          author_contact: '@contacts/c1',
          body: '<p>Thank you!</p>',
          is_public: true,
          channel: 'email',
        },
        created_at: '2024-05-01T14:00:00.000Z',
      },
      k3: {
        fields: { ticket: '@tickets/t2', author_agent: 'u2', body: '<p>Internal</p>', is_public: false },
        created_at: '2024-06-01T14:00:00.000Z',
      },
    },
    categories: {
      x1: { fields: { name: 'Tools', slug: 'tools', description: 'All tools', position: 1 } },
      x2: { fields: { name: 'Rakes', slug: 'rakes', parent_category: '@categories/x1', position: 2 } },
    },
    articles: {
      a1: {
        fields: {
          title: 'Care of rakes',
          slug: 'care',
          body: '<p>Oil it.</p>',
          status: 'published',
          visibility: 'public',
          category: '@categories/x2',
          author: 'u1',
          locale: 'en',
          labels: ['care', 'oil'],
          position: 3,
          published_at: '2024-01-02T03:04:05.000Z',
          url: 'https://kb.example/care',
        },
      },
    },
  },
}

const project: Fixture = {
  files: [
    {
      name: 'projects.csv',
      content: rows(
        'id,key,name,description,status,is_public,parent_project_id,members',
        'p1,GAR,Garden,<p>All of it</p>,active,true,,maeve@fernhill.example|priya@fernhill.example',
        'p2,GAR2,Pond,,closed,false,p1,',
      ),
    },
    {
      name: 'milestones.csv',
      content: rows(
        'id,project_id,name,description,status,start_on,due_on',
        'm1,p1,Spring,All seeds,open,2024-03-01,31.05.2024',
      ),
    },
    { name: 'components.csv', content: rows('id,project_id,name,owner', 'b1,p1,Beds,owen@fernhill.example') },
    {
      name: 'issues.csv',
      content: rows(
        'id,key,title,body,type,status,priority,project_id,milestone_id,component_id,reporter,assignee,watchers,labels,is_private,progress_percent,estimate_hours,start_on,due_on,closed_at,parent_issue_id,block_ids,relates_to_ids,duplicate_ids,created_at',
        'i1,GAR-1,Dig the beds,<p>Deep.</p>,task,in_progress,urgent,p1,m1,b1,maeve@fernhill.example,tomasz@fernhill.example,priya@fernhill.example,"soil;spade",no,40,"7,5",2024-03-02,2024-03-09,,,i2,,,2024-03-01T08:00:00Z',
        'i2,GAR-2,Sow,,feature,new,low,p1,,,,,,,yes,,,,,2024-04-01T10:00:00Z,i1,,i1,i1,2024-03-05',
      ),
    },
    {
      name: 'comments.csv',
      content: rows(
        'id,issue_id,author,body,is_private,created_at',
        'k1,i1,priya@fernhill.example,<p>Half done</p>,yes,2024-03-03T08:00:00Z',
      ),
    },
    {
      name: 'time_entries.csv',
      content: rows(
        'id,project_id,issue_id,user,hours,spent_on,description,activity',
        'z1,p1,i1,tomasz@fernhill.example,2.25,2024-03-03,With the big spade,Digging',
      ),
    },
    {
      name: 'wiki_pages.csv',
      content: rows(
        'id,project_id,title,body,author,parent_page_id',
        'w1,p1,Tools,<ul><li>spade</li></ul>,maeve@fernhill.example,',
        'w2,p1,Spades,<p>Sharp</p>,,w1',
      ),
    },
  ],
  counts: { projects: 2, milestones: 1, components: 1, issues: 2, comments: 1, time_entries: 1, wiki_pages: 2 },
  expected: {
    projects: {
      p1: {
        fields: {
          key: 'GAR',
          name: 'Garden',
          description: '<p>All of it</p>',
          status: 'active',
          is_public: true,
          members: ['u1', 'u3'],
        },
      },
      p2: {
        fields: { key: 'GAR2', name: 'Pond', status: 'closed', is_public: false, parent_project: '@projects/p1' },
      },
    },
    milestones: {
      m1: {
        fields: {
          project: '@projects/p1',
          name: 'Spring',
          description: 'All seeds',
          status: 'open',
          start_on: '2024-03-01',
          due_on: '2024-05-31',
        },
      },
    },
    components: { b1: { fields: { project: '@projects/p1', name: 'Beds', owner: 'u8' } } },
    issues: {
      i1: {
        fields: {
          key: 'GAR-1',
          title: 'Dig the beds',
          body: '<p>Deep.</p>',
          type: 'task',
          status: 'in_progress',
          priority: 'urgent',
          project: '@projects/p1',
          milestone: '@milestones/m1',
          component: '@components/b1',
          reporter: 'u1',
          assignee: 'u2',
          watchers: ['u3'],
          labels: ['soil', 'spade'],
          is_private: false,
          progress_percent: 40,
          estimate_hours: 7.5,
          start_on: '2024-03-02',
          due_on: '2024-03-09',
          blocks: ['@issues/i2'],
        },
        created_at: '2024-03-01T08:00:00.000Z',
      },
      i2: {
        fields: {
          key: 'GAR-2',
          title: 'Sow',
          type: 'feature',
          status: 'new',
          priority: 'low',
          project: '@projects/p1',
          is_private: true,
          closed_at: '2024-04-01T10:00:00.000Z',
          parent_issue: '@issues/i1',
          relates_to: ['@issues/i1'],
          duplicates: ['@issues/i1'],
        },
        created_at: '2024-03-05T00:00:00.000Z',
      },
    },
    comments: {
      k1: {
        fields: { issue: '@issues/i1', author: 'u3', body: '<p>Half done</p>', is_private: true },
        created_at: '2024-03-03T08:00:00.000Z',
      },
    },
    time_entries: {
      z1: {
        fields: {
          project: '@projects/p1',
          issue: '@issues/i1',
          user: 'u2',
          hours: 2.25,
          spent_on: '2024-03-03',
          description: 'With the big spade',
          activity: 'Digging',
        },
      },
    },
    wiki_pages: {
      w1: { fields: { project: '@projects/p1', title: 'Tools', body: '<ul><li>spade</li></ul>', author: 'u1' } },
      w2: {
        fields: { project: '@projects/p1', title: 'Spades', body: '<p>Sharp</p>', parent_page: '@wiki_pages/w1' },
      },
    },
  },
}

export const firstFixtures: Partial<Record<Family, Fixture>> = { helpdesk, project }
