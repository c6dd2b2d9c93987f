import { type Browser, PAGE_ROWS } from '../browse-records.ts'
import { labelOf } from '../check-record.ts'
import type { EntityRules } from '../entities.ts'
import { isFileEntity } from '../files.ts'
import { customFieldsOf, fieldsOf, type RecordRow } from '../rows.ts'
import { html, type Markup } from './html.ts'
import { fileSize, moment, type Page } from './layout.ts'
import { linkTo, plain, showValue, titleFieldOf, titleOf } from './show-value.ts'

/** Columns of the most used lists. Other lists show the first few fields. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  tickets: ['status', 'priority', 'requester', 'assignee', 'tags'],
  contacts: ['emails', 'phones', 'organization'],
  organizations: ['domains', 'notes'],
  articles: ['status', 'category', 'author', 'labels'],
}

export interface PageContext {
  browser: Browser
  entities: Readonly<Record<string, EntityRules>>
  publicUrl: string
}

export function overviewPage({ browser, entities }: PageContext): Page {
  const counts = browser.counts()
  const [filled, empty] = [true, false].map((isFilled) =>
    Object.keys(entities).filter((entity) => counts.has(entity) === isFilled),
  )
  const cards = filled?.map(
    (entity) =>
      html`<li><a href="/${entity}"><strong>${counts.get(entity)?.toLocaleString('en-GB')}</strong> ${labelOf(entity)}</a></li>`,
  )
  const links = empty?.map((entity, index) => html`${index > 0 && ', '}<a href="/${entity}">${labelOf(entity)}</a>`)
  const body = cards?.length
    ? html`<h1>Your records</h1><ul class="cards">${cards}</ul>${links?.length !== 0 && html`<p class="none">Nothing yet in ${links}.</p>`}`
    : html`<h1>Your records</h1><p class="lead">Nothing has arrived yet. Records show up here as they come in.</p>
<p><a class="go" href="/imports">Import from another tool</a></p>`
  return { title: 'Overview', section: '', body }
}

export function listPage(context: PageContext, entity: string, rules: EntityRules, after: number): Page {
  const { browser } = context
  const rows = browser.list(entity, after)
  const title = titleFieldOf(rules)
  const columns = (COLUMNS[entity] ?? Object.keys(rules).filter((name) => name !== title && !isLong(rules, name)))
    .filter((name) => name in rules)
    .slice(0, 5)
  const body = rows.map((row) => {
    const fields = fieldsOf(row)
    const cells = columns.map((name) => {
      const rule = rules[name]
      const shown = rule && name in fields && showValue(rule, fields[name], browser, context.publicUrl)
      return html`<td data-label="${labelOf(name)}">${shown}</td>`
    })
    return html`<tr><td class="title">${linkTo(row)}</td>${cells}<td class="date">${moment(row.created_at)}</td></tr>`
  })
  const last = rows.at(-1)
  const heads = columns.map((name) => html`<th scope="col">${labelOf(name)}</th>`)
  return {
    title: labelOf(entity),
    section: entity,
    body: html`<h1>${labelOf(entity)} <span class="count">${browser.count(entity).toLocaleString('en-GB')}</span></h1>
${
  rows.length === 0
    ? html`<p class="none">No ${entity.replaceAll('_', ' ')} here.</p>`
    : html`<table class="list"><thead><tr><th scope="col">${labelOf(title ?? 'record')}</th>${heads}<th scope="col">Created</th></tr></thead><tbody>${body}</tbody></table>`
}
${rows.length === PAGE_ROWS && last && html`<p><a href="/${entity}?after=${last.id}">Next page</a></p>`}`,
  }
}

function isLong(rules: EntityRules, name: string): boolean {
  return rules[name]?.type === 'rich_text' || rules[name]?.type === 'long_text'
}

export function recordPage(context: PageContext, row: RecordRow, rules: EntityRules): Page {
  const { browser, publicUrl } = context
  const fields = fieldsOf(row)
  const long = Object.keys(rules).filter((name) => isLong(rules, name) && fields[name] !== undefined)
  const texts = long.map((name) => {
    const rule = rules[name]
    return html`<section class="message"><h2>${labelOf(name)}</h2>${rule && showValue(rule, fields[name], browser, publicUrl)}</section>`
  })
  return {
    title: titleOf(row),
    section: row.entity,
    body: html`<p class="crumb"><a href="/${row.entity}">${labelOf(row.entity)}</a></p>
<h1><bdi>${titleOf(row)}</bdi></h1>
<div class="record"><div>${texts}${isFileEntity(row.entity) && html`<p><a href="/files/${row.id}">Open the file</a></p>`}${thread(context, row)}${fileList(browser, row)}</div>
<aside>${facts(context, row, rules)}${editForm(row, rules)}</aside></div>`,
  }
}

function facts({ browser, publicUrl }: PageContext, row: RecordRow, rules: EntityRules): Markup {
  const fields = fieldsOf(row)
  const title = titleFieldOf(rules)
  const own = Object.entries(rules)
    .filter(([name]) => fields[name] !== undefined && name !== title && !isLong(rules, name))
    .map(([name, rule]) => fact(labelOf(name), showValue(rule, fields[name], browser, publicUrl)))
  const custom = Object.entries(customFieldsOf(row)).map(([key, { label, value }]) =>
    fact(String(label ?? key), html`<bdi>${plain(value)}</bdi>`),
  )
  const times = [fact('Created', moment(row.created_at)), fact('Changed', moment(row.updated_at))]
  return html`<dl>${own}${custom}${times}${fact('External id', html`<code>${row.external_id}</code>`)}</dl>`
}

function fact(label: string, value: Markup): Markup {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`
}

/** The comments on the record, oldest first. */
function thread({ browser, publicUrl }: PageContext, row: RecordRow): Markup {
  const field = { tickets: 'ticket', issues: 'issue', posts: 'post', pages: 'post' }[row.entity]
  const comments = field === undefined ? [] : browser.leadingTo(row.external_id, 'comments', field)
  return html`${comments.map((comment) => {
    const { body, author_agent, author, author_contact, author_name, is_public, is_private } = fieldsOf(comment)
    const agent = author_agent ?? author
    const who =
      agent !== undefined
        ? html`${browser.user(String(agent))?.name}`
        : author_contact !== undefined
          ? linkTo(browser.byExternalId(String(author_contact)))
          : html`${author_name === undefined ? 'Unknown' : String(author_name)}`
    const isNote = is_public === false || is_private === true
    return html`<article class="message${isNote && ' note'}"><header><strong>${who}</strong>${isNote && html`<span class="badge">Private note</span>`}${moment(comment.created_at)}</header>
${showValue(richText, body, browser, publicUrl)}${fileList(browser, comment)}</article>`
  })}`
}

const richText = { type: 'rich_text', many: false, required: false, maxLength: null, options: [], to: [] }

function fileList(browser: Browser, row: RecordRow): Markup | false {
  const files = browser.leadingTo(row.external_id, 'attachments', 'parent')
  if (files.length === 0) return false
  return html`<ul class="files">${files.map((file) => {
    const { file_name, size } = fieldsOf(file)
    return html`<li><a href="/files/${file.id}"><bdi>${String(file_name)}</bdi></a> <span>${fileSize(Number(size))}</span></li>`
  })}</ul>`
}

function editForm(row: RecordRow, rules: EntityRules): Markup | false {
  const name = titleFieldOf(rules)
  if (name === undefined || isFileEntity(row.entity)) return false
  return html`<form method="post" action="/${row.entity}/${row.id}">
<label for="value">${labelOf(name)}</label>
<input id="value" name="value" value="${titleOf(row)}" required maxlength="1000">
<button>Save</button></form>`
}
