import {
  type Block,
  cellLine,
  flattenBlocks,
  type Inline,
  isTight,
  type List,
  type Losses,
  type Mark,
  plainText,
  simplifyTerms,
  type Table,
} from './document.ts'
import { codeSpan, escapeMarkdown, longestRun, markdownUrl } from './escape-markdown.ts'
import { escapeSigns } from './redmine-signs.ts'
import { escapeHtml, renderInlines as renderHtmlInlines } from './render-html.ts'

const delimiters: Partial<Record<Mark, string>> = { strong: '**', em: '_', del: '~~' }
/** The place of a line. In a paragraph a line break uses Markdown's syntax; elsewhere it is an element. */
type Place = { kind: 'paragraph' | 'heading' | 'cell'; isRedmine: boolean; isLink?: boolean }

/** The kind of output, and the receiver of losses. */
interface Target {
  losses: Losses
  isRedmine: boolean
}

/** Renders Markdown. For Redmine, its special signs are escaped; in other tools they are plain text. */
export function renderMarkdown(blocks: Block[], losses: Losses, isRedmine = false): string {
  return renderBlocks(blocks, { losses, isRedmine }, '\n\n')
}

function renderBlocks(given: Block[], target: Target, gap: string): string {
  const blocks = given.map((block) => (block.type === 'terms' ? listTerms(block, target) : block))
  let alternate = false
  return blocks
    .map((block, index) => {
      const before = blocks[index - 1]
      // Two consecutive lists would become one, unless their markers differ.
      const follows = block.type === 'list' && before?.type === 'list' && before.ordered === block.ordered
      alternate = follows && !alternate
      return block.type === 'list' ? renderList(block, target, alternate) : renderBlock(block, target)
    })
    .join(gap)
}

function renderBlock(block: Exclude<Block, List>, target: Target): string {
  const { losses } = target
  switch (block.type) {
    case 'paragraph':
      return renderLine(block.children, 'paragraph', target)
    case 'heading':
      // Markdown would drop a # at the end of a heading as decoration.
      return `${'#'.repeat(block.level)} ${renderLine(block.children, 'heading', target).replace(/#(?=#*$)/, '\\#')}`
    case 'code': {
      const fence = '`'.repeat(Math.max(3, longestRun(block.value) + 1))
      return `${fence}${block.language}\n${block.value}\n${fence}`
    }
    case 'quote':
      return prefixLines(renderBlocks(block.blocks, target, '\n\n'), '> ', '> ')
    case 'rule':
      return '***'
    case 'table':
      if (block.caption.length > 0) losses.add('caption_moved')
      return [
        ...(block.caption.length > 0 ? [renderLine(block.caption, 'paragraph', target)] : []),
        renderTable(block, target),
      ].join('\n\n')
    case 'figure':
      losses.add('caption_moved')
      return renderBlocks([...block.blocks, { type: 'paragraph', children: block.caption }], target, '\n\n')
    case 'details': {
      const summary = renderHtmlInlines(block.summary, target.isRedmine ? hideInHtml : undefined)
      const inside = renderBlocks(block.blocks, target, '\n\n')
      return `<details>\n<summary>${summary}</summary>\n\n${inside}\n\n</details>`
    }
    case 'terms':
      return renderList(listTerms(block, target), target, false)
  }
}

function listTerms(block: Extract<Block, { type: 'terms' }>, { losses }: Target): List {
  losses.add('terms_listed')
  return simplifyTerms(block)
}

const hideInHtml = (text: string): string => escapeSigns(text, false, escapeHtml, hideSign)

/**
 * Redmine looks for its special signs in the HTML, so a character reference alone does not help. Its older formatter
 * removes elements and keeps references, so we write both.
 */
const hideSign = (sign: string): string => `&#${sign.charCodeAt(0)};<span></span>`

const prefixLines = (text: string, first: string, rest: string) =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? rest.trimEnd() : rest + line))
    .join('\n')

function renderList(list: List, target: Target, alternate: boolean): string {
  const gap = isTight(list) ? '\n' : '\n\n'
  return list.items
    .map(({ checked, blocks }, index) => {
      const marker = list.ordered ? `${list.start + index}${alternate ? ')' : '.'} ` : alternate ? '+ ' : '- '
      const box = checked === null ? '' : checked ? '[x] ' : '[ ] '
      return prefixLines(box + renderBlocks(blocks, target, gap), marker, ' '.repeat(marker.length))
    })
    .join(gap)
}

function renderTable(table: Table, target: Target): string {
  const width = Math.max(...table.rows.map((row) => row.length))
  const [first = [], ...rest] = table.rows
  const headed = first.every((cell) => cell.head)
  const row = (cells: string[]) => `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`
  const texts = (headed ? [first, ...rest] : [[], ...table.rows]).map((cells) =>
    row(
      cells.map((cell) => {
        const line = cellLine(cell)
        if (line === null) target.losses.add('table_flattened')
        return renderLine(line ?? flattenBlocks(cell.blocks), 'cell', target)
      }),
    ),
  )
  const rule = Array.from({ length: width }, (_, index) => {
    const align = first[index]?.align
    return align === 'left' ? ':--' : align === 'right' ? '--:' : align === 'center' ? ':-:' : '---'
  })
  return [texts[0], row(rule), ...texts.slice(1)].join('\n')
}

function renderLine(inlines: Inline[], kind: Place['kind'], { isRedmine }: Target): string {
  return renderInlines(inlines, { kind, isRedmine }, '', '')
}

/**
 * Renders inlines. `before` is the end of the line so far, `after` the next character: both determine the meaning of a
 * delimiter.
 */
function renderInlines(inlines: Inline[], place: Place, before: string, after: string): string {
  const pieces: string[] = []
  let tail = before
  for (const [index, inline] of inlines.entries()) {
    const next = inlines[index + 1]
    const following = next === undefined ? after : (firstChar(next) ?? '')
    const piece = renderInline(inline, place, tail, following)
    pieces.push(piece)
    if (piece !== '') tail = piece.slice(-2)
  }
  return pieces.join('')
}

function firstChar(inline: Inline): string | undefined {
  if (inline.type === 'text') return inline.value[0]
  return inline.type === 'break' ? '\n' : '*'
}

function renderInline(inline: Inline, place: Place, before: string, after: string): string {
  switch (inline.type) {
    case 'text': {
      const write = (text: string) => escapeMarkdown(text, before === '' || before.endsWith('\n'))
      const { isRedmine, isLink = false } = place
      return isRedmine ? escapeSigns(inline.value, isLink, write, hideSign) : write(inline.value)
    }
    case 'abbr': {
      const content = renderInlines(inline.children, place, '>', '<')
      return `<abbr title="${escapeHtml(inline.meaning)}">${content}</abbr>`
    }
    case 'code':
      // Two adjacent code spans need a separator, because Markdown counts their backticks together.
      return before.endsWith('`')
        ? `<!-- -->${codeSpan(inline.value, place.kind === 'cell')}`
        : codeSpan(inline.value, place.kind === 'cell')
    case 'break':
      return place.kind === 'paragraph' ? '\\\n' : '<br>'
    case 'image':
      return `![${escapeMarkdown(inline.alt, false)}](${markdownUrl(inline.src)}${renderTitle(inline.title)})`
    case 'link':
      return renderLink(inline, place)
    case 'mark':
      return renderMark(inline, place, before, after)
  }
}

const renderTitle = (title: string) => (title === '' ? '' : ` "${escapeMarkdown(title, false).replace(/"/g, '\\"')}"`)

function renderLink(link: Extract<Inline, { type: 'link' }>, place: Place): string {
  const text = plainText(link.children)
  const isBare = link.children.every((child) => child.type === 'text') && link.title === ''
  if (isBare && text === link.href && /^https?:\/\/[\w./?=#%:,;+-]+$/.test(text)) return `<${text}>`
  // Parsers differ in how they count escaped brackets inside the brackets of a link.
  const content = renderInlines(link.children, { ...place, isLink: true }, '[', ']')
  const escaped = content.replace(/\\([[\]])/g, (_, bracket: string) => `&#${bracket.charCodeAt(0)};`)
  return `[${escaped}](${markdownUrl(link.href)}${renderTitle(link.title)})`
}

function renderMark(inline: Extract<Inline, { type: 'mark' }>, place: Place, before: string, after: string): string {
  const delimiter = delimiters[inline.mark]
  if (delimiter !== undefined) {
    const content = renderInlines(inline.children, place, '*', '*')
    const text = plainText(inline.children)
    const firm =
      /^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/su.test(text) && !inline.children.some((child) => child.type === 'break')
    const edges = /^[\p{L}\p{N}].*[\p{L}\p{N}]$|^[\p{L}\p{N}]$/su.test(content)
    const alone = /(?:^|[\s(])$/.test(before) && /^(?:$|[\s.,;:!?)])/.test(after)
    if (alone && firm && edges) return delimiter + content + delimiter
  }
  // An HTML element replaces delimiters that would be misread.
  return `<${inline.mark}>${renderInlines(inline.children, place, '>', '<')}</${inline.mark}>`
}
