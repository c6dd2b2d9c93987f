import { dayMs, minuteMs } from '../clock.ts'
import { type Account, type Agent, idOf, type Ticket } from './account.ts'
import { saveCompany } from './companies.ts'
import { saveContact } from './contacts.ts'
import { addConversation } from './conversations.ts'
import { makeField } from './fields.ts'
import { inlineUrl, keepFiles, type Part } from './files.ts'
import { changeTicket, makeTicket, type TicketBody } from './save-ticket.ts'
import { saveArticle, saveCategory, saveFolder } from './solutions.ts'
import { saveGroup } from './staff.ts'

/** The agents. The first one owns the key. */
export function seedStaff(account: Account) {
  const hire = (name: string, more: Partial<Agent> = {}): Agent =>
    account.agents.put({
      id: account.nextId(),
      name,
      email: `${name.toLowerCase()}@example.test`,
      isAdmin: false,
      occasional: false,
      signature: null,
      type: 'support_agent',
      ticket_scope: 1,
      language: 'en',
      time_zone: 'UTC',
      ...account.times(),
      ...more,
    })
  // Their order by id differs from their order by name.
  const ben = hire('Ben', { signature: '<p>Ben</p>' })
  const admin = hire('Admin', { isAdmin: true })
  const anna = hire('Anna')
  const cleo = hire('Cleo', { occasional: true, type: 'collaborator' })
  const support = saveGroup(account, {
    name: 'Support',
    description: 'Support of the account',
    agent_ids: [admin, anna, ben].map(idOf),
  })
  const billing = saveGroup(account, { name: 'Billing', agent_ids: [idOf(anna)] })
  return { admin, anna, ben, cleo, support, billing }
}

type Staff = ReturnType<typeof seedStaff>

/** Fields of every type, including choices in three levels, and two further statuses. */
export function seedFields(account: Account) {
  const plain = ['text', 'paragraph', 'checkbox', 'number', 'date']
  for (const type of [...plain, 'decimal']) makeField(account, 'ticket', { label: `A ${type}`, type: `custom_${type}` })
  for (const kind of ['contact', 'company'] as const)
    for (const type of [...plain, 'phone_number', 'url'])
      makeField(account, kind, { label: `A ${type}`, type: `custom_${type}` })
  for (const kind of ['ticket', 'contact', 'company'] as const)
    makeField(account, kind, {
      label: 'Plan',
      type: 'custom_dropdown',
      choices: [{ value: 'Gold ★' }, { value: 'Silver' }, { value: 'none' }],
    })
  makeField(account, 'ticket', {
    label: 'Country',
    type: 'nested_field',
    choices: [
      { value: 'Germany', choices: [{ value: 'Bavaria', choices: [{ value: 'Munich' }] }, { value: 'Berlin' }] },
      { value: 'Norway' },
    ],
    dependent_fields: [{ label: 'State' }, { label: 'City' }],
  })
  account.statuses.set(6, ['Waiting on Customer', 'Awaiting your Reply'])
  account.statuses.set(7, ['Waiting for parts', 'Being Processed'])
}

const sample = { text: 'Some text', paragraph: 'Two\nlines', checkbox: true, number: 7, date: '2024-02-29' }
const valuesOf = (prefix: string, more: object) => ({
  ...Object.fromEntries(Object.entries(sample).map(([type, value]) => [`${prefix}a_${type}`, value])),
  ...more,
})

export const textFile = (fileName: string, words: string): Part => ({
  name: 'attachments[]',
  fileName,
  contentType: 'text/plain',
  bytes: Buffer.from(words),
})

function seedPeople(account: Account) {
  const { clock } = account
  const other = { a_phone_number: '+49 89 1', a_url: 'https://example.com/ä', plan: 'Gold ★' }
  const companies = ['Acme', 'Bolt & Sons', 'Ünlü Ltd', 'שלום'].map((name, at) => {
    clock.advance(minuteMs)
    return saveCompany(account, {
      name,
      ...(at < 2 && { domains: [`c${at}.example.com`, `d${at}.example.com`] }),
      ...(at === 0 && {
        description: `About ${name}`,
        note: 'Pays late',
        health_score: 'Happy',
        renewal_date: '2027-12-31',
        custom_fields: valuesOf('', other),
      }),
    })
  })
  const company = (at: number) => Number(companies[at]?.id)
  const contacts = Array.from({ length: 120 }, (_, at) => {
    clock.advance(minuteMs)
    // Later contacts come first in the order of names.
    const name = at % 7 === 3 ? `${'Zoë 👩‍👩‍👧‍👦'} ${at}` : `Contact ${String(999 - at)}`
    return saveContact(account, {
      name,
      ...(at !== 3 && at !== 4 && { email: `contact${at}@${at % 3 === 0 ? 'c0' : 'mail'}.example.com` }),
      ...(at === 0 && {
        phone: '+44 1632 960001',
        mobile: '+44 1632 960002',
        other_emails: ['second@mail.example.com', 'third@mail.example.com'],
        other_companies: [{ company_id: company(1), view_all_tickets: true }],
        view_all_tickets: true,
        language: 'de',
        time_zone: 'Berlin',
        description: 'Rings often',
        job_title: 'Boss',
        address: '1 Quay Street\nŁódź',
        tags: ['vip'],
        custom_fields: valuesOf('', other),
        active: true,
      }),
      ...(at === 3 && { phone: '+44 1632 960003' }),
      ...(at === 4 && { unique_external_id: 'crm-4' }),
    })
  })
  const at = (index: number) => contacts[index]?.id ?? ''
  account.contacts.change(at(1), { isBlocked: true })
  account.contacts.change(at(119), { isDeleted: true })
  return { companies, contacts }
}

/** Every peculiarity of real accounts, over about 160 days, in more records than a page holds. */
export function seedDesk(account: Account, staff: Staff) {
  const { clock, tickets } = account
  const { admin, anna, ben, support, billing } = staff
  seedFields(account)
  const { companies, contacts } = seedPeople(account)
  const contact = (at: number) => Number(contacts[at]?.id)
  const write = (subject: string, body: TicketBody = {}, files: Part[] = []): Ticket => {
    clock.advance(minuteMs)
    const asked = { requester_id: contact(0), description: `<p>About ${subject}</p>` }
    return makeTicket(account, { subject, ...asked, ...body }, files)
  }
  const say = (ticket: Ticket, user_id: number, body: string, more: object = {}, files: Part[] = []) => {
    clock.advance(minuteMs)
    const now = tickets.get(ticket.id) ?? ticket
    return addConversation(account, now, { user_id, body, attachments: keepFiles(account, files), ...more })
  }
  const reply = { private: false, source: 0 }
  const incoming = { private: false, source: 0, incoming: true }

  const old = write('Closed long ago', { status: 5, responder_id: idOf(ben) }, [textFile('old.txt', 'An old file')])
  say(old, idOf(ben), '<p>It was the cable</p>', reply, [textFile('cable.txt', 'A cable')])
  clock.advance(100 * dayMs)
  const quiet = write('Quiet for long, and open')
  clock.advance(60 * dayMs)

  const [picture = ''] = keepFiles(account, [
    { name: '', fileName: 'fire 🔥.png', contentType: 'image/png', bytes: Buffer.from('89504e470d0a1a0a', 'hex') },
  ])
  const nested = { cf_country: 'Germany', cf_state: 'Bavaria', cf_city: 'Munich' }
  const full = write(
    'Everything',
    {
      status: 6,
      type: 'Question',
      priority: 3,
      source: 1,
      responder_id: idOf(anna),
      group_id: idOf(support),
      company_id: Number(companies[1]?.id),
      cc_emails: ['contact5@mail.example.com', 'Some One <stranger@mail.example.com>'],
      tags: ['printer', 'fire', 'Größe'],
      custom_fields: valuesOf('cf_', { cf_a_decimal: 2.5, cf_plan: 'Gold ★', ...nested }),
      description: `<p>My <b>printer</b> burns 🔥</p><img src="${inlineUrl(account, picture)}">`,
    },
    [textFile('fire.txt', 'It burns'), textFile('äöü "x".txt', ''), textFile('fire.txt', 'Another of that name')],
  )
  tickets.change(full.id, { watchers: [idOf(ben)] })
  say(full, idOf(anna), '<p>Who sold it?</p>')
  say(full, idOf(anna), '<p>Is it out?</p>', reply, [textFile('how to.txt', 'Pour water')])
  say(full, contact(5), '<p>It is, <i>sagt</i> der Kollege</p>', incoming)
  say(full, contact(0), 'Plain & simple', { ...incoming, source: 2 })
  account.timeEntries.put({
    id: account.nextId(),
    ticket_id: idOf(full),
    agent_id: idOf(anna),
    time_spent: '01:30',
    note: null,
    billable: true,
    executed_at: account.now(),
    ...account.times(),
  })

  const parent = write('The cause', { status: 7, responder_id: idOf(ben), type: 'Problem' })
  write('An effect', { parent_id: idOf(parent), priority: 4 })
  const solved = write('Solved', { responder_id: idOf(anna), group_id: idOf(billing) })
  changeTicket(account, solved, { status: 4 })
  const closed = write('Closed', { responder_id: idOf(anna) })
  changeTicket(account, closed, { status: 5 })
  write('Of an agent', { requester_id: idOf(anna), source: 3 })
  write('Of somebody without an address', { requester_id: contact(3), source: 3 })
  // The first message of a chat appears twice.
  const chat = write('From the chat', { source: 15, requester_id: contact(4) })
  say(chat, contact(4), chat.description, incoming)
  // In real accounts, calls have no subject, and some authors are missing.
  const call = write('A call', { source: 3 })
  tickets.change(call.id, { subject: '' })
  say(call, 82_000_000_000, '<p>By nobody</p>')
  write('שלום עולם مرحبا', { description: '<div dir="rtl">שלום</div>', requester_id: contact(2) })
  const blockedOne = write('By somebody who is blocked now', { requester_id: contact(6) })
  tickets.change(blockedOne.id, { requester_id: contact(1) })
  const goneOne = write('By somebody who is gone', { requester_id: contact(7) })
  tickets.change(goneOne.id, { requester_id: contact(119) })
  say(goneOne, contact(119), '<p>I am leaving</p>', incoming)
  const long = write('Long', { status: 3, description: `<p>${'Länge 🚢 '.repeat(2000)}</p>` })
  for (let at = 0; at < 105; at += 1)
    say(long, at % 2 ? idOf(anna) : contact(0), `<p>Word ${at}</p>`, at % 2 ? reply : incoming)
  for (let at = 0; at < 12; at += 1)
    write(`Plain ${at}`, { requester_id: contact(at + 8), tags: [`n${at}`], type: account.types[at % 6] ?? null })
  const gone = write('Deleted')
  tickets.change(gone.id, { deletedAt: clock.now() })
  const spam = write('Buy now')
  tickets.change(spam.id, { spam: true })
  seedSolutions(account, { admin, anna })
  account.mails.splice(0)
  return { full, old, quiet, gone, spam, long, contacts, companies }
}

function seedSolutions(account: Account, { admin, anna }: Pick<Staff, 'admin' | 'anna'>): void {
  const tick = () => account.clock.advance(minuteMs)
  const manuals = saveCategory(account, { name: 'Manuals', description: 'How things work' })
  saveCategory(account, { name: 'Empty' })
  const into = { category_id: idOf(manuals) }
  const printers = saveFolder(account, { ...into, name: 'Printers', description: 'All of them' })
  const laser = saveFolder(account, { ...into, name: 'Laser', parent_folder_id: idOf(printers) })
  const inside = saveFolder(account, { ...into, name: 'Inside', parent_folder_id: idOf(laser), visibility: 3 })
  const write = (folder: { id: string }, title: string, body: string, more: object = {}) => {
    tick()
    const place = { folder_id: idOf(folder), agent_id: idOf(admin) }
    return saveArticle(account, { title, description: body, status: 2, ...more }, place)
  }
  const attachments = keepFiles(account, [textFile('plan.txt', 'A plan of the exits')])
  const first = write(printers, 'Put it out', '<p>Use <b>water</b></p>', {
    tags: ['fire', 'safety'],
    agent_id: idOf(anna),
    seo_data: { meta_title: 'Fire' },
    attachments,
  })
  const german = { title: 'Lösch es', description: '<p>Mit Wasser</p>', status: 2 }
  account.articles.change(first.id, { translations: { de: german } })
  write(laser, 'Not yet', '<p>Soon</p>', { status: 1 })
  write(inside, 'For us', '<p>Prices</p>')
  for (let at = 0; at < 3; at += 1) write(printers, `Hint ${at}`, `<p>Hint ${at} 💡</p>`)
}
