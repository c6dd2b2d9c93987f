import { hourMs, minuteMs } from '../clock.ts'
import type { Account, Company, Contact, Translation } from './account.ts'
import type { Staff } from './seed.ts'
import { arabic, authorOf, pen, picture, staffOf } from './seed-texts.ts'
import { addTicketAttribute, makeTicketType } from './ticket-types.ts'

export function seedTickets(account: Account, staff: Staff, people: readonly Contact[], companies: readonly Company[]) {
  const { file, part } = pen(account)
  const [ada, bo] = people as [Contact, Contact]
  const request = makeTicketType(account, { name: 'Request', category: 'Customer' })
  const bug = makeTicketType(account, { name: 'Bug 🐛', category: 'Back-office' })
  makeTicketType(account, { name: 'Old', isArchived: true })
  const add = (name: string, data_type: string, list_items?: string) => {
    const type = account.ticketTypes.get(request.id) ?? request
    return addTicketAttribute(account, type, { name, description: '', data_type, ...(list_items && { list_items }) })
  }
  const urgency = add('Urgency', 'list', 'Low, High')
  for (const [name, type] of Object.entries({ Place: 'string', Count: 'integer', Weight: 'decimal' })) add(name, type)
  for (const [name, type] of Object.entries({ Seen: 'boolean', Until: 'datetime' })) add(name, type)
  const make = (typeId: string, stateId: string, attributes: Record<string, unknown>, contactIds: string[]) => {
    account.clock.advance(hourMs)
    return account.tickets.put({
      id: account.nextId(),
      number: account.nextTicketNumber(),
      typeId,
      stateId,
      attributes,
      contactIds,
      companyId: companies[0]?.id ?? null,
      adminAssigneeId: 0,
      teamAssigneeId: 0,
      isOpen: stateId !== '8484',
      isShared: typeId === request.id,
      snoozedUntil: null,
      tagIds: [],
      linkedIds: [],
      previousStateId: null,
      createdAt: account.now(),
      updatedAt: account.now(),
    })
  }
  const values = {
    Urgency: urgency.items[1]?.id,
    Place: 'Quay 3',
    Count: 2,
    Weight: 1.25,
    Seen: true,
    Until: 1_900_000_000,
  }
  const text = { _default_title_: 'The boat leaks', _default_description_: 'Since Monday.\n<b>Much</b> water' }
  const first = make(request.id, '8485', { ...text, ...values }, [ada.id])
  account.tickets.change(first.id, { adminAssigneeId: Number(staff.otto.id), teamAssigneeId: Number(staff.support.id) })
  part(first.id, 'ticket_state_updated_by_admin', staffOf(staff.otto), null, {
    ticketState: ['submitted', 'in_progress'],
  })
  part(first.id, 'comment', authorOf(ada), '<p>It leaks still</p>')
  part(first.id, 'note', staffOf(staff.una), '<p>A pump?</p>', {
    fileIds: [file('pump.txt', 'text/plain', Buffer.from('A pump'))],
  })
  part(first.id, 'comment', staffOf(staff.otto), '<p>A pump is on its way</p>')
  make(bug.id, '8484', { _default_title_: 'Inside only' }, [bo.id])
  // A ticket without a title and without a contact.
  make(request.id, '8483', {}, [])
  for (let index = 0; index < 6; index += 1) make(request.id, '8481', { _default_title_: `Ticket ${index}` }, [bo.id])
}

export function seedArticles(account: Account, { una, otto }: Staff): void {
  const { file } = pen(account)
  const shot = file('map.gif', 'image/gif', picture)
  const collection = (
    name: string,
    parentId: string | null,
    translations: Record<string, { name: string; description: string }> = {},
  ) => {
    account.clock.advance(minuteMs)
    const at = { createdAt: account.now(), updatedAt: account.now() }
    const order = account.collections.size()
    return account.collections.put({
      id: account.nextId(),
      name,
      description: null,
      parentId,
      order,
      translations,
      ...at,
    })
  }
  const boats = collection('Boats', null, { de: { name: 'Boote', description: 'Alles über Boote' } })
  account.collections.change(boats.id, { description: 'All about boats' })
  const leaks = collection('Leaks 💧', boats.id)
  for (let index = 0; index < 3; index += 1) collection(`Shelf ${index}`, null)
  const article = (
    title: string,
    more: Partial<Translation & { parentId: number; translations: Record<string, Translation> }> = {},
  ) => {
    account.clock.advance(minuteMs)
    const at = { createdAt: account.now(), updatedAt: account.now() }
    const base = {
      title,
      description: '',
      body: '<p>Words</p>',
      authorId: Number(una.id),
      state: 'published' as const,
      ...at,
    }
    account.articles.put({ id: account.nextId(), ...base, parentId: null, translations: {}, ...more })
    return base
  }
  const base = { description: '', authorId: Number(otto.id), createdAt: account.now(), updatedAt: account.now() }
  const de = { ...base, title: 'Ein Leck', body: '<p>Pumpen!</p>', state: 'draft' as const }
  const ar = { ...base, title: 'تسرب', body: `<p>${arabic}</p>`, state: 'published' as const }
  article('A leak', {
    description: 'How to pump',
    body: `<h2>Pump</h2><p>See <img src="intercom-file:${shot}"></p>`,
    parentId: Number(leaks.id),
    translations: { de, ar },
  })
  article('A draft', { state: 'draft', body: '' })
  for (let index = 0; index < 6; index += 1) article(`Article ${index}`, { parentId: Number(boats.id) })
  const at = { createdAt: account.now(), updatedAt: account.now() }
  const inner = { body: '<p>Among us</p>', authorId: Number(una.id), ownerId: Number(otto.id), ...at }
  account.internalArticles.put({ id: account.nextId(), title: 'How we pump', ...inner })
}
