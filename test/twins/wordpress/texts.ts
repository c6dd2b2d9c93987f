// How WordPress changes texts: https://developer.wordpress.org/reference/functions/. Each function below names the one
// it follows.

/** `_wp_specialchars` without quotes: existing entities stay. */
export const specialChars = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/&amp;(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});/gi, '&$1;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** `sanitize_text_field`: one line without tags. */
export const textField = (text: string): string => {
  const untagged = text.includes('<') ? text.replace(/<(?=[a-z/!?])[^>]*>?/gi, '').replaceAll('<', '&lt;') : text
  return untagged
    .replace(/[\r\n\t ]+/g, ' ')
    .trim()
    .replace(/%[a-f0-9]{2}/gi, '')
    .replace(/ +/g, ' ')
    .trim()
}

const commentTags = 'a abbr acronym b blockquote cite code del em i q s strike strong'.split(' ')

/**
 * `wp_filter_kses` keeps the few tags that comments and descriptions may have. Every other tag is removed, and its
 * words stay.
 */
export function kses(text: string): string {
  const normal = text
    .replace(/&/g, '&amp;')
    .replace(/&amp;(#0*\d{1,7}|#x0*[0-9a-f]{1,6}|[a-z][a-z0-9]{0,19});/gi, '&$1;')
  return normal.replace(/<!--[\s\S]*?-->|<(?:[^>]*>|$)|>/g, (part) => {
    if (part === '>') return '&gt;'
    if (part.startsWith('<!--')) return ''
    const [, close = '', name = '', attributes = ''] = /^<\s*(\/?)\s*([a-z][a-z0-9]*)([^>]*)>$/i.exec(part) ?? []
    if (name === '') return part === '<' || !part.endsWith('>') ? part.replace('<', '&lt;') : ''
    if (!commentTags.includes(name.toLowerCase())) return ''
    return close ? `</${name}>` : `<${name}${attributes.replace(/\s*\/?\s*$/, '')}>`
  })
}

/** `wp_rel_ugc` marks links of guests so that search engines do not follow them. */
export const relUgc = (html: string): string =>
  html.replace(/<a\s([^>]*)>/gi, (whole, attributes: string) =>
    /\srel=/i.test(` ${attributes}`) ? whole : `<a ${attributes.trim()} rel="nofollow ugc">`,
  )

/** `sanitize_title`: makes the slug of a title. */
export function slugOf(text: string): string {
  const plain = text
    .replace(/<[^>]*>/g, '')
    .normalize('NFC')
    .replace(/[À-ɏ]/g, (letter) => accents[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, ''))
  const octets = plain
    .replace(/%([a-f0-9]{2})/gi, '---$1---')
    .replaceAll('%', '')
    .replace(/---([a-f0-9]{2})---/gi, '%$1')
  const encoded = [...octets.toLowerCase()]
    .map((letter) => (letter.charCodeAt(0) < 128 ? letter : encodeURIComponent(letter.toWellFormed()).toLowerCase()))
    .join('')
  const cut = encoded.replace(/^(.{0,200}).*$/s, '$1').replace(/%[a-f0-9]?$/, '')
  return cut
    .replace(/&.+?;/g, '')
    .replaceAll('.', '-')
    .replace(/%c2%a0|%e2%80%93|%e2%80%94/g, '-')
    .replaceAll('/', '-')
    .replace(/%c2%(a1|bf|ab|bb|a9|ae|b0|b4|b7)|%e2%80%(a6|b9|ba|98|99|9a|9b|9c|9d|9e|9f|a2|8e|8f)|%e2%84%a2/g, '')
    .replace(/[^%a-z0-9 _-]/g, '')
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
}
const accents: Record<string, string> = {
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  ß: 's',
  Đ: 'D',
  đ: 'd',
  Ł: 'L',
  ł: 'l',
  Œ: 'OE',
  œ: 'oe',
}

/** `sanitize_file_name`. */
export const fileNameOf = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“\0]/g, '')
    .replace(/[\r\n\t -]+/g, '-')
    .replace(/^[.\-_]+|[.\-_]+$/g, '')

const blockTag = /<(p|div|ul|ol|table|h[1-6]|blockquote|figure|pre|hr|section|dl)\b/i

/** `wpautop`, with block comments removed: the HTML that readers of the site see. */
export function rendered(raw: string): string {
  if (raw.trim() === '') return ''
  if (raw.includes('<!-- wp:')) return raw.replace(/<!-- \/?wp:[\s\S]*?-->/g, '').replace(/\n{2,}/g, '\n\n')
  const shown = raw
    .replace(/\[caption[^\]]*\]([\s\S]*?)\[\/caption\]/g, '<figure>$1</figure>')
    .replace(/\[gallery[^\]]*\]/g, '')
  return shown
    .replace(/<\/(p|div|ul|ol|table|h[1-6]|blockquote|figure|pre)>(?=\s*\S)/g, '$&\n\n')
    .trim()
    .split(/\n\s*\n/)
    .map((part) => (blockTag.test(part) ? `${part}\n` : `<p>${part.trim().replace(/\n/g, '<br />\n')}</p>\n`))
    .join('')
    .replace(/<img (?![^>]*decoding=)/g, '<img decoding="async" ')
}

/** The substitute for a missing excerpt: the first words. */
export function excerptOf(content: string): string {
  const words = content
    .replace(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
  const more = words.length > 55 ? ' [&hellip;]' : ''
  return words.length === 0 ? '' : `<p>${words.slice(0, 55).join(' ')}${more}</p>\n`
}

/** True if a search finds the text: every word must occur. */
export const isFoundBy = (search: string, texts: readonly string[]): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => texts.some((text) => text.toLowerCase().includes(word)))
