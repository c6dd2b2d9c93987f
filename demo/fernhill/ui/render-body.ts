import { escapeHtml, type Html, trusted } from './html.ts'

const PLAIN_TAGS = 'p|br|hr|strong|b|em|i|u|s|ul|ol|li|blockquote|pre|code|table|thead|tbody|tr|th|td|h2|h3|h4'
const PLAIN = new RegExp(`&lt;(/?)(${PLAIN_TAGS})( dir=&quot;(?:rtl|ltr)&quot;)? ?/?&gt;`, 'g')
const LINK = /&lt;a href=&quot;(https?:\/\/(?:[^\s&]|&amp;)*)&quot;&gt;/g
const VOID_TAGS = new Set(['br', 'hr', 'img'])

/**
 * Shows an untrusted message. It escapes everything, then turns only the harmless tags of a list back into tags.
 * Unknown markup is shown as text. If the known tags do not nest, the message is shown as plain text, because an
 * unclosed table would swallow the rest of the page.
 */
export function renderBody(body: string, publicUrl: string): Html {
  const escaped = escapeHtml(body)
  const markup = escaped
    .replace(PLAIN, (_match, slash: string, tag: string, direction = '') =>
      tag === 'p' && slash === '' && direction === ''
        ? '<p dir="auto">'
        : `<${slash}${tag}${direction.replaceAll('&quot;', '"')}>`,
    )
    .replace(LINK, '<a href="$1" rel="nofollow noopener noreferrer">')
    .replaceAll('&lt;/a&gt;', '</a>')
    .replace(ownImage(publicUrl), '<img src="/attachments/$1" alt="$2" loading="lazy">')
    // Entities of the message were escaped, too. These few are harmless text.
    .replace(/&amp;(amp|lt|gt|quot|nbsp|#39);/g, '&$1;')
  return trusted(tagsNest(markup) ? markup : `<pre class="raw">${escaped}</pre>`)
}

function ownImage(publicUrl: string): RegExp {
  const origin = escapeHtml(publicUrl).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`&lt;img src=&quot;${origin}/attachments/(\\d+)&quot; alt=&quot;([^&<>]*)&quot;&gt;`, 'g')
}

function tagsNest(markup: string): boolean {
  const open: string[] = []
  for (const [, slash, tag = ''] of markup.matchAll(/<(\/?)([a-z0-9]+)/g)) {
    if (VOID_TAGS.has(tag)) continue
    if (slash === '') open.push(tag)
    else if (open.pop() !== tag) return false
  }
  return open.length === 0
}
