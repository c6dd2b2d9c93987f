import { changeAddresses } from '../../../text/change-addresses.ts'
import { type Block, type Inline, type List, plainText, spellOut } from '../../../text/document.ts'
import { escapeAttribute, escapeText } from '../../../text/plain-words.ts'
import { readDocument } from '../../../text/read-document.ts'
import { renderHtml, renderInlines } from '../../../text/render-html.ts'

// Ghost converts HTML to its own document and silently drops markup without a place there: pictures inside links, lists
// and quotes, the break between two paragraphs of an item, <del>. So we send only markup that Ghost keeps, and
// everything else as an HTML card, which Ghost keeps unchanged.

type Image = Extract<Inline, { type: 'image' }>
type Line = Inline[]

/** Writes a text in a form that Ghost keeps. Relative addresses become addresses of the site. */
export function writeBody(html: string, site: string): string {
  const blocks = readDocument(html, { losses: new Set(), linkUrls: false })
  const absolute = (url: string) => (url.startsWith('/') && !url.startsWith('//') ? `${site}${url}` : url)
  return changeAddresses(blocks, absolute)
    .map((block, index) => {
      const before = blocks[index - 1]
      // Ghost would merge two consecutive lists into one.
      if (block.type === 'list' && before?.type === 'list' && before.ordered === block.ordered) return writeCard(block)
      const written = writeBlock(block)
      // Ghost drops highlights and the spaces around them.
      return written.includes(ghostUrl) || written.includes('<mark>') ? writeCard(block) : written
    })
    .join('\n')
}

/** Ghost replaces this text with the site's address everywhere. Only in an HTML card can it be written differently. */
const ghostUrl = '__GHOST_URL__'

function writeBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading': {
      const tag = block.type === 'heading' ? `h${block.level}` : 'p'
      return splitAtImages(block.children)
        .map((part) => writePart(part, tag))
        .join('\n')
    }
    case 'quote': {
      const words = writeLines(block.blocks)
      return words === null ? writeCard(block) : `<blockquote>${words}</blockquote>`
    }
    case 'list':
      return writeList(block) ?? writeCard(block)
    case 'figure':
      return writeFigure(block)
    case 'table':
    case 'details':
    case 'terms':
      return writeCard(block)
    default:
      return renderHtml([block])
  }
}

/** Writes a block as an HTML card, which Ghost keeps unchanged. */
function writeCard(block: Block): string {
  const html = renderHtml([block])
    .split(/(<[^<>]*>)/)
    .map((part) => part.replaceAll(ghostUrl, part.startsWith('<') ? '__GHOST%5FURL__' : '__GHOST<span></span>_URL__'))
    .join('')
  return `<!--kg-card-begin: html-->\n${html}\n<!--kg-card-end: html-->`
}

/** Writes a figure. Ghost has captions only for single pictures. */
function writeFigure(figure: Extract<Block, { type: 'figure' }>): string {
  const [only, ...others] = figure.blocks
  const parts = only?.type === 'paragraph' && others.length === 0 ? splitAtImages(only.children) : []
  const [part] = parts
  if (!part || parts.length > 1 || 'line' in part || part.image.src.startsWith('data:')) return writeCard(figure)
  return writePart(part, 'p', `<figcaption>${writeLine(figure.caption)}</figcaption>`)
}

type Part = { image: Image; href: string | null } | { line: Line }

/** Splits a line at its pictures. Each picture becomes a block, and the text around it becomes separate lines. */
function splitAtImages(line: Line): Part[] {
  const parts: Part[] = []
  let open: Line = []
  const close = () => {
    const trimmed = trimBreaks(open)
    if (trimmed.length > 0) parts.push({ line: trimmed })
    open = []
  }
  for (const inline of line) {
    const pictures = imagesOf(inline, null)
    if (pictures.length === 0) {
      open.push(inline)
      continue
    }
    close()
    if (plainText([inline]).trim() !== '') open.push(inline)
    close()
    parts.push(...pictures)
  }
  close()
  return parts
}

function imagesOf(inline: Inline, href: string | null): { image: Image; href: string | null }[] {
  if (inline.type === 'image') return [{ image: inline, href }]
  if (!('children' in inline)) return []
  return inline.children.flatMap((child) => imagesOf(child, inline.type === 'link' ? inline.href : href))
}

const isShown = (inline: Inline): boolean =>
  inline.type !== 'break' && (inline.type !== 'text' || inline.value.trim() !== '')

/** A line without breaks and spaces at both ends. */
const trimBreaks = (line: Line): Line =>
  line.some(isShown) ? line.slice(line.findIndex(isShown), line.findLastIndex(isShown) + 1) : []

function writePart(part: Part, tag: string, caption = ''): string {
  if ('line' in part) return `<${tag}>${writeLine(part.line)}</${tag}>`
  const { image, href } = part
  const img = `<img src="${escapeAttribute(image.src)}" alt="${escapeAttribute(image.alt)}">`
  // For Ghost, a picture that links to its own file has no link.
  const shown = href === null || href === image.src ? img : `<a href="${escapeAttribute(href)}">${img}</a>`
  // Ghost removes the bytes from a picture with a data: address, so the picture becomes an HTML card.
  if (image.src.startsWith('data:')) return `<!--kg-card-begin: html-->\n${shown}\n<!--kg-card-end: html-->`
  return `<figure class="kg-card kg-image-card${caption === '' ? '' : ' kg-card-hascaption'}">${shown}${caption}</figure>`
}

/** The inlines that Ghost keeps. A picture becomes a block of its own, see `splitAtImages`. */
function toKept(inline: Inline): Inline[] {
  if (inline.type === 'image') return []
  if (!('children' in inline)) return [inline]
  const children = spellOut(inline).flatMap(toKept)
  if (inline.type === 'abbr') return children
  return [inline.type === 'link' ? { ...inline, title: '', children } : { ...inline, children }]
}

const writeLine = (line: Line): string =>
  renderInlines(line.flatMap(toKept), escapeText).replace(/<(\/?)del>/g, '<$1s>')

/** Writes paragraphs as one; null if they contain anything but words. */
function writeLines(blocks: Block[]): string | null {
  const isPlain = (block: Block) =>
    block.type === 'paragraph' && block.children.every((inline) => imagesOf(inline, null).length === 0)
  if (!blocks.every(isPlain)) return null
  return blocks.map((block) => writeLine('children' in block ? block.children : [])).join('<br><br>')
}

/** Writes a list; null if an item contains anything but words and such lists. */
function writeList({ ordered, start, items }: List): string | null {
  const written = items.map(({ checked, blocks }) => {
    const rest = blocks.filter(({ type }) => type !== 'list')
    const words = checked === null && rest.length > 0 ? writeLines(rest) : null
    const lists = blocks.slice(rest.length).map((block) => (block.type === 'list' ? writeList(block) : null))
    return words === null || lists.includes(null) ? null : `<li>${words}${lists.join('')}</li>`
  })
  if (written.includes(null)) return null
  const tag = ordered ? 'ol' : 'ul'
  return `<${tag}${ordered && start !== 1 ? ` start="${start}"` : ''}>${written.join('')}</${tag}>`
}
