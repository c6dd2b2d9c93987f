import iconv from 'iconv-lite'
import { type CsvExport, rows } from './csv-export.ts'

const many = (count: number, row: (index: number) => string) => Array.from({ length: count }, (_, index) => row(index))

export const helpdeskExport: CsvExport = {
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
          'id\tnumber\tsubject\tdescription\ttype\tstatus\tpriority\tchannel\trequester_id\tassignee_email\tgroup_id\torganization_id\tcollaborator_ids\ttags\tdue_at\tsolved_at\tclosed_at\tparent_ticket_id\tlinked_ticket_ids\ttime_spent_s\tcreated_at\tupdated_at\tOrder No\tis_private',
          't1\tT-1\tRake arrived bent 🌱\t"<p>See ""<strong>photo</strong>""</p>"\tincident\tsolved\thigh\temail\tc1\tmaeve@fernhill.example\tg1\to1\tc2\treturns;tools\t2024-05-01T12:00:00Z\t2024-05-02 08:30\t2024-05-03\t\tt2\t3600\t2024-04-30T09:00:00+02:00\t2024-05-03T00:00:00Z\t0042\tno',
          't2\tT-2\tשלום\tplain text\tquestion\tnew\tlow\tweb\tc2\tnobody@fernhill.example\t\t\t\t\t\t\t\tt1\t\t\t2024-06-01\t2024-06-02\t0043\tyes',
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
          is_private: false,
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
          is_private: true,
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
