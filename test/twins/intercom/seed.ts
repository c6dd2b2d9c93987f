import { hourMs, minuteMs, secondMs } from '../clock.ts'
import type { Account, Company, Contact, Conversation, DataAttribute } from './account.ts'
import { tagNamed } from './people.ts'
import { makeContact } from './save-contact.ts'
import { arabic, authorOf, pen, picture, staffOf } from './seed-texts.ts'
import { seedArticles, seedTickets } from './seed-tickets.ts'

/** The standard set-up of every workspace: its people, and the states of tickets. */
export function seedStaff({ admins, teams, ticketStates }: Account) {
  const admin = (id: string, name: string, email: string, teamIds: number[], hasSeat = true) =>
    admins.put({ id, name, email, teamIds, hasSeat })
  const team = (id: string, name: string, adminIds: number[]) => teams.put({ id, name, adminIds })
  const state = (
    id: string,
    category: 'submitted' | 'in_progress' | 'waiting_on_customer' | 'resolved',
    label: string,
  ) => ticketStates.push({ id, category, label })
  state('8481', 'submitted', 'Submitted')
  state('8482', 'in_progress', 'In progress')
  state('8483', 'waiting_on_customer', 'Waiting on customer')
  state('8484', 'resolved', 'Resolved')
  state('8485', 'in_progress', 'With the harbour master')
  return {
    una: admin('991001', 'Una O’Neill', 'una@example.test', [881001]),
    otto: admin('991002', 'Otto Müller', 'otto@example.test', [881001, 881002]),
    ines: admin('991004', 'Inês', 'ines@example.test', []),
    zoe: admin('991003', 'Zoë', 'zoe@example.test', [], false),
    support: team('881001', 'Support', [991001, 991002]),
    sales: team('881002', 'Verkauf', [991002]),
  }
}

export type Staff = ReturnType<typeof seedStaff>

export function seedAttributes(account: Account): void {
  const make = (
    model: DataAttribute['model'],
    name: string,
    dataType: string,
    labels?: string[],
    isArchived = false,
  ): number =>
    account.dataAttributes.push({
      id: account.nextNumber(),
      model,
      name,
      dataType,
      options: labels?.map((label, at) => ({ id: `option-${name}-${at}`, label })) ?? null,
      description: '',
      isArchived,
      isMultiline: false,
      createdAt: account.now(),
      updatedAt: account.now(),
    })
  make('contact', 'Nickname', 'string')
  make('contact', 'Tier', 'options', ['Gold', 'Silber & Söhne'])
  make('contact', 'seats', 'integer')
  make('contact', 'score', 'float')
  make('contact', 'is_vip', 'boolean')
  make('contact', 'renewal_at', 'date')
  make('contact', 'Old one', 'string', undefined, true)
  make('company', 'Region code', 'string')
  make('company', 'Segment', 'options', ['Small', 'Large'])
  make('conversation', 'Topic', 'list', ['Rakes', 'Boats'])
  make('conversation', 'Order', 'string')
}

function seedCompanies(account: Account): Company[] {
  const at = account.now()
  const make = (companyId: string, more: Partial<Company>) =>
    account.companies.put({
      id: account.nextKey(),
      companyId,
      name: undefined,
      plan: undefined,
      size: undefined,
      website: undefined,
      industry: undefined,
      monthlySpend: 0,
      remoteCreatedAt: at - 1_000_000,
      custom: {},
      tagIds: [],
      createdAt: at,
      updatedAt: at,
      ...more,
    })
  const tag = tagNamed(account, 'Großkunde')
  return [
    make('acme', {
      name: 'Acme',
      plan: 'Pro',
      size: 85,
      website: 'acme.example',
      industry: 'Farming',
      monthlySpend: 155,
      custom: { 'Region code': 'EU-1', Segment: 'Large' },
      tagIds: [tag.id],
    }),
    make('öl/1', { name: 'Öl & Söhne 🛢️' }),
    // A company without a name and without people.
    make('nameless', {}),
    make('rtl', { name: 'شركة' }),
    ...Array.from({ length: 12 }, (_none, index) => make(`c${index}`, { name: `Company ${index}` })),
  ]
}

function seedContacts(account: Account, { una }: Staff, companies: readonly Company[]): Contact[] {
  const { contacts } = account
  const make = (json: Record<string, unknown>, more: Partial<Contact> = {}) => {
    const made = makeContact(account, json)
    return contacts.change(made.id, more) ?? made
  }
  const first = companies[0]?.id ?? ''
  const ada = make(
    {
      external_id: 'u-1',
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      phone: '+353871234567',
      owner_id: una.id,
      signed_up_at: account.now() - 5_000_000,
      custom_attributes: {
        Nickname: 'A 👩‍💻',
        Tier: 'Gold',
        seats: 3,
        score: 1.5,
        is_vip: true,
        renewal_at: account.now(),
      },
    },
    { language: 'de', city: 'Dublin', country: 'Ireland', companyIds: [first], tagIds: [tagNamed(account, 'vip').id] },
  )
  const list = [
    ada,
    make(
      { external_id: 'u-2', email: 'bo@example.com', name: 'Bo' },
      { companyIds: companies.slice(3).map(({ id }) => id) },
    ),
    make({ external_id: 'u-3', name: 'Nobody’s address' }),
    make({ email: 'no-name@example.com' }),
    make({ role: 'lead', email: 'ada@example.com', name: 'Ada as a lead' }),
    make({ role: 'lead', name: 'Scarlet Kite from Galway' }),
    make({ external_id: 'ü/6', name: `${'Long '.repeat(40)}name`, unsubscribed_from_emails: true }),
    make({ external_id: 'u-7', name: 'فاطمة', email: 'fatima@example.com' }, { companyIds: [companies[1]?.id ?? ''] }),
    ...Array.from({ length: 8 }, (_none, index) =>
      make({ external_id: `many-${index}`, email: `many${index}@example.com`, name: `Many ${index}` }),
    ),
  ]
  make({ external_id: 'archived', email: 'archived@example.com', name: 'Archived' }, { isArchived: true })
  const merged = make({ role: 'lead', name: 'Merged' })
  contacts.remove(merged.id)
  account.merged.set(merged.id, ada.id)
  const note = { id: account.nextId(), body: '<p>Likes <b>rakes</b></p>', adminId: una.id, createdAt: account.now() }
  contacts.change(ada.id, { notes: [note] })
  account.companies.change(companies[0]?.id ?? '', { notes: [{ ...note, id: account.nextId() }] })
  return list
}

function seedConversations(account: Account, staff: Staff, people: readonly Contact[], companies: readonly Company[]) {
  const { file, part } = pen(account)
  const [ada, bo, nobody, , lead] = people as [Contact, Contact, Contact, Contact, Contact]
  const una = staffOf(staff.una)
  const make = (contact: Contact, body: string, more: Partial<Conversation> = {}): Conversation => {
    account.clock.advance(hourMs)
    return account.conversations.put({
      id: account.nextId(),
      title: null,
      sourceId: account.nextId(),
      sourceType: 'conversation',
      subject: '',
      body,
      author: authorOf(contact),
      fileIds: [],
      contactIds: [contact.id],
      companyId: null,
      state: 'open',
      isRead: true,
      priority: 'none',
      adminAssigneeId: 0,
      teamAssigneeId: 0,
      snoozedUntil: null,
      tagIds: [],
      custom: {},
      createdAt: account.now(),
      updatedAt: account.now(),
      waitingSince: account.now(),
      ...more,
    })
  }
  const shot = file('shot.gif', 'image/gif', picture)
  const first = make(ada, `<p>The rake is bent</p>\n<p><img src="intercom-file:${shot}"></p>`, {
    title: 'A rake is bent',
    adminAssigneeId: Number(staff.una.id),
    teamAssigneeId: Number(staff.support.id),
    companyId: companies[0]?.id ?? null,
    priority: 'high',
    tagIds: [tagNamed(account, 'rakes').id],
    custom: { Topic: 'Rakes', Order: 'R-12' },
    fileIds: [file('bill.txt', 'text/plain', Buffer.from('A bill'))],
  })
  const assignedTo = { type: 'admin', id: staff.una.id }
  part(first.id, 'assignment', una, null, { assignedTo })
  part(first.id, 'note', una, '<p>Among us: <b>send</b> another</p>')
  part(first.id, 'comment', una, '<p>We are sorry 🙏</p>', {
    fileIds: [
      file('plan ä.pdf', 'application/pdf', Buffer.from('%PDF-1.4 a plan')),
      file('photo.gif', 'image/gif', picture),
    ],
  })
  part(first.id, 'comment', authorOf(ada), `<p>${arabic}</p>`)
  const mail = make(bo, '<p>By e-mail</p>', { sourceType: 'email', subject: 'Über <b>Boote</b>', state: 'closed' })
  part(mail.id, 'close', una, null)
  part(mail.id, 'open', authorOf(bo), '<p>Once more</p>')
  part(mail.id, 'comment', { type: 'bot', id: '9', name: 'Fin', email: 'fin@intercom.invalid' }, '<p>An answer</p>')
  part(mail.id, 'comment', una, null, { isRedacted: true })
  part(mail.id, 'close', una, '<p>Good bye</p>')
  account.conversations.change(mail.id, { state: 'closed' })
  make(lead, `<p>${arabic}</p>`, { state: 'snoozed', snoozedUntil: account.now() + 9_000_000, waitingSince: null })
  const sent = make(nobody, '<p>From us to you</p>', { author: una, title: 'A greeting' })
  part(sent.id, 'comment', authorOf(nobody), `<p>${'Long. '.repeat(2000)}</p>`)
  // A conversation of two people, the first of whom was deleted.
  const group = make(bo, '<p>Of two</p>', { contactIds: ['0'.repeat(24), ada.id] })
  part(group.id, 'comment', authorOf(ada), '<p>I am here too</p>')
  const long = make(ada, '<p>A long one</p>', { title: 'Long' })
  for (let index = 0; index < 12; index += 1)
    part(long.id, 'comment', index % 2 ? una : authorOf(ada), `<p>Part ${index}</p>`)
  for (let index = 0; index < 5; index += 1) make(bo, `<p>Conversation ${index}</p>`)
}

/** Fills a workspace with some days of work. */
export function seedDesk(account: Account, staff: Staff) {
  seedAttributes(account)
  const companies = seedCompanies(account)
  const contacts = seedContacts(account, staff, companies)
  seedConversations(account, staff, contacts, companies)
  seedTickets(account, staff, contacts, companies)
  seedArticles(account, staff)
  account.clock.advance(10 * minuteMs + secondMs)
  account.notifications.length = 0
  return { companies, contacts }
}
