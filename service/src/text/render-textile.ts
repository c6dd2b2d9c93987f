import {
  type Block,
  cellLine,
  flattenBlocks,
  type Inline,
  type List,
  type Losses,
  type Mark,
  plainText,
  type Table,
} from './document.ts'
import { escapeHtml } from './render-html.ts'

const delimiters: Record<Mark, string> = { strong: '*', em: '_', del: '-', u: '+', sub: '~', sup: '^' }
const asEntity = (char: string) => `&#${char.codePointAt(0)};`

/** Textile as Redmine writes it. */
export function renderTextile(blocks: Block[], losses: Losses): string {
  return blocks
    .map((block, index) => {
      const text = renderBlock(block, losses)
      const before = blocks[index - 1]
      // Two lists in a row would be one.
      return block.type === 'list' && before?.type === 'list' ? `p. &#8203;\n\n${text}` : text
    })
    .join('\n\n')
}

function renderBlock(block: Block, losses: Losses): string {
  switch (block.type) {
    case 'paragraph':
      return renderLine(block.children, losses)
    case 'heading':
      return `h${block.level}. ${renderLine(block.children, losses)}`
    case 'code': {
      const language = block.language === '' ? '' : ` class="${block.language}"`
      return `<pre><code${language}>\n${escapeHtml(block.value)}\n</code></pre>`
    }
    case 'quote': {
      const [only, ...rest] = block.blocks
      if (only?.type === 'paragraph' && rest.length === 0) return `bq. ${renderLine(only.children, losses)}`
      return `<blockquote>\n\n${renderTextile(block.blocks, losses)}\n\n</blockquote>`
    }
    case 'rule':
      return '---'
    case 'list':
      return renderList(block, '', losses).join('\n')
    case 'table':
      return renderTable(block, losses)
  }
}

function renderList(list: List, outer: string, losses: Losses): string[] {
  const marker = outer + (list.ordered ? '#' : '*')
  return list.items.flatMap(({ checked, blocks }, index) => {
    const start = list.ordered && index === 0 && outer === '' && list.start !== 1 ? String(list.start) : ''
    const box = checked === null ? '' : checked ? '&#91;x] ' : '&#91; ] '
    const lists = blocks.filter((block) => block.type === 'list')
    const others = blocks.filter((block) => block.type !== 'list')
    if (others.some((block) => block.type !== 'paragraph') || others.length > 1) losses.add('list_flattened')
    // An item without text of its own still needs a line to hang its list on.
    const text = others.length === 0 ? '&#8203;' : renderLine(flattenBlocks(others), losses)
    return [`${marker}${start} ${box}${text}`, ...lists.flatMap((child) => renderList(child, marker, losses))]
  })
}

function renderTable(table: Table, losses: Losses): string {
  return table.rows
    .map((row) => {
      const cells = row.map((cell) => {
        const line = cellLine(cell)
        if (line === null) losses.add('table_flattened')
        const text = renderLine(line ?? flattenBlocks(cell.blocks), losses)
        const align = { left: '<', right: '>', center: '=' }[cell.align ?? 'left']
        const format = (cell.head ? '_' : '') + (cell.align === null ? '' : align)
        return `${format === '' ? '' : `${format}.`} ${text} `
      })
      return `|${cells.join('|')}|`
    })
    .join('\n')
}

function renderLine(inlines: Inline[], losses: Losses): string {
  return renderInlines(inlines, losses, '', '')
}

function renderInlines(inlines: Inline[], losses: Losses, before: string, after: string): string {
  const pieces: string[] = []
  let tail = before
  for (const [index, inline] of inlines.entries()) {
    const next = inlines[index + 1]
    const following =
      next === undefined ? after : next.type === 'text' ? (next.value[0] ?? '') : next.type === 'break' ? '\n' : 'x'
    const piece = renderInline(inline, losses, tail, following)
    pieces.push(piece)
    if (piece !== '') tail = piece.slice(-1)
  }
  return pieces.join('')
}

function renderInline(inline: Inline, losses: Losses, before: string, after: string): string {
  // The tools see a delimiter only where a word begins or ends.
  const alone = /^$|[\s(]/.test(before) && /^(?:$|[\s.,;:!?)])/.test(after)
  switch (inline.type) {
    case 'text':
      return escapeTextile(inline.value, before)
    case 'code':
      if (alone && /^[\w ./:;,=+-]+$/.test(inline.value)) return `@${inline.value}@`
      return `<code>${inline.value.replace(/[^\p{L}\p{N} ]/gu, asEntity)}</code>`
    case 'break':
      return '\n'
    case 'image': {
      const alt = inline.alt.replace(/[^\p{L}\p{N} .,-]/gu, ' ').trim()
      return pad(before, after, `!${textileUrl(inline.src).replace(/[!()]/g, percent)}${alt === '' ? '' : `(${alt})`}!`)
    }
    case 'link':
      return renderLink(inline, losses, before, after)
    case 'mark': {
      const text = plainText(inline.children)
      const firm = /^[\p{L}\p{N}]/u.test(text) && /[\p{L}\p{N}]$/u.test(text) && !text.includes('\n')
      const isText = inline.children.every((child) => child.type === 'text')
      const delimiter = delimiters[inline.mark]
      const line = renderInlines(inline.children, losses, '*', '*')
      const content = isText ? line.replaceAll(delimiter, asEntity) : line
      const edges = /^[\p{L}\p{N}]/u.test(content) && /[\p{L}\p{N}]$/u.test(content)
      if (alone && firm && edges && !content.includes(delimiter)) return delimiter + content + delimiter
      losses.add('formatting_removed')
      return renderInlines(inline.children, losses, before, after)
    }
  }
}

/** A picture is one only where a word could stand. */
const pad = (before: string, after: string, text: string) =>
  (/^$|[\s(]$/.test(before) ? '' : ' ') + text + (/^(?:$|\s)/.test(after) ? '' : ' ')

const percent = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
const textileUrl = (url: string) =>
  url.replace(/[*_~@^[\]"'|]/g, (char) => (char === '_' || char === '@' || char === '~' ? char : percent(char)))

function renderLink(link: Extract<Inline, { type: 'link' }>, losses: Losses, before: string, after: string): string {
  const text = plainText(link.children)
  const isBare = link.children.every((child) => child.type === 'text') && text === link.href
  const startsWord = before === '' || /[\s(]/.test(before)
  // An address by itself is a link in Redmine, and reads better.
  if (isBare && startsWord && /^(?:$|\s)/.test(after) && /^https?:\/\/[\w./?=#%&:-]*[\w/]$/.test(text)) return text
  const image = link.children.length === 1 ? link.children[0] : undefined
  if (image?.type === 'image')
    return pad(
      before,
      after,
      `${renderInline(image, losses, '', '')}:${textileUrl(link.href).replace(/[()]/g, percent)}`,
    )
  const line = renderInlines(link.children, losses, '"', '"').replace(/\n/g, ' ').replace(/[()]/g, asEntity)
  // Signs at the beginning would be read as a class or a style, so something that nobody sees goes before them.
  const content = /^[\p{L}\p{N}]/u.test(line) ? line : `&#8203;${line}`
  const words = `"${content}${link.title === '' ? '' : `(${link.title.replace(/[^\p{L}\p{N} .,-]/gu, ' ').trim()})`}"`
  const address = textileUrl(link.href)
  const ends = /^(?:$|\s)/.test(after) && !/[.,;:!?)_~@*]$/.test(address)
  return startsWord && ends ? `${words}:${address}` : `[${words}:${address.replace(/[[\]]/g, percent)}]`
}

function escapeTextile(text: string, before: string): string {
  const escaped = text
    .replace(/&(?=#?\w+;)/g, '&amp;')
    // An abbreviation with its meaning in brackets would lose the meaning from sight.
    .replace(/(?<=[\p{Lu}\d]{2})\(/gu, asEntity)
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[|"[\]]|(?<![\p{L}\p{N}])[*_+^~@%!?-](?=\S)|[*_+^~@%!?-]{2,}|={2,}/gu, (chars) =>
      Array.from(chars, asEntity).join(''),
    )
  if (before !== '' && before !== '\n') return escaped
  // The beginning of a line says what kind of block it is.
  return escaped.replace(/^[*#\-+:=(]/, asEntity).replace(/^(\w{1,9}[^\s.]{0,20})\.(?=[.:\s]|$)/, '$1&#46;')
}
