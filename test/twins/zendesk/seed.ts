import { dayMs, hourMs, minuteMs } from '../clock.ts'
import { type Account, type Field, idOf, type User } from './account.ts'
import type { Guide } from './guide.ts'
import { importTicket } from './import-ticket.ts'
import { saveOrganization } from './organizations.ts'
import { saveUser } from './users.ts'

/** The agents. The first one owns the key. */
export function seedStaff(account: Account) {
  const { groups, groupMemberships, users, nextId, now } = account
  const times = { created_at: now(), updated_at: now() }
  const hire = (name: string, role: User['role']) => {
    const email = `${name.toLowerCase()}@example.test`
    return saveUser(account, { name, email, role, verified: true, skip_verify_email: true })
  }
  const form = (name: string, isDefault: boolean, members: User[]) => {
    const words = { name, description: `${name} of the account`, is_public: true }
    const group = groups.put({ id: nextId(), ...words, default: isDefault, ...times })
    for (const { id } of members) {
      const isFirst = groupMemberships.list(({ user_id }) => user_id === Number(id)).length === 0
      groupMemberships.put({ id: nextId(), user_id: Number(id), of_id: idOf(group), default: isFirst, ...times })
      if (isFirst) users.change(id, { default_group_id: idOf(group) })
    }
    return group
  }
  const [admin, anna, ben] = [hire('Admin', 'admin'), hire('Anna', 'agent'), hire('Ben', 'agent')]
  // Tickets cannot be assigned to an agent without a group.
  const loner = hire('Loner', 'agent')
  return {
    admin,
    anna,
    ben,
    loner,
    support: form('Support', true, [admin, anna, ben]),
    billing: form('Billing', false, [anna]),
  }
}

function seedFields({ fields, statuses, nextId, now }: Account) {
  const times = { created_at: now(), updated_at: now() }
  const make = (of: Field['of'], type: string, values: string[] = []) => {
    const title = `A ${type}`
    const options = values.map((value) => ({ id: Number(nextId()), name: `Choice ${value}`, value }))
    const state = { active: true, required: false, removable: true, tag: null, description: title }
    return fields.put({
      id: nextId(),
      of,
      type,
      title,
      key: of === 'ticket' ? null : `a_${type}`,
      options,
      ...state,
      ...times,
    })
  }
  const plain = ['text', 'textarea', 'checkbox', 'date', 'integer', 'decimal']
  const ofTickets = [...plain.map((type) => make('ticket', type)), make('ticket', 'tagger', ['t_red', 't_blue'])]
  ofTickets.push(make('ticket', 'multiselect', ['m_one', 'm_two', 'm_three']))
  for (const kind of ['user', 'organization'] as const) {
    for (const type of plain) make(kind, type)
    make(kind, 'dropdown', [`${kind}_gold`, `${kind}_silver`])
  }
  const words = { agent_label: 'Waiting for parts', end_user_label: 'In progress', description: 'Parts are on order' }
  const waiting = { status_category: 'pending', active: true, default: false }
  return { ofTickets, waiting: statuses.put({ id: nextId(), ...waiting, ...words, ...times }) }
}

const sample: Record<string, unknown> = {
  text: 'Some text',
  textarea: 'Two\nlines',
  checkbox: true,
  date: '2024-02-29',
  integer: 7,
  decimal: 2.5,
  tagger: 't_red',
  multiselect: ['m_one', 'm_three'],
}
const keyed = (of: string) => ({
  ...Object.fromEntries(
    Object.entries(sample)
      .slice(0, 6)
      .map(([type, value]) => [`a_${type}`, value]),
  ),
  a_dropdown: `${of}_gold`,
})

/** All peculiarities of real accounts, and more contacts and comments than a page holds. */
export function seedDesk(account: Account, { admin, anna, ben, support }: ReturnType<typeof seedStaff>) {
  const { clock } = account
  const { ofTickets, waiting } = seedFields(account)
  const values = () => ofTickets.map((field) => ({ id: idOf(field), value: sample[field.type] }))
  const organizations = ['Acme', 'Bolt & Sons', 'Crane'].map((name, at) => {
    clock.advance(minuteMs)
    const words = {
      details: `About ${name}`,
      notes: 'Pays late',
      tags: ['vip'],
      organization_fields: keyed('organization'),
    }
    return saveOrganization(account, { name, domain_names: [`c${at}.example.com`], ...(at === 0 && words) })
  })
  const contacts = Array.from({ length: 120 }, (_, at) => {
    clock.advance(minuteMs)
    return saveUser(account, {
      name: `Contact ${at}`,
      ...(at !== 3 && { email: `contact${at}@c0.example.com` }),
      ...(at % 3 === 0 && { organization_id: Number(organizations[at % 2]?.id) }),
      ...(at === 0 && {
        phone: '+441632960001',
        locale: 'de',
        time_zone: 'London',
        details: 'Rings often',
        notes: 'Kind',
      }),
      ...(at === 0 && { identities: [{ type: 'email', value: 'second@c0.example.com' }], user_fields: keyed('user') }),
      ...(at === 1 && { suspended: true }),
      skip_verify_email: true,
    })
  })
  const contact = (at: number) => idOf(contacts[at] ?? admin)
  const time = (hour: number) => new Date(Date.parse('2025-03-01T08:00:00Z') + hour * hourMs).toISOString()
  const file = (name: string, words: string) => {
    const id = account.nextId()
    const bytes = Buffer.from(words)
    const kept = { content_type: 'text/plain', bytes, inline: false, secret: `s${id}`, created_at: account.now() }
    account.attachments.put({ id, file_name: name, ...kept })
    account.uploads.put({ id: `seed${id}`, attachments: [id], until: clock.now() + hourMs })
    return `seed${id}`
  }
  const said = (hour: number, author: number, html: string, more = {}) => ({
    html_body: `<p>${html}</p>`,
    author_id: author,
    created_at: time(hour),
    ...more,
  })
  const write = (subject: string, body: Parameters<typeof importTicket>[1], isArchived = false) => {
    clock.advance(minuteMs)
    const comments = [said(0, body.requester_id ?? contact(0), `About ${subject}`)]
    const times = { created_at: time(0), updated_at: account.now() }
    return importTicket(account, { subject, requester_id: contact(0), comments, ...times, ...body }, admin, isArchived)
  }
  const picture = file('äöü.txt', '')
  const shown = `<img src="${account.origin}/attachments/token/${picture.replace('seed', 's')}/?name=%C3%A4%C3%B6%C3%BC.txt">`
  const full = write('Everything', {
    status: 'open',
    type: 'question',
    priority: 'high',
    assignee_id: idOf(anna),
    group_id: idOf(support),
    organization_id: Number(organizations[0]?.id),
    email_ccs: [{ user_id: contact(4) }],
    followers: [{ user_id: idOf(ben) }],
    tags: ['printer', 'fire'],
    custom_fields: values(),
    via: { channel: 'email' },
    comments: [
      said(0, contact(0), 'My <b>printer</b> burns', { uploads: [file('fire.txt', 'It burns')] }),
      said(1, idOf(anna), 'Who sold it?', { public: false }),
      said(2, idOf(anna), `Is it out? ${shown}`, { uploads: [file('how to.txt', 'Pour water'), picture] }),
      said(3, contact(4), 'It is', { via: { channel: 'email' } }),
    ],
  })
  const problem = write('The cause', { type: 'problem', status: 'hold', assignee_id: idOf(ben) })
  write('An effect', { type: 'incident', problem_id: idOf(problem), custom_status_id: idOf(waiting) })
  // The archive, which only exports show, contains the only ticket with a due time.
  write('Old', { type: 'task', due_at: time(48), status: 'closed', solved_at: time(5), assignee_id: idOf(ben) }, true)
  write('Solved', { status: 'solved', solved_at: time(9), assignee_id: idOf(anna) })
  write('Of an agent', { requester_id: idOf(anna) })
  write('Among us', { comments: [said(0, idOf(anna), 'Nobody outside sees this', { public: false })] })
  const author = contact(119)
  write('By somebody who is gone', { comments: [said(0, contact(0), 'Hello'), said(1, author, 'I am leaving')] })
  account.users.remove(String(author), { isKept: true })
  account.deletedAt.set(String(author), clock.now())
  const many = Array.from({ length: 105 }, (_, at) => said(at, at % 2 ? idOf(anna) : contact(0), `Word ${at}`))
  write('Long', { comments: many, status: 'pending', external_id: 'long' })
  for (let at = 0; at < 12; at += 1) write(`Plain ${at}`, { requester_id: contact(at + 5), tags: [`n${at}`] })
  const gone = write('Deleted', {})
  account.tickets.remove(gone.id, { isKept: true })
  account.deletedAt.set(`ticket ${gone.id}`, clock.now())
  return { full, contacts, organizations }
}

export function seedGuide(account: Account, guide: Guide, { admin, anna }: ReturnType<typeof seedStaff>): void {
  const { clock } = account
  const tick = () => clock.advance(minuteMs)
  const category = guide.make('categories', null, { title: 'Manuals', body: 'How things work' }, { position: 1 })
  tick()
  const section = guide.make('sections', idOf(category), { title: 'Printers', body: 'All of them' }, { position: 2 })
  const inner = { position: 1, parent_section_id: idOf(section) }
  const sub = guide.make('sections', idOf(category), { title: 'Laser', body: '' }, inner)
  const write = (title: string, body: string, of: number, more: Record<string, unknown> = {}, draft = false) => {
    tick()
    const rest = {
      author_id: idOf(anna),
      comments_disabled: false,
      promoted: false,
      label_names: [],
      content_tag_ids: [],
      permission_group_id: 360_100_000_001,
      user_segment_id: null,
      user_segment_ids: [],
      ...more,
    }
    return guide.make('articles', of, { title, body, draft, locale: 'en-us' }, { position: 3, more: rest })
  }
  const first = write('Put it out', '<p>Use <b>water</b></p>', idOf(section), { label_names: ['fire', 'safety'] })
  guide.translate(first, 'de', { title: 'Lösch es', body: '<p>Mit Wasser</p>' })
  const bytes = Buffer.from('A plan of the exits')
  const kept = { content_type: 'text/plain', bytes, inline: false, secret: '', created_at: account.now() }
  account.attachments.put({ id: account.nextId(), file_name: 'plan.txt', article_id: idOf(first), ...kept })
  write('Not yet', '<p>Soon</p>', idOf(sub), { author_id: idOf(admin) }, true)
  write('For us', '<p>Prices</p>', idOf(sub), { user_segment_id: 360_100_000_003 })
  clock.advance(dayMs)
}
