import type { Block, Inline, List, ListItem } from '../../text/document.ts'
import { escapeAttribute, escapeText } from '../../text/plain-words.ts'
import { readDocument } from '../../text/read-document.ts'
import { renderHtml } from '../../text/render-html.ts'

// Ghost turns HTML into its own document, and drops what that has no place for without a word: pictures inside links,
// lists and quotes, the line between two paragraphs of an item, <del>. So it gets only what it keeps, and everything
// else as a card of HTML, which it keeps as it is.

type Image = Extract<Inline, { type: 'image' }>
type Line = Inline[]

const readBlocks = (html: string): Block[] => readDocument(html, { losses: new Set(), linkUrls: false })

/** A text as Ghost can keep it. Addresses without a host are those of the site. */
export function writeBody(html: string, site: string): string {
  return readBlocks(html)
    .map((block) => writeBlock(block, (url) => (url.startsWith('/') && !url.startsWith('//') ? `${site}${url}` : url)))
    .join('\n')
}

type Resolve = (url: string) => string

function writeBlock(block: Block, resolve: Resolve): string {
  switch (block.type) {
    case 'paragraph':
      return splitAtImages(block.children)
        .map((part) => writePart(part, 'p', resolve))
        .join('\n')
    case 'heading':
      return splitAtImages(block.children)
        .map((part) => writePart(part, `h${block.level}`, resolve))
        .join('\n')
    case 'quote': {
      const lines = linesOf(block.blocks)
      return lines ? `<blockquote>${joinLines(lines, resolve)}</blockquote>` : writeCard(block, resolve)
    }
    case 'list':
      return isPlainList(block) ? writeList(block, resolve) : writeCard(block, resolve)
    case 'table':
      return writeCard(block, resolve)
    default:
      return renderHtml([block])
  }
}

/** Kept as it is, and edited as HTML. */
function writeCard(block: Block, resolve: Resolve): string {
  const html = renderHtml([block]).replace(
    /( (?:href|src)=")(\/[^"]*)/g,
    (_all, start: string, url: string) => `${start}${escapeAttribute(resolve(url))}`,
  )
  return `<!--kg-card-begin: html-->\n${html}\n<!--kg-card-end: html-->`
}

type Part = { image: Image; href: string | null } | { line: Line }

/** A picture stands for itself; what is around it becomes lines of their own. */
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
  if (inline.type !== 'link' && inline.type !== 'mark') return []
  return inline.children.flatMap((child) => imagesOf(child, inline.type === 'link' ? inline.href : href))
}

function withoutImages(inline: Inline): Inline | null {
  if (inline.type === 'image') return null
  if (inline.type !== 'link' && inline.type !== 'mark') return inline
  const children = inline.children.flatMap((child) => withoutImages(child) ?? [])
  return isBlank(children) ? null : { ...inline, children }
}

function trimBreaks(line: Line): Line {
  const isEmpty = (inline: Inline) => inline.type === 'break' || (inline.type === 'text' && inline.value.trim() === '')
  let from = 0
  let to = line.length
  while (from < to && isEmpty(line[from] as Inline)) from += 1
  while (to > from && isEmpty(line[to - 1] as Inline)) to -= 1
  return line.slice(from, to)
}

const isBlank = (line: Line): boolean =>
  line.every((inline) => inline.type === 'break' || (inline.type === 'text' && inline.value.trim() === ''))

function writePart(part: Part, tag: string, resolve: Resolve): string {
  if ('line' in part) return `<${tag}>${writeLine(part.line, resolve)}</${tag}>`
  const { image, href } = part
  const img = `<img src="${escapeAttribute(resolve(image.src))}" alt="${escapeAttribute(image.alt)}">`
  const shown = href === null ? img : `<a href="${escapeAttribute(resolve(href))}">${img}</a>`
  // Ghost takes the bytes out of a picture that carries them in its address.
  if (image.src.startsWith('data:')) return `<!--kg-card-begin: html-->\n${shown}\n<!--kg-card-end: html-->`
  return `<figure class="kg-card kg-image-card">${shown}</figure>`
}

function writeLine(line: Line, resolve: Resolve): string {
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
          return `<${tag}>${writeLine(inline.children, resolve)}</${tag}>`
        }
        default:
          return `<a href="${escapeAttribute(resolve(inline.href))}">${writeLine(inline.children, resolve)}</a>`
      }
    })
    .join('')
}

const joinLines = (lines: Line[], resolve: Resolve) => lines.map((line) => writeLine(line, resolve)).join('<br><br>')

/** Paragraphs of words and nothing else; null when there is more. */
function linesOf(blocks: Block[]): Line[] | null {
  const lines: Line[] = []
  for (const block of blocks) {
    if (block.type !== 'paragraph' || block.children.some((inline) => imagesOf(inline, null).length > 0)) return null
    lines.push(block.children)
  }
  return lines
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

function writeList({ ordered, start, items }: List, resolve: Resolve): string {
  const tag = ordered ? 'ol' : 'ul'
  const from = ordered && start !== 1 ? ` start="${start}"` : ''
  return `<${tag}${from}>${items.map((item) => writeItem(item, resolve)).join('')}</${tag}>`
}

function writeItem({ blocks }: ListItem, resolve: Resolve): string {
  const lines = blocks.flatMap((block) => (block.type === 'paragraph' ? [block.children] : []))
  const lists = blocks.flatMap((block) => (block.type === 'list' ? [writeList(block, resolve)] : []))
  return `<li>${joinLines(lines, resolve)}${lists.join('')}</li>`
}
