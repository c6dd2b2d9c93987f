import { Type } from 'typebox'
import { answer, refuse } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  type Contact,
  closed,
  errorOf,
  fail,
  idShape,
  invalid,
  type Note,
  notFound,
  optional,
  workspace,
} from './account.ts'
import { askedInQuery, askedSize, cursorPages } from './paging.ts'
import { presentTag } from './people.ts'
import { contactShape, makeContact, mergeContact } from './save-contact.ts'
import { type Field, searcher, searchShape } from './search.ts'
import { shownName } from './texts.ts'

/** A contact contains at most ten of each; the rest needs another request. */
const mostInside = 10
const inside = (id: string, name: string, all: readonly { type: string; id: string; url: string }[]) => ({
  type: 'list',
  data: all.slice(0, mostInside),
  url: `/contacts/${id}/${name}`,
  total_count: all.length,
  has_more: all.length > mostInside,
})

export function presentContact(_account: Account, contact: Contact) {
  const { id, companyIds, tagIds, notes } = contact
  const of = (type: string, path: string, ids: readonly string[]) =>
    ids.map((one) => ({ type, id: one, url: `/${path}/${one}` }))
  return {
    type: 'contact',
    id,
    workspace_id: workspace,
    external_id: contact.externalId,
    role: contact.role,
    email: shownName(contact.email),
    phone: contact.phone,
    name: shownName(contact.name),
    avatar: contact.avatar === null ? null : { type: 'avatar', image_url: contact.avatar },
    owner_id: contact.ownerId,
    social_profiles: { type: 'list', data: [] },
    has_hard_bounced: false,
    marked_email_as_spam: false,
    unsubscribed_from_emails: contact.isUnsubscribed,
    created_at: contact.createdAt,
    updated_at: contact.updatedAt,
    signed_up_at: contact.signedUpAt,
    last_seen_at: contact.lastSeenAt,
    last_replied_at: null,
    language_override: contact.language,
    browser_language: null,
    location: { type: 'location', country: contact.country, region: null, city: contact.city },
    custom_attributes: contact.custom,
    tags: inside(id, 'tags', of('tag', 'tags', tagIds)),
    notes: inside(
      id,
      'notes',
      of(
        'note',
        'notes',
        notes.map((note) => note.id),
      ),
    ),
    companies: inside(id, 'companies', of('company', 'companies', companyIds)),
  }
}

/** A contact that was merged into another is gone permanently; the answer names the other. */
export function findContact({ contacts, merged }: Account, id: string): Contact {
  const contact = contacts.get(id)
  if (contact && !contact.isArchived) return contact
  let target = merged.get(id)
  while (target !== undefined && merged.has(target)) target = merged.get(target)
  if (target !== undefined)
    return refuse(
      410,
      errorOf('contact_merged', "This contact has been merged. See the 'Link' header for the canonical contact."),
      { link: `</contacts/${target}>; rel="canonical"` },
    )
  return notFound('User Not Found')
}

function fieldOf(account: Account, name: string): Field<Contact> | undefined {
  const plain: Record<string, Field<Contact>> = {
    id: { type: 'string', of: ({ id }) => id },
    role: { type: 'string', of: ({ role }) => role },
    name: { type: 'string', of: (one) => one.name },
    email: { type: 'string', of: ({ email }) => email },
    email_domain: { type: 'string', of: ({ email }) => email?.split('@')[1] },
    phone: { type: 'string', of: ({ phone }) => phone },
    external_id: { type: 'string', of: ({ externalId }) => externalId },
    owner_id: { type: 'string', of: ({ ownerId }) => ownerId },
    tag_id: { type: 'string', of: ({ tagIds }) => tagIds, only: ['=', '!='] },
    unsubscribed_from_emails: { type: 'boolean', of: ({ isUnsubscribed }) => isUnsubscribed },
    created_at: { type: 'date', of: ({ createdAt }) => createdAt },
    updated_at: { type: 'date', of: ({ updatedAt }) => updatedAt },
    signed_up_at: { type: 'date', of: ({ signedUpAt }) => signedUpAt },
    last_seen_at: { type: 'date', of: ({ lastSeenAt }) => lastSeenAt },
  }
  const [, custom = ''] = /^custom_attributes\.(.+)$/.exec(name) ?? []
  const attribute = account.dataAttributes.find((one) => one.model === 'contact' && one.name === custom)
  if (!attribute) return plain[name]
  const types = { boolean: 'boolean', integer: 'integer', float: 'integer', date: 'date', datetime: 'date' } as const
  const type = types[attribute.dataType as keyof typeof types] ?? 'string'
  return { type, of: (one) => one.custom[custom] }
}

export function contactOperations(account: Account): Operation[] {
  const { contacts, now, settings } = account
  const present = (one: Contact) => presentContact(account, one)
  const find = (id: string | undefined) => findContact(account, `${id}`)
  const isLive = ({ isArchived }: Contact) => !isArchived
  const history = { include_merge_history: /true|false/ }
  return [
    {
      method: 'GET',
      path: '/contacts',
      query: { ...history, per_page: /\d+/, starting_after: true, page: /\d+/ },
      act(request) {
        const { items, ...page } = cursorPages(contacts.list(isLive), askedInQuery(request, 50), (one) => one.createdAt)
        return answer(200, { type: 'list', data: items.map(present), ...page })
      },
    },
    {
      method: 'POST',
      path: '/contacts',
      json: closed(contactShape),
      act: ({ json }) => answer(200, present(makeContact(account, json))),
    },
    {
      method: 'POST',
      path: '/contacts/search',
      query: history,
      json: searchShape({ sort: optional(closed({ field: optional(Type.String()), order: optional(Type.String()) })) }),
      act({ json }) {
        const { query, pagination = {}, sort = {} } = json
        const { field = 'created_at', order = 'descending' } = sort
        if (order !== 'ascending' && order !== 'descending')
          fail(400, 'invalid_sort_order', `Invalid sort order '${order}'. Must be one of: ascending, descending`)
        const searched = { fieldOf: (name: string) => fieldOf(account, name), daysIn: settings.timeZone }
        const by = searched.fieldOf(field) ?? invalid(`'${field}' cannot be sorted by`)
        const isFound = searcher(query, searched)
        // The index forgets a deleted contact as late as it learns about a new one.
        const found = contacts.search((one) => isLive(one) && isFound(one))
        const asked = { perPage: askedSize(pagination.per_page, 50), after: pagination.starting_after ?? null }
        const keyOf = (one: Contact) => (by.of(one) as number | string | null) ?? 0
        const { items, ...page } = cursorPages(found, asked, keyOf, order === 'descending')
        return answer(200, { type: 'list', data: items.map(present), ...page })
      },
    },
    {
      method: 'GET',
      path: '/contacts/find_by_external_id/:id',
      query: history,
      act({ params }) {
        // Only users are found by this key, not leads.
        const [one] = contacts.list(
          (contact) => isLive(contact) && contact.role === 'user' && contact.externalId === params.id,
        )
        return answer(200, present(one ?? notFound('User Not Found')))
      },
    },
    {
      method: 'GET',
      path: '/contacts/:id',
      query: history,
      act: ({ params }) => answer(200, present(find(params.id))),
    },
    {
      method: 'PUT',
      path: '/contacts/:id',
      query: history,
      json: closed(contactShape),
      act: ({ params, json }) => answer(200, present(contacts.put(mergeContact(account, find(params.id), json)))),
    },
    {
      method: 'DELETE',
      path: '/contacts/:id',
      act({ params }) {
        const { id, externalId } = find(params.id)
        contacts.remove(id)
        return answer(200, { type: 'contact', id, external_id: externalId, deleted: true })
      },
    },
    ...[true, false].map(
      (isArchived): Operation => ({
        method: 'POST',
        path: `/contacts/:id/${isArchived ? 'archive' : 'unarchive'}`,
        act({ params }) {
          const known = contacts.get(`${params.id}`) ?? notFound('User Not Found')
          contacts.change(known.id, { isArchived })
          return answer(200, { type: 'contact', id: known.id, external_id: known.externalId, archived: isArchived })
        },
      }),
    ),
    {
      method: 'GET',
      path: '/contacts/:id/tags',
      act({ params }) {
        const tags = find(params.id).tagIds.flatMap((id) => account.tags.get(id) ?? [])
        return answer(200, { type: 'list', data: tags.map(presentTag) })
      },
    },
    {
      method: 'GET',
      path: '/contacts/:id/notes',
      query: { page: /\d+/, per_page: /\d+/ },
      act({ params }) {
        const { id, notes } = find(params.id)
        const data = notes.map((note) => presentNote(account, { type: 'contact', id }, note))
        return answer(200, { type: 'list', data, total_count: data.length, pages: null })
      },
    },
    {
      method: 'POST',
      path: '/contacts/:id/notes',
      json: closed({ body: Type.String(), admin_id: optional(idShape) }),
      act({ params, json }) {
        const { id, notes } = find(params.id)
        const adminId = json.admin_id === undefined ? null : String(json.admin_id)
        if (adminId !== null && !account.admins.get(adminId)) notFound()
        const note = { id: account.nextId(), body: `<p>${json.body}</p>`, adminId, createdAt: now() }
        contacts.change(id, { notes: [...notes, note], updatedAt: now() })
        return answer(200, presentNote(account, { type: 'contact', id }, note))
      },
    },
  ]
}

export function presentNote({ admins }: Account, on: { type: 'contact' | 'company'; id: string }, note: Note) {
  const author = note.adminId === null ? undefined : admins.get(note.adminId)
  return {
    type: 'note',
    id: note.id,
    created_at: note.createdAt,
    [on.type]: on,
    author: author ? { type: 'admin', id: author.id, name: author.name, email: author.email } : null,
    body: note.body,
  }
}
