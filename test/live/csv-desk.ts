import { type ZipEntry, zipOf } from '../connectors/csv-upload.ts'
import type { Ticket } from './compare-desks.ts'
import { type Facts, keyOf, words } from './facts.ts'

// A help desk as a customer exports it, and the same desk in the form for comparisons.

const people = ['omar', 'zofia', 'priya'].map((name, index) => ({
  id: `c${index}`,
  name: ['عمر حداد', 'Zofia Wójcik', "Priya O'Iyer"][index] ?? '',
  mail: `csv.${name}@export.example`,
}))
const subjects = [
  'Same title',
  'Same title',
  '🚀 <b>not html</b> & "quoted"',
  'שלום עולם',
  'x'.repeat(180),
  "O'Neil; DROP TABLE",
]
const statuses = ['new', 'open', 'pending', 'on_hold', 'solved', 'closed']
const priorities = ['low', 'normal', 'high', 'urgent']

export interface CsvTicket {
  id: string
  subject: string
  text: string
  status: string
  priority: string
  requester: (typeof people)[number]
  created: string
}

const tickets: CsvTicket[] = Array.from({ length: 24 }, (_, index) => ({
  id: String(index + 1),
  subject: subjects[index % subjects.length] ?? '',
  text: `Line one of ${index + 1}\n\nLine two: ünïcödé 👩‍🚀 *stars* h1. heading`,
  status: statuses[index % statuses.length] ?? 'new',
  priority: priorities[index % priorities.length] ?? 'low',
  requester: people[index % people.length] as (typeof people)[number],
  created: `20${10 + (index % 10)}-03-04T05:06:00Z`,
}))

/** One thread is long, and a part of it is private. */
const comments = Array.from({ length: 60 }, (_, index) => ({
  id: `k${index}`,
  ticket: index < 50 ? '1' : String(index - 45),
  text: `Message ${index} – ${index % 3 === 0 ? 'العربية' : 'plain'}`,
  isPublic: index % 4 !== 0,
  created: `2021-01-01T00:${String(index).padStart(2, '0')}:00Z`,
}))

const cell = (value: string | boolean) => `"${String(value).replaceAll('"', '""')}"`
const table = (header: string, rows: (string | boolean)[][]) =>
  `${[header, ...rows.map((row) => row.map(cell).join(','))].join('\r\n')}\r\n`

const files: ZipEntry[] = [
  { name: 'groups.csv', content: table('id,name', [['g1', 'Csv desk']]) },
  {
    name: 'contacts.csv',
    content: table(
      'id,name,email',
      people.map(({ id, name, mail }) => [id, name, mail]),
    ),
  },
  {
    name: 'tickets.csv',
    content: table(
      'id,subject,description,status,priority,requester_id,group_id,created_at',
      tickets.map((one) => [
        one.id,
        one.subject,
        one.text,
        one.status,
        one.priority,
        one.requester.id,
        'g1',
        one.created,
      ]),
    ),
  },
  {
    name: 'comments.csv',
    content: table(
      'id,ticket_id,author_contact_id,body,is_public,created_at',
      comments.map((one) => [one.id, one.ticket, 'c1', one.text, one.isPublic, one.created]),
    ),
  },
]

export const csvDeskZip = (): Buffer => zipOf(files)

const minute = (moment: string) => moment.slice(0, 16).replace('T', ' ')

export function csvDesk(): Facts {
  return new Map(
    tickets.map((one): [string, Ticket] => [
      keyOf('tickets', one.id),
      {
        subject: one.subject,
        text: words(one.text, 'plain'),
        line: '',
        status: one.status,
        priority: one.priority,
        group: 'Csv desk',
        assignee: null,
        people: [one.requester.mail],
        due: null,
        parent: null,
        dependsOn: [],
        linked: [],
        custom: [],
        files: [],
        made: minute(one.created),
        author: one.requester.mail,
        names: [one.requester.name],
        thread: comments
          .filter(({ ticket }) => ticket === one.id)
          .map(({ text, isPublic, created }) => ({
            text: words(text, 'plain'),
            line: '',
            isPublic,
            author: 'csv.zofia@export.example',
            names: ['Zofia Wójcik'],
            made: minute(created),
          })),
      },
    ]),
  )
}
