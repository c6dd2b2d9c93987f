import { notFound } from '../errors.ts'
import type { Records } from '../records.ts'
import type { ContactRow } from '../rows.ts'
import { type Html, html } from './html.ts'
import { moment, type PageParts, quantity } from './layout.ts'
import { renderBody } from './render-body.ts'
import { renderMarkdown } from './render-markdown.ts'
import { ticketTable } from './ticket-pages.ts'

const PAGE_SIZE = 100

export function contactListPage(records: Records, after: number): PageParts {
  const rows = records.all('contacts', 'SELECT * FROM contacts WHERE id > ? ORDER BY id LIMIT ?', after, PAGE_SIZE + 1)
  const page = rows.slice(0, PAGE_SIZE)
  const more =
    rows.length > page.length &&
    html`<p class="more"><a href="/contacts?after=${page.at(-1)?.id}">More contacts</a></p>`
  return {
    title: 'Contacts',
    section: '/contacts',
    body: html`<div class="heading"><h1>Contacts</h1><span class="count">${records.count('contacts')}</span></div>${contactTable(records, page)}${more}`,
  }
}

export function contactPage(records: Records, id: number): PageParts {
  const contact = records.row('contacts', id)
  if (!contact) throw notFound('This contact')
  const organization =
    contact.organization_id === null ? undefined : records.row('organizations', contact.organization_id)
  const tickets = records.all(
    'tickets',
    'SELECT * FROM tickets WHERE requester_id = ? ORDER BY number DESC LIMIT 100',
    id,
  )
  const reach: string[] = [...JSON.parse(contact.emails), ...JSON.parse(contact.phones)]
  return {
    title: contact.name,
    section: '/contacts',
    body: html`<p class="crumb"><a href="/contacts">Contacts</a></p><h1><bdi>${contact.name}</bdi></h1>
<p class="facts">${[...reach.map((item) => html`<span>${item}</span>`)]}${organization && html`<a href="/organizations/${organization.id}">${organization.name}</a>`}</p>
${contact.notes && html`<p class="notes">${contact.notes}</p>`}
<h2>Tickets</h2>${tickets.length === 0 ? html`<p class="empty">No tickets yet.</p>` : ticketTable(records, tickets)}`,
  }
}

export function organizationListPage(records: Records): PageParts {
  const rows = records.all('organizations', 'SELECT * FROM organizations ORDER BY name').map(
    (
      organization,
    ) => html`<tr><td class="subject"><a href="/organizations/${organization.id}">${organization.name}</a></td>
<td class="who">${(JSON.parse(organization.domains) as string[]).join(', ')}</td>
<td class="owner">${quantity(records.count('contacts WHERE organization_id = ?', organization.id), 'contact')}</td>
<td class="date">${quantity(records.count('tickets WHERE organization_id = ?', organization.id), 'ticket')}</td></tr>`,
  )
  return {
    title: 'Organizations',
    section: '/organizations',
    body: html`<h1>Organizations</h1><table class="list"><thead><tr><th>Name</th><th>Domain</th><th>Contacts</th><th>Tickets</th></tr></thead><tbody>${rows}</tbody></table>`,
  }
}

export function organizationPage(records: Records, id: number): PageParts {
  const organization = records.row('organizations', id)
  if (!organization) throw notFound('This organization')
  const contacts = records.all(
    'contacts',
    'SELECT * FROM contacts WHERE organization_id = ? ORDER BY name LIMIT 100',
    id,
  )
  const tickets = records.all(
    'tickets',
    'SELECT * FROM tickets WHERE organization_id = ? ORDER BY number DESC LIMIT 100',
    id,
  )
  return {
    title: organization.name,
    section: '/organizations',
    body: html`<p class="crumb"><a href="/organizations">Organizations</a></p><h1>${organization.name}</h1>
<p class="facts">${[organization.phone, organization.address].filter((item) => item !== null).map((item) => html`<span>${item}</span>`)}</p>
${organization.notes && html`<p class="notes">${organization.notes}</p>`}
<h2>Contacts</h2>${contactTable(records, contacts)}
<h2>Tickets</h2>${tickets.length === 0 ? html`<p class="empty">No tickets yet.</p>` : ticketTable(records, tickets)}`,
  }
}

export function articleListPage(records: Records): PageParts {
  const sections = records.all('categories', 'SELECT * FROM categories ORDER BY position').map((category) => {
    const articles = records.all(
      'articles',
      'SELECT * FROM articles WHERE category_id = ? ORDER BY position',
      category.id,
    )
    const items = articles.map(
      ({ id, title, status }) =>
        html`<li><a href="/articles/${id}">${title}</a>${status === 'draft' && html` <span class="badge">draft</span>`}</li>`,
    )
    return html`<section><h2>${category.name}</h2><p>${category.description}</p><ul>${items}</ul></section>`
  })
  return {
    title: 'Articles',
    section: '/articles',
    body: html`<h1>Articles</h1><div class="shelves">${sections}</div>`,
  }
}

export function articlePage(records: Records, id: number, publicUrl: string): PageParts {
  const article = records.row('articles', id)
  if (!article) throw notFound('This article')
  const body = records.withLinks(article.body)
  const author = records.row('agents', article.author_id)
  return {
    title: article.title,
    section: '/articles',
    body: html`<p class="crumb"><a href="/articles">Articles</a></p>
<article class="prose" lang="${article.locale}"><h1>${article.title}</h1>
<p class="facts"><span>${author?.name}</span><span>${moment(article.updated_at)}</span>${article.status === 'draft' && html`<span class="badge">draft</span>`}</p>
<div class="text">${article.format === 'html' ? renderBody(body, publicUrl) : renderMarkdown(body)}</div></article>`,
  }
}

function contactTable(records: Records, contacts: readonly ContactRow[]): Html {
  if (contacts.length === 0) return html`<p class="empty">No contacts yet.</p>`
  const rows = contacts.map((contact) => {
    const organization =
      contact.organization_id === null ? undefined : records.row('organizations', contact.organization_id)
    return html`<tr><td class="subject"><a href="/contacts/${contact.id}"><bdi>${contact.name}</bdi></a></td>
<td class="who">${(JSON.parse(contact.emails) as string[]).join(', ') || html`<span class="none">No e-mail</span>`}</td>
<td class="owner">${organization?.name}</td>
<td class="date">${quantity(records.count('tickets WHERE requester_id = ?', contact.id), 'ticket')}</td></tr>`
  })
  return html`<table class="list"><thead><tr><th>Name</th><th>E-mail</th><th>Organization</th><th>Tickets</th></tr></thead><tbody>${rows}</tbody></table>`
}
