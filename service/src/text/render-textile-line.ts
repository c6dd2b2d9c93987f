import { type Inline, type Losses, type Mark, plainText } from './document.ts'
import { asEntities, asEntity, codeTag, escapeTextile, percent, textileUrl } from './escape-textile.ts'
import { escapeSigns } from './redmine-signs.ts'

const delimiters: Partial<Record<Mark, string>> = { strong: '*', em: '_', del: '-', u: '+', sub: '~', sup: '^' }

interface Place {
  losses: Losses
  isLink: boolean
}

/**
 * Renders inlines. `before` is the last character so far, `after` the next few: both determine the meaning of a sign.
 */
export function renderInlines(inlines: Inline[], place: Place, before: string, after: string): string {
  const pieces: string[] = []
  let tail = before
  for (const [index, inline] of inlines.entries()) {
    const piece = renderInline(inline, place, tail, following(inlines, index, after))
    pieces.push(piece)
    if (piece !== '') tail = piece.slice(-1)
  }
  return pieces.join('')
}

function following(inlines: Inline[], index: number, after: string): string {
  const next = inlines[index + 1]
  if (next === undefined) return after
  if (next.type === 'break') return '\n'
  if (next.type !== 'text') return 'x'
  return next.value.length >= 4 ? next.value.slice(0, 4) : next.value + following(inlines, index + 1, after)
}

function renderInline(inline: Inline, place: Place, before: string, after: string): string {
  // Redmine recognizes a delimiter only at the beginning or end of a word.
  const alone = /^$|[\s(]/.test(before) && /^(?:$|[\s.,;:!?)])/.test(after)
  switch (inline.type) {
    case 'text':
      return escapeSigns(inline.value, place.isLink, (text) => escapeTextile(text, before), asEntity)
    case 'code':
      if (alone && /^[\w ./:;,=+-]+$/.test(inline.value)) return `@${inline.value}@`
      return codeTag.test(inline.value)
        ? pad(before, after, `@${asEntities(inline.value)}@`)
        : `<code>${inline.value}</code>`
    case 'break':
      return '\n'
    case 'image':
      return renderImage(inline, place, before, after)
    case 'link':
      return renderLink(inline, place, before, after)
    case 'abbr': {
      const content = renderInlines(inline.children, place, before, '(')
      const isShort = /^[A-Z][A-Z0-9]{2,}$/.test(content) && /^[\p{L}\p{N} .,-]+$/u.test(inline.meaning)
      if (isShort && /^$|[^\p{L}\p{N}]$/u.test(before)) return `${content}(${inline.meaning})`
      return `${content} (${renderInlines([{ type: 'text', value: inline.meaning }], place, '(', ')')})`
    }
    case 'mark': {
      const text = plainText(inline.children)
      const firm = /^[\p{L}\p{N}]/u.test(text) && /[\p{L}\p{N}]$/u.test(text) && !text.includes('\n')
      const isText = inline.children.every((child) => child.type === 'text')
      const delimiter = delimiters[inline.mark]
      const line = renderInlines(inline.children, place, '*', '*')
      const content = isText && delimiter ? line.replaceAll(delimiter, asEntity) : line
      const edges = /^[\p{L}\p{N}]/u.test(content) && /[\p{L}\p{N}]$/u.test(content)
      if (delimiter && alone && firm && edges && !content.includes(delimiter)) return delimiter + content + delimiter
      place.losses.add(inline.mark === 'mark' ? 'highlight_removed' : 'formatting_removed')
      return renderInlines(inline.children, place, before, after)
    }
  }
}

/** Adds spaces around text that must not touch a word. */
const pad = (before: string, after: string, text: string) =>
  (/^$|\s$/.test(before) ? '' : ' ') + text + (/^(?:$|\s)/.test(after) ? '' : ' ')

type Image = Extract<Inline, { type: 'image' }>

function renderImage(image: Image, { losses }: Place, before: string, after: string, href = ''): string {
  const alt = image.alt.replace(/[^\p{L}\p{N} .,-]/gu, ' ').trim()
  if (/^(?:data|cid):/i.test(image.src)) {
    losses.add('image_removed')
    return escapeTextile(image.alt, before)
  }
  const src = textileUrl(image.src).replaceAll('!', percent)
  return pad(before, after, `!${src}${alt === '' ? '' : `(${alt})`}!${href === '' ? '' : `:${href}`}`)
}

/** An invisible separator that ends a word or an address. */
const noSign = '<notextile></notextile>'

/** Addresses that Redmine turns into a link after `"words":`. */
const linkable = /^(?:https?:\/\/|mailto:|\/)[\p{L}\p{N}_/]\S/u

function renderLink(link: Extract<Inline, { type: 'link' }>, place: Place, before: string, after: string): string {
  const text = plainText(link.children)
  const isBare = link.children.every((child) => child.type === 'text') && text === link.href
  const startsWord = before === '' || /[\s(]/.test(before)
  // A bare address is a link in Redmine, and reads better.
  if (isBare && startsWord && /^(?:$|\s)/.test(after) && /^https?:\/\/[\w./?=#%&:-]*[\w/]$/.test(text)) return text
  const address = textileUrl(link.href)
  if (!linkable.test(address)) return withAddress(link, text, place, before, after)
  const image = link.children.length === 1 ? link.children[0] : undefined
  if (image?.type === 'image' && !/^(?:data|cid):/i.test(image.src)) {
    return renderImage(image, place, before, after, address)
  }
  const inside = { ...place, isLink: true }
  const content = renderInlines(link.children, inside, '"', '"').replace(/\n/g, ' ').replace(/[()]/g, asEntity)
  const title = link.title.replace(/[^\p{L}\p{N} .,-]/gu, ' ').trim()
  const ends = /^(?:$|\s|[.,:!?]+(?:\s|$))/.test(after)
  const written = `"${content || address}${title === '' ? '' : `(${title})`}":${address}`
  return `${startsWord ? '' : noSign}${written}${ends ? '' : noSign}`
}

/** Writes an address that Redmine would not link beside its words. An anchor within the text is dropped. */
function withAddress(
  { href, children }: Extract<Inline, { type: 'link' }>,
  text: string,
  place: Place,
  before: string,
  after: string,
): string {
  place.losses.add(href.startsWith('#') ? 'anchor_removed' : 'link_as_text')
  const isSaid = href.startsWith('#') || href.replace(/^tel:/, '') === text
  const words = renderInlines(children, place, before, isSaid ? after : ' (')
  if (isSaid) return words
  return `${words}${words === '' ? '' : ' '}(${escapeTextile(href, '(')})`
}
