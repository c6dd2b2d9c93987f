import type { Import, ImportEntry, StatusCode } from '../../../sdk/src/index.ts'
import { labelOf } from '../check-record.ts'
import { html, type Markup } from './html.ts'
import { clock } from './layout.ts'

interface Standing {
  tone: 'waiting' | 'moving' | 'verified'
  /** A sentence about the current work or the customer's next step. */
  text: string
}

const STANDINGS: Readonly<Record<StatusCode, Standing>> = {
  collecting_credentials: { tone: 'waiting', text: 'Next: connect the account that the data comes from.' },
  waiting_to_start_sample_migration: { tone: 'waiting', text: 'Next: start the free sample.' },
  sample_migration_in_progress: { tone: 'moving', text: 'A sample is being copied.' },
  sample_migration_completed: {
    tone: 'waiting',
    text: 'The sample is in Harbour. Next: look at it, then start the full migration.',
  },
  in_preparation: { tone: 'waiting', text: 'Next: start the full migration.' },
  migration_in_progress: { tone: 'moving', text: 'Everything is being copied. You may close this window.' },
  migration_completed: { tone: 'verified', text: 'Everything that could be copied is in Harbour.' },
  undo_in_progress: { tone: 'moving', text: 'The copied records are being removed.' },
  migration_cleaned: { tone: 'verified', text: 'The copied records have been removed.' },
}
const UNKNOWN: Standing = { tone: 'waiting', text: '' }

/** In these statuses Harbour can still change its decision, because the full migration has not started. */
const UNDECIDED_UNTIL: readonly string[] = [
  'collecting_credentials',
  'waiting_to_start_sample_migration',
  'sample_migration_in_progress',
  'sample_migration_completed',
  'in_preparation',
]

export interface CardContext {
  sourceLabel: string
  portalOrigin: string
  /** Harbour's entities, in the order of its pages. */
  entities: readonly string[]
}

export function importCard(imp: Import, { sourceLabel, portalOrigin, entities }: CardContext): Markup {
  const { tone, text } = STANDINGS[imp.status_code] ?? UNKNOWN
  const titleId = `title-${imp.id}`
  return html`<article class="import" id="${imp.id}" aria-labelledby="${titleId}" data-news="${sourceLabel}: ${imp.status}">
<header><h3 id="${titleId}">${sourceLabel}</h3><span class="state ${tone}">${imp.status}</span></header>
<p class="made">Created ${clock(imp.created_at)} · <code>${imp.id}</code></p>
<p>${text}</p>
${tone === 'moving' && progress(imp)}${figures(imp, entities)}${warnings(imp)}
<p class="actions"><a class="go" id="go-${imp.id}" href="${portalOrigin}/imports/${imp.id}/${imp.token}">Open the import</a>${Object.keys(imp.items).length > 0 && html`<a href="/" id="see-${imp.id}">See your records</a>`}</p>
${sponsorship(imp)}</article>`
}

export function olderImports(entries: readonly ImportEntry[], portalOrigin: string): Markup | false {
  if (entries.length === 0) return false
  const lines = entries
    .slice(0, 50)
    .map(
      ({ id, token, status, created_at }) =>
        html`<li><a href="${portalOrigin}/imports/${id}/${token}">${clock(created_at)}</a> ${status}</li>`,
    )
  return html`<details id="older"><summary>Older imports (${entries.length.toLocaleString('en-GB')})</summary><ul>${lines}</ul></details>`
}

function progress({ id, progress: { done, total } }: Import): Markup {
  if (!total) return html`<p>Counting the records…</p>`
  const numbers = `${done.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} records`
  return html`<p class="progress"><progress aria-labelledby="done-${id}" max="${total}" value="${Math.min(done, total)}"></progress><span id="done-${id}">${numbers}</span></p>`
}

function figures({ items, users }: Import, entities: readonly string[]): Markup | false {
  const shown = Object.entries(items)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => entities.indexOf(a) - entities.indexOf(b))
  if (shown.length === 0) return false
  const figure = (name: string, count: number) =>
    html`<li><strong>${count.toLocaleString('en-GB')}</strong> ${labelOf(name)}</li>`
  return html`<ul class="figures" aria-label="Copied to Harbour">${shown.map(([name, count]) => figure(name, count))}${users.matched > 0 && figure('people_matched', users.matched)}</ul>`
}

function warnings({ id, warnings: list = [] }: Import): Markup | false {
  if (list.length === 0) return false
  const lines = list.map(
    ({ entity, count, message }) =>
      html`<li>${message} <small>${labelOf(entity)}: ${count.toLocaleString('en-GB')}</small></li>`,
  )
  const title = list.length === 1 ? 'One thing to know' : `${list.length} things to know`
  return html`<details class="warnings" id="warnings-${id}"><summary>${title}</summary><ul>${lines}</ul></details>`
}

function sponsorship({ id, sponsorship: word, status_code }: Import): Markup {
  const decided = { undecided: 'Not decided yet.', accepted: 'Harbour pays.', rejected: 'The customer pays.' }[word]
  if (!UNDECIDED_UNTIL.includes(status_code)) return html`<p class="pays">Full migration: ${decided}</p>`
  const button = (decision: string, label: string, isChosen: boolean) =>
    html`<button name="decision" value="${decision}" id="${decision}-${id}" aria-pressed="${isChosen ? 'true' : 'false'}">${label}</button>`
  return html`<form method="post" action="/imports/${id}/payment" class="pays">
<p>Who pays for the full migration? <strong>${decided}</strong> <small>Harbour’s staff decide this. In this demo you are the staff and the customer.</small></p>
<div>${button('accept', 'Harbour pays', word === 'accepted')}${button('reject', 'The customer pays', word === 'rejected')}</div></form>`
}
