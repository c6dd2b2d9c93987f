import { changeAddresses } from '../../../text/change-addresses.ts'
import type { Block, Inline, List, ListItem } from '../../../text/document.ts'
import { escapeAttribute, escapeText } from '../../../text/plain-words.ts'
import { readDocument } from '../../../text/read-document.ts'
import { renderHtml } from '../../../text/render-html.ts'

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
      const parts = splitAtImages(block.children).map((part) => writePart(part, tag))
      return parts.join('\n')
    }
    case 'quote': {
      const lines = linesOf(block.blocks)
      return lines ? `<blockquote>${joinLines(lines)}</blockquote>` : writeCard(block)
    }
    case 'list':
      return isPlainList(block) ? writeList(block) : writeCard(block)
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
    const words = withoutImages(inline)
    if (words) open.push(words)
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

function withoutImages(inline: Inline): Inline | null {
  if (inline.type === 'image') return null
  if (!('children' in inline)) return inline
  const children = inline.children.flatMap((child) => withoutImages(child) ?? [])
  return children.some(isShown) ? { ...inline, children } : null
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

function writeLine(line: Line): string {
  return line
    .map((inline) => {
      switch (inline.type) {
        case 'text':
          return escapeText(inline.value)
        case 'code':
          return `<code>${escapeText(inline.value)}</code>`
        case 'break':
          return '<br>'
        case 'image':
          return ''
        case 'mark': {
          const tag = inline.mark === 'del' ? 's' : inline.mark
          return `<${tag}>${writeLine(inline.children)}</${tag}>`
        }
        case 'abbr':
          return `${writeLine(inline.children)} (${escapeText(inline.meaning)})`
        default:
          return `<a href="${escapeAttribute(inline.href)}">${writeLine(inline.children)}</a>`
      }
    })
    .join('')
}

const joinLines = (lines: Line[]) => lines.map((line) => writeLine(line)).join('<br><br>')

/** The lines of paragraphs that contain only words; null if there is anything else. */
function linesOf(blocks: Block[]): Line[] | null {
  const isPlain = (line: Line) => line.every((inline) => imagesOf(inline, null).length === 0)
  const lines = blocks.flatMap((block) =>
    block.type === 'paragraph' && isPlain(block.children) ? [block.children] : [],
  )
  return lines.length === blocks.length ? lines : null
}

function isPlainList({ items }: List): boolean {
  return items.every(({ checked, blocks }) => {
    const rest = blocks.filter((block) => block.type !== 'list')
    const lists = blocks.slice(rest.length)
    return (
      checked === null &&
      rest.length > 0 &&
      linesOf(rest) !== null &&
      lists.every((block) => block.type === 'list' && isPlainList(block))
    )
  })
}

function writeList({ ordered, start, items }: List): string {
  const tag = ordered ? 'ol' : 'ul'
  const from = ordered && start !== 1 ? ` start="${start}"` : ''
  return `<${tag}${from}>${items.map((item) => writeItem(item)).join('')}</${tag}>`
}

function writeItem({ blocks }: ListItem): string {
  const lines = blocks.flatMap((block) => (block.type === 'paragraph' ? [block.children] : []))
  const lists = blocks.flatMap((block) => (block.type === 'list' ? [writeList(block)] : []))
  return `<li>${joinLines(lines)}${lists.join('')}</li>`
}
