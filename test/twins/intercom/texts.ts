import type { Account } from './account.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeHtml = (text: string) => text.replace(/[&<>]/g, (sign) => escapes[sign] ?? sign)
/** Answers have names and addresses as HTML, though they are taken as text. */
export const shownName = <T>(text: T): T =>
  (typeof text === 'string' ? escapeHtml(text).replaceAll("'", '&#39;').replaceAll('"', '&quot;') : text) as T
export const shownAuthor = <T extends { name?: unknown; email?: unknown }>(author: T): T => ({
  ...author,
  name: shownName(author.name),
  email: shownName(author.email),
})
const unescapeHtml = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** Plain text is escaped, so tags in it are shown. */
export const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((one) => `<p>${escapeHtml(one).replaceAll('\n', '<br>')}</p>`)
    .join('\n')

const kept = new Set(
  ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'a', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4'].concat(
    'code,pre,blockquote,img,table,tbody,thead,tr,td,th,hr,iframe,div,span'.split(','),
  ),
)

/** "Some HTML formatting": other tags are removed and their content stays; scripts are removed with their content. */
export function someHtml(html: string): string {
  const clean = html
    .replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<\/?([a-z][a-z0-9]*)\b[^>]*>/gi, (tag, name: string) => (kept.has(name.toLowerCase()) ? tag : ''))
    .replace(/\son\w+="[^"]*"/gi, '')
  return /^\s*<(p|ul|ol|h\d|pre|table|div|blockquote)\b/i.test(clean) ? clean : `<p>${clean}</p>`
}

/** The text as `display_as=plaintext` shows it. */
export const plainText = (html: string): string =>
  unescapeHtml(
    html
      .replace(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gi, '$2 ($1)')
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/<\/(p|li|h\d)>\s*/gi, '\n\n')
      .replace(/<[^>]+>/g, ''),
  ).trim()

const fileMs = 30 * 60_000

/** An address on the second host that opens a file for half an hour; every answer has a new one. */
export function signFile({ files, host }: Account, id: string): string {
  const file = files.get(id)
  if (!file || !host) return 'https://downloads.invalid/gone'
  // Large pictures need one more redirect.
  const hops = file.contentType.startsWith('image/') ? 1 : 0
  return host.sign(file.bytes, file.contentType, { forMs: fileMs, hops })
}

export const withFiles = (account: Account, html: string | null): string | null =>
  html?.replace(/intercom-file:(\w+)/g, (_all, id: string) => signFile(account, id)) ?? null
