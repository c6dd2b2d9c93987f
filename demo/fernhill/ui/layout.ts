import { type Html, html, trusted } from './html.ts'

const SECTIONS = [
  ['/', 'Tickets'],
  ['/contacts', 'Contacts'],
  ['/organizations', 'Organizations'],
  ['/articles', 'Articles'],
] as const

const FERN = trusted(
  '<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"><path d="M12 22C12 14 12 8 16 2"/><path d="M12 18c-3-.2-5-1.4-6.4-3.6M12 18c2.600-.3 4.600-1.300 6-3.300M12.200 13c-2.600-.2-4.300-1.200-5.400-3M12.200 13c2.300-.3 3.900-1.100 5.100-2.700M13 8.500c-1.900-.2-3.100-1-3.900-2.300M13 8.500c1.900-.1 3.300-.7 4.300-1.900"/></svg>',
)

export const FAVICON = FERN.markup
  .replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
  .replace('currentColor', '#2f7a4b')

export interface PageParts {
  title: string
  section: (typeof SECTIONS)[number][0]
  body: Html
}

export function renderPage({ title, section, body }: PageParts): string {
  const links = SECTIONS.map(
    ([path, label]) => html`<a href="${path}"${path === section && trusted(' aria-current="page"')}>${label}</a>`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Fernhill Desk</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/">${FERN}<span>Fernhill Desk</span></a>
<nav class="menu" aria-label="Sections">${links}</nav>
</header>
<main id="main">
${body}
</main>
<footer>Fernhill Garden Supplies · Help desk, read-only view</footer>
</body>
</html>
`.markup
}

/** Shows the day, such as "2 November 2026". The exact time in UTC appears under the mouse pointer. */
export function moment(iso: string): Html {
  const date = new Date(iso)
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  return html`<time datetime="${iso}" title="${iso.slice(0, 16).replace('T', ' ')} UTC">${day}</time>`
}

export function statusBadge(status: string): Html {
  return html`<span class="badge status-${status}">${status.replace('_', ' ')}</span>`
}

export function subjectText(subject: string): Html {
  return subject === '' ? html`<em class="none">No subject</em>` : html`<bdi>${subject}</bdi>`
}

export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

export function quantity(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
