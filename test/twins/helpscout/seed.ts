import { dayMs, hourMs, minuteMs } from '../clock.ts'
import type { ToolTwin } from '../tool-twin.ts'
import type { Account, Field, User } from './account.ts'
import type { Docs } from './docs.ts'
import { saveOrganization } from './organizations.ts'
import { checkProperty } from './properties.ts'
import { mergeConversation, saveConversation } from './save-conversation.ts'
import { type Given, saveCustomer } from './save-customer.ts'
import { addThread, lineItem, touch } from './save-thread.ts'

/** A picture of one pixel. */
export const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The users and their inboxes. The first user owns the key. */
export function seedStaff(account: Account) {
  const { users, teams, mailboxes, nextId, now } = account
  const hire = (firstName: string, role: User['role'], isGone = false) =>
    users.put({
      id: String(nextId()),
      firstName,
      lastName: 'Staff',
      email: `${firstName.toLowerCase()}@example.test`,
      role,
      timezone: 'Europe/Berlin',
      isGone,
      createdAt: now(),
    })
  const [olivia, anna, ben] = [hire('Olivia', 'owner'), hire('Anna', 'admin'), hire('Ben', 'user')]
  const greta = hire('Greta', 'user', true)
  const team = teams.put({
    id: String(nextId()),
    name: 'Night shift',
    members: [Number(anna.id), Number(greta.id)],
    createdAt: now(),
  })
  const field = (type: Field['type'], order: number, labels: string[] = []): Field => ({
    id: nextId(),
    name: `A ${type}`,
    type,
    order,
    required: false,
    options: labels.map((label, at) => ({ id: nextId(), order: at + 1, label })),
  })
  const open = (name: string, fields: Field[]) =>
    mailboxes.put({
      id: String(nextId()),
      name,
      slug: name.toLowerCase(),
      email: `${name.toLowerCase()}@example.test`,
      createdAt: now(),
      updatedAt: now(),
      fields,
    })
  const plain = (['singleline', 'multiline', 'number', 'date'] as const).map((type, at) => field(type, at + 1))
  const support = open('Support', [...plain, field('dropdown', 5, ['Red', 'Blue', 'Grün 🌿'])])
  const sales = open('Sales', [field('dropdown', 1, ['Red', 'Small'])])
  return { olivia, anna, ben, greta, team, support, sales }
}

export type Staff = ReturnType<typeof seedStaff>

function seedPeople(account: Account) {
  const { properties, customers } = account
  const define = (slug: string, type: 'number' | 'text' | 'url' | 'date' | 'dropdown', labels: string[] = []) =>
    properties.put({
      id: slug,
      slug,
      name: `The ${slug}`,
      type,
      options: labels.map((label, at) => ({ id: `00000000-0000-4000-8000-00000000000${at}`, label })),
    })
  const defined = [
    define('car', 'text'),
    define('seats', 'number'),
    define('page', 'url'),
    define('since', 'date'),
    define('plan', 'dropdown', ['Standard', 'Plus']),
  ]
  const acme = saveOrganization(account, {
    name: 'Acme & Söhne',
    domains: ['acme.example', 'acme.test'],
    description: 'Makes anvils',
    note: 'Pays late 🐌',
    website: 'https://acme.example',
    location: 'DE',
    phones: ['+49 30 1234'],
    brandColor: '#00FF00',
  })
  saveOrganization(account, { name: 'شركة' })
  const vera = saveCustomer(account, {
    firstName: 'Véra 🐻',
    lastName: 'Bär',
    jobTitle: 'CEO',
    background: 'Likes tea.\nHates coffee.',
    location: 'Berlin',
    organizationId: Number(acme.id),
    gender: 'Female',
    age: '30-35',
    emails: [
      { type: 'work', value: 'Vera@acme.example' },
      { type: 'home', value: 'vera@example.org' },
    ],
    phones: [
      { type: 'mobile', value: '+49 170 1' },
      { type: 'work', value: '030/1' },
    ],
    chats: [{ type: 'skype', value: 'vera.b' }],
    socialProfiles: [{ type: 'twitter', value: '@vera' }],
    websites: [{ value: 'https://vera.example' }],
    address: { city: 'Berlin', country: 'DE', lines: ['Am Weg 1', 'Hof'], postalCode: '10115', state: 'BE' },
  })
  const values = { car: 'Tesla', seats: '5', page: 'example.org', since: '2019-01-02', plan: 'Plus' }
  const told = defined.map((property) => {
    const value = checkProperty(property, values[property.slug as keyof typeof values])
    return [property.slug, value] as const
  })
  customers.change(vera.id, { properties: Object.fromEntries(told) })
  // A customer who only called, and one without a name.
  const caller = saveCustomer(account, { firstName: 'Caller', phones: [{ type: 'home', value: '0800' }] })
  const nameless = saveCustomer(account, { emails: [{ type: 'other', value: 'who@example.org' }] })
  const many = Array.from({ length: 56 }, (_, at) =>
    saveCustomer(account, {
      firstName: `Person ${at}`,
      lastName: at % 2 === 0 ? 'Müller' : 'עברית',
      organization: at === 3 ? 'A firm by name only' : undefined,
      emails: [{ type: 'work', value: `person${at}@example.org` }],
    }),
  )
  return { acme, vera, caller, nameless, many }
}

/** Two years of work, with all known peculiarities. */
export function seedDesk(account: Account, staff: Staff, files: ToolTwin['files'], { hasBadFile = true } = {}) {
  const { clock, conversations } = account
  const people = seedPeople(account)
  const { olivia, anna, ben, greta, team, support, sales } = staff
  const by = ({ id }: { id: string }) => ({ id: Number(id) })
  const [vera, caller] = [by(people.vera), by(people.caller)]
  const past = { imported: true, createdAt: '2024-02-03T04:05:06Z' }
  const later = (hours: number) => new Date(Date.parse(past.createdAt) + hours * hourMs).toISOString()
  const write = (given: Given) => {
    clock.advance(10 * minuteMs)
    return saveConversation(
      account,
      { type: 'email', status: 'active', mailboxId: Number(support.id), customer: vera, ...past, ...given },
      olivia,
    )
  }
  const picture = files.sign(dot, 'image/png', { forMs: 100 * 365 * dayMs, hops: 1 })
  const file = { fileName: 'Übersicht 📎.txt', mimeType: 'text/plain', data: Buffer.from('ünï').toString('base64') }
  const [single, multi, number, date, choice] = support.fields
  const rich = write({
    subject: 'Everything at once 🚀 مرحبا',
    status: 'pending',
    assignTo: Number(anna.id),
    tags: ['VIP', 'zwei wörter'],
    fields: [
      { id: single?.id, value: 'one line' },
      { id: multi?.id, value: 'two\nlines' },
      { id: number?.id, value: '42' },
      { id: date?.id, value: '2024-02-29' },
      { id: choice?.id, value: String(choice?.options[2]?.id) },
    ],
    threads: [
      {
        type: 'customer',
        customer: vera,
        text: `<p>Help &amp; <b>hurry</b></p><img src="${picture}">`,
        cc: ['boss@acme.example'],
        attachments: [file, { fileName: 'dot.png', mimeType: 'image/png', data: dot.toString('base64') }],
        ...past,
      },
      { type: 'note', user: Number(ben.id), text: 'Nobody may see this', ...past, createdAt: later(1) },
      {
        type: 'reply',
        customer: vera,
        user: Number(anna.id),
        text: '<p>Hello Véra</p>',
        bcc: ['archive@example.test'],
        ...past,
        createdAt: later(2),
      },
      { type: 'phone', customer: vera, text: 'She called', ...past, createdAt: later(3) },
      { type: 'chat', customer: vera, text: `We chatted. ${'long '.repeat(60)}`, ...past, createdAt: later(4) },
    ],
  })
  const [question, , answerTo] = rich.threads
  const forwarded = { ...lineItem(account, 'default', ''), type: 'forwardparent' as const, body: 'Please look at this' }
  const bot = {
    ...lineItem(account, 'default', ''),
    type: 'beaconchat' as const,
    body: `Beacon: ${'word '.repeat(80)}`,
  }
  const old = answerTo && {
    ...answerTo,
    id: account.nextId(),
    createdBy: { type: 'user' as const, id: Number(greta.id) },
  }
  const hidden = question && { ...question, id: account.nextId(), state: 'hidden' as const, attachments: [] }
  const odd = [forwarded, { ...bot, createdBy: { type: 'customer' as const, id: vera.id } }, old, hidden]
  const workflow = lineItem(account, 'automatic-workflow', 'The workflow Escalate ran')
  touch(account, rich.id, { threads: [...rich.threads, ...odd.filter((one) => one !== undefined), workflow] })

  const hello = { type: 'customer', customer: vera, text: 'Hello', ...past }
  const long = write({ subject: 'Long story', status: 'closed', threads: [hello], assignTo: null })
  for (let at = 1; at <= 60; at += 1) {
    const now = conversations.get(long.id)
    const text = `Part ${at}`
    if (now) addThread(account, now, 'note', { text, imported: true, createdAt: later(at) }, at % 2 ? ben : olivia)
  }
  write({ subject: 'Spam', status: 'spam', customer: { email: 'spam@bad.example' }, threads: [hello] })
  write({
    subject: 'Phone',
    type: 'phone',
    customer: caller,
    assignTo: Number(team.id),
    threads: [{ ...hello, type: 'phone', customer: caller }],
  })
  write({ subject: 'Chat', type: 'chat', threads: [{ ...hello, type: 'chat' }], mailboxId: Number(sales.id) })
  const draft = { type: 'reply', draft: true, customer: vera, text: 'Not sent yet' }
  write({ subject: 'A draft', threads: [draft] })
  const snoozed = write({ subject: 'Later', threads: [hello], status: 'pending' })
  const snooze = { snoozedUntil: '2099-01-01T00:00:00Z', unsnoozeOnCustomerReply: true, snoozedBy: Number(anna.id) }
  touch(account, snoozed.id, { snooze })
  const virus = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*').toString('base64')
  const infected = { fileName: 'virus.com', mimeType: 'application/octet-stream', data: virus }
  write({ subject: 'A bad file', threads: [{ ...hello, ...(hasBadFile && { attachments: [infected] }) }] })
  const twin = write({ subject: 'Asked twice', threads: [hello] })
  mergeConversation(account, twin.id, long.id)
  const gone = write({ subject: 'Deleted', threads: [hello] })
  conversations.remove(gone.id, { isKept: true })
  const statuses = ['active', 'closed', 'pending']
  const many = people.many.slice(0, 40).map((person, at) =>
    write({
      subject: `Question ${at}`,
      status: statuses[at % 3],
      customer: by(person),
      assignTo: at % 4 === 0 ? Number(ben.id) : null,
      mailboxId: Number((at % 5 === 0 ? sales : support).id),
      threads: [{ ...hello, customer: by(person), createdAt: later(at) }],
      createdAt: later(at),
    }),
  )
  return { ...people, rich, long, twin, gone, many }
}

/** A knowledge base of two sites; one collection needs several pages. */
export function seedDocs(docs: Docs) {
  const { sites, nextId, addCollection, addCategory, addArticle, articles } = docs
  const site = sites.put({ id: nextId(), title: 'Help', subDomain: 'help' })
  const inner = sites.put({ id: nextId(), title: 'Inside', subDomain: 'inside' })
  const guide = addCollection(site.id, 'Guide', { description: 'For everybody' })
  const secret = addCollection(inner.id, 'Staff only', { visibility: 'private' })
  const start = addCategory(guide.id, 'Getting started 🚀', { order: 2, slug: 'start' })
  const more = addCategory(guide.id, 'Mehr für Sie', { order: 1, visibility: 'private' })
  const first = addArticle(guide.id, 'How to begin', '<p>Begin <b>here</b> مرحبا</p>', {
    status: 'published',
    categories: [start.id, more.id],
    keywords: ['begin', 'start'],
  })
  articles.change(first.id, { draft: '<p>Not shown yet</p>' })
  addArticle(guide.id, 'Unpublished', 'Plain text', { related: [first.id] })
  addArticle(secret.id, 'Salaries', '<p>Secret</p>', { status: 'published' })
  for (let at = 0; at < 60; at += 1)
    addArticle(guide.id, `Article ${at}`, `<p>Text ${at}</p>`, { status: 'published', categories: [start.id] })
  return { site, inner, guide, secret, start, more, first }
}
