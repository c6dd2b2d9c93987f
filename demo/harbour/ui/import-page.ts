import type { Tool } from '../../../sdk/src/index.ts'
import type { Board } from '../follow-imports.ts'
import type { ReceivedMessage } from '../keep-messages.ts'
import { html, type Markup } from './html.ts'
import { importCard, olderImports } from './import-card.ts'
import { clock, type Page } from './layout.ts'

export interface ImportPageContext {
  board: Board
  messages: readonly ReceivedMessage[]
  /** The origin of the portal. */
  portalOrigin: string
  messagesUrl: string
  signedInAs: string
  /** Harbour's entities, in the order of its pages. */
  entities: readonly string[]
  /** The idempotency key. A second press of the same button returns the same import. */
  key: string
  notice: string | null
}

const FAMILIES: Readonly<Record<string, string>> = {
  helpdesk: 'Help desk',
  project: 'Projects',
  blog: 'Blog',
  crm: 'Customers and deals',
}

export function importPage(context: ImportPageContext): Page {
  const { board, notice } = context
  return {
    title: 'Import',
    section: 'imports',
    script: '/live.js',
    body: html`<h1>Import from another tool</h1>
<p class="lead">Copy your data from the tool that you used before. You connect that tool, see a free sample in Harbour, and then decide. Nothing in that tool is changed or deleted.</p>
${notice !== null && html`<p class="notice" role="alert">${notice}</p>`}
${toolForm(board.tools, context.key)}
<p id="news" class="unseen" role="status"></p>
<div id="live">${livePart(context)}</div>`,
  }
}

/** The part of the page that the script reloads regularly. */
export function livePart(context: ImportPageContext): Markup {
  const { board, messages, portalOrigin, messagesUrl, signedInAs, entities } = context
  const labels = new Map(board.tools.map(({ name, label }) => [name, label]))
  const cards = board.imports.map((imp) =>
    importCard(imp, { sourceLabel: labels.get(imp.source_tool) ?? imp.source_tool, portalOrigin, entities }),
  )
  return html`${board.problem !== null && html`<p class="notice">${board.problem}</p>`}
<section aria-labelledby="imports"><h2 id="imports">Imports of ${signedInAs}</h2>
${cards.length > 0 ? cards : html`<p class="empty">None yet. Choose a tool above, and follow the import here.</p>`}
${olderImports(board.older, portalOrigin)}</section>
<section aria-labelledby="messages"><h2 id="messages">Messages from Wherry</h2>
${messages.length > 0 ? messageList(messages) : html`<p class="empty">None yet. Wherry sends one to <code>${messagesUrl}</code> with every change of status, and Harbour checks its signature.</p>`}</section>`
}

/** Shown by a Harbour that has no partner account at Wherry. */
export function unconnectedPage(): Page {
  return {
    title: 'Import',
    section: 'imports',
    body: html`<h1>Import from another tool</h1>
<p class="lead">Harbour imports data through Wherry, and does not know Wherry’s address yet.</p>
<p class="empty">Wherry’s own <code>npm start</code> starts a Harbour that is connected. To connect this one, start it with <code>--wherry-url</code>, <code>--wherry-token</code> and <code>--webhook-secret</code>; the operator of Wherry gets the last two from <code>npx wherry partner create</code>.</p>`,
  }
}

function toolForm(tools: readonly Tool[], key: string): Markup {
  if (tools.length === 0) return html`<p class="empty">There is no tool to import from at the moment.</p>`
  const buttons = tools.map(
    ({ name, label, families }) => html`<li><button name="source_tool" value="${name}">
<span class="plate" aria-hidden="true">${monogram(label)}</span><span><strong>${label}</strong><small>${families.map((family) => FAMILIES[family] ?? family).join(', ')}</small></span></button></li>`,
  )
  return html`<form method="post" action="/imports" class="tools"><input type="hidden" name="key" value="${key}">
<ul aria-label="Tools to import from">${buttons}</ul></form>`
}

function monogram(label: string): string {
  const words = label.split(/\s+/).filter((word) => /^\p{L}/u.test(word))
  return (words.length > 1 ? words.slice(0, 2).map((word) => word.charAt(0)) : [label.slice(0, 2)])
    .join('')
    .toUpperCase()
}

function messageList(messages: readonly ReceivedMessage[]): Markup {
  const rows = messages.map(
    ({ import: id, status, sequence, times, received_at }) => html`<tr>
<td class="title">${status ?? 'Not shown: anyone could have sent it'}</td>
<td data-label="Number">${sequence ?? '–'}</td>
<td data-label="Import">${id === null ? '–' : html`<code>${shortId(id)}</code>`}</td>
<td data-label="Signature">${id === null ? html`<span class="state stopped">Refused</span>` : html`<span class="state verified">Verified</span>`}${times > 1 && html` <small>came ${times} times</small>`}</td>
<td data-label="Received" class="date">${clock(received_at)}</td></tr>`,
  )
  return html`<table class="list"><thead><tr><th scope="col">Status</th><th scope="col">Number</th><th scope="col">Import</th><th scope="col">Signature</th><th scope="col">Received</th></tr></thead><tbody>${rows}</tbody></table>`
}

/** The end of an id is enough to tell imports apart. The card shows the whole id. */
function shortId(id: string): string {
  return `…${id.slice(-6)}`
}
