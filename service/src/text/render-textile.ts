import {
  type Block,
  cellLine,
  flattenBlocks,
  type Inline,
  type List,
  type Losses,
  simplifyDetails,
  simplifyTerms,
  type Table,
} from './document.ts'
import { asEntities, codeTag } from './escape-textile.ts'
import { renderInlines } from './render-textile-line.ts'

// Textile as Redmine reads it (lib/redmine/wiki_formatting/textile/redcloth3.rb). Redmine accepts only the HTML
// elements `pre`, `code`, `kbd` and `notextile`, and escapes their content itself.

export function renderTextile(given: Block[], losses: Losses): string {
  const blocks = given.map((block) => {
    if (block.type !== 'terms') return block
    losses.add('terms_listed')
    return simplifyTerms(block)
  })
  return blocks
    .map((block, index) => {
      const text = renderBlock(block, losses)
      const before = blocks[index - 1]
      // An invisible paragraph separates two consecutive lists, which would become one.
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
    case 'code':
      return renderCode(block, losses)
    case 'quote': {
      const [only, ...rest] = block.blocks
      if (only?.type === 'paragraph' && rest.length === 0) return `bq. ${renderLine(only.children, losses)}`
      return quoteLines(renderTextile(block.blocks, losses))
    }
    case 'rule':
      return '---'
    case 'list':
      return renderList(block, '', losses).join('\n')
    case 'table':
      if (block.caption.length > 0) losses.add('caption_moved')
      return `${block.caption.length > 0 ? `${renderLine(block.caption, losses)}\n\n` : ''}${renderTable(block, losses)}`
    case 'figure':
      losses.add('caption_moved')
      return renderTextile([...block.blocks, { type: 'paragraph', children: block.caption }], losses)
    case 'details':
      losses.add('details_opened')
      return renderTextile(simplifyDetails(block), losses)
    case 'terms':
      return renderTextile([block], losses)
  }
}

/** Languages that Redmine's highlighter knows by another name; it reads only letters and digits. */
const languages: Record<string, string> = { 'c++': 'cpp', 'c#': 'csharp', 'objective-c': 'objc' }

function renderCode({ language, value }: Extract<Block, { type: 'code' }>, losses: Losses): string {
  if (codeTag.test(value)) {
    losses.add('code_simplified')
    const lines = value.split('\n').map((line) => `@${line === '' ? '&#160;' : asEntities(line)}@`)
    return lines.join('\n')
  }
  const name = languages[language.toLowerCase()] ?? language
  if (/^\w+$/.test(name)) return `<pre><code class="${name}">\n${value}\n</code></pre>`
  return `<pre>\n${value}\n</pre>`
}

/** Adds quote signs, but not inside code: Redmine removes code before it looks for quotes. */
function quoteLines(text: string): string {
  let isCode = false
  return text
    .split('\n')
    .map((line) => {
      const quoted = isCode ? line : line === '' ? '>' : `> ${line}`
      if (/^<pre>/.test(line)) isCode = true
      if (/^(?:<\/code>)?<\/pre>/.test(line)) isCode = false
      return quoted
    })
    .join('\n')
}

function renderList(list: List, outer: string, losses: Losses): string[] {
  const marker = outer + (list.ordered ? '#' : '*')
  if (list.ordered && list.start !== 1) losses.add('list_start_removed')
  return list.items.flatMap(({ checked, blocks }) => {
    const box = checked === null ? '' : checked ? '&#91;x] ' : '&#91; ] '
    const lists = blocks.filter((block) => block.type === 'list')
    const others = blocks.filter((block) => block.type !== 'list')
    if (others.some((block) => block.type !== 'paragraph') || others.length > 1) losses.add('list_flattened')
    // An item that contains only a list still needs a line of its own.
    const text = others.length === 0 ? '&#8203;' : renderLine(flattenBlocks(others), losses)
    return [`${marker} ${box}${text}`, ...lists.flatMap((child) => renderList(child, marker, losses))]
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

const renderLine = (inlines: Inline[], losses: Losses): string =>
  renderInlines(inlines, { losses, isLink: false }, '', '')
