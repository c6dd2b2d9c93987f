import { labelOf } from '../check-record.ts'
import { html, Markup } from './html.ts'

const SECTIONS = ['tickets', 'contacts', 'organizations', 'articles'] as const

const ANCHOR =
  '<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"><circle cx="12" cy="5" r="2.500"/><path d="M12 7.500V21M8 11h8M4 14c.5 4.500 4 7 8 7s7.500-2.500 8-7"/></svg>'

export const FAVICON = ANCHOR.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"').replace(
  'currentColor',
  '#0d6b57',
)

export interface Page {
  title: string
  /** The entity that the menu marks as current. */
  section: string
  body: Markup
  /** The address of the page's script. Most pages have none. */
  script?: string
}

export function renderPage({ title, section, body, script }: Page, accountName: string): string {
  const current = new Markup(' aria-current="page"')
  const links = SECTIONS.map((name) => html`<a href="/${name}"${name === section && current}>${labelOf(name)}</a>`)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Harbour</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/">${new Markup(ANCHOR)}<span>Harbour</span></a>
<nav class="menu" aria-label="Sections"><a href="/"${section === '' && current}>Overview</a>${links}<a href="/imports"${section === 'imports' && current}>Import</a></nav>
<span class="account">${accountName}</span>
</header>
<main id="main">
${body}
</main>
</body>
</html>
`.text
}

/** Times are shown in UTC; the exact time appears under the mouse pointer. */
export function moment(iso: string): Markup {
  const day = new Date(iso).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return html`<time datetime="${iso}" title="${iso.slice(0, 16).replace('T', ' ')} UTC">${day}</time>`
}

/** Like `moment`, with the time of day for recent events. */
export function clock(iso: string): Markup {
  const text = new Date(iso).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: 'UTC',
  })
  return html`<time datetime="${iso}">${text} UTC</time>`
}

export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
