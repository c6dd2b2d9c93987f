import type { Browser } from '../browse-records.ts'
import { isObject } from '../check-record.ts'
import type { FieldRule } from '../entities.ts'
import { type Fields, fieldsOf, type RecordRow } from '../rows.ts'
import { html, type Markup } from './html.ts'
import { moment } from './layout.ts'
import { showRichText } from './show-rich-text.ts'

const TITLES = ['subject', 'title', 'name', 'file_name', 'email']

/** The field that serves as a record's title, if it has one. People can edit it here. */
export function titleFieldOf(rules: Readonly<Record<string, unknown>>): string | undefined {
  return TITLES.find((name) => name in rules)
}

export function titleOf(row: RecordRow): string {
  const fields = fieldsOf(row)
  const name = titleFieldOf(fields)
  return name === undefined ? `${row.entity} ${row.id}` : String(fields[name])
}

export function linkTo(row: RecordRow | undefined): Markup {
  if (!row) return html`<span class="none">Gone</span>`
  return html`<a href="/${row.entity}/${row.id}"><bdi>${titleOf(row)}</bdi></a>`
}

/** Shows a value of any field in readable form. */
export function showValue(rule: FieldRule, value: unknown, browser: Browser, publicUrl: string): Markup {
  if (value === null || value === undefined) return html`<span class="none">–</span>`
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<span class="none">–</span>`
    return html`${value.map((item, index) => html`${index > 0 && ', '}${showOne(rule, item, browser, publicUrl)}`)}`
  }
  return showOne(rule, value, browser, publicUrl)
}

function showOne({ type }: Pick<FieldRule, 'type'>, value: unknown, browser: Browser, publicUrl: string): Markup {
  switch (type) {
    case 'rich_text':
      return html`<div class="text" dir="auto">${showRichText(String(value), publicUrl)}</div>`
    case 'long_text':
      return html`<span class="long" dir="auto">${String(value)}</span>`
    case 'relation':
      return linkTo(browser.byExternalId(String(value)))
    case 'user':
      return html`${browser.user(String(value))?.name ?? 'Unknown user'}`
    case 'datetime':
      return moment(String(value))
    case 'boolean':
      return html`${value === true ? 'Yes' : 'No'}`
    default:
      return html`<bdi>${plain(value)}</bdi>`
  }
}

export function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(', ')
  if (!isObject(value)) return String(value)
  const parts: Fields = value
  return Object.values(parts)
    .filter((part) => part !== null)
    .join(', ')
}
