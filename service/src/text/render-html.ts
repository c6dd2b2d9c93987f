import { type Block, cellLine, type Inline, isTight } from './document.ts'

export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

export function renderHtml(blocks: Block[]): string {
  return blocks.map(renderBlock).join('\n')
}

const attribute = (name: string, value: string) => (value === '' ? '' : ` ${name}="${escapeHtml(value)}"`)

function renderBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${renderInlines(block.children)}</p>`
    case 'heading':
      return `<h${block.level}>${renderInlines(block.children)}</h${block.level}>`
    case 'code': {
      const language = block.language === '' ? '' : `language-${block.language}`
      return `<pre><code${attribute('class', language)}>${escapeHtml(block.value)}</code></pre>`
    }
    case 'quote':
      return `<blockquote>\n${renderHtml(block.blocks)}\n</blockquote>`
    case 'rule':
      return '<hr>'
    case 'list': {
      const tag = block.ordered ? 'ol' : 'ul'
      const start = block.ordered && block.start !== 1 ? ` start="${block.start}"` : ''
      const tight = isTight(block)
      const items = block.items.map(({ checked, blocks }) => {
        const box = checked === null ? '' : `<input type="checkbox"${checked ? ' checked' : ''} disabled> `
        return `<li>${box}${renderItem(blocks, tight)}</li>\n`
      })
      return `<${tag}${start}>\n${items.join('')}</${tag}>`
    }
    case 'table': {
      const [first = [], ...rest] = block.rows
      const headed = first.every((cell) => cell.head)
      const body = headed ? rest : block.rows
      const caption = block.caption.length === 0 ? '' : `<caption>${renderInlines(block.caption)}</caption>\n`
      const head = headed ? `<thead>\n${renderRow(first)}</thead>\n` : ''
      const rows = body.length > 0 ? `<tbody>\n${body.map(renderRow).join('')}</tbody>\n` : ''
      return `<table>\n${caption}${head}${rows}</table>`
    }
    case 'figure':
      return `<figure>\n${renderHtml(block.blocks)}\n<figcaption>${renderInlines(block.caption)}</figcaption>\n</figure>`
    case 'details':
      return `<details>\n<summary>${renderInlines(block.summary)}</summary>\n${renderHtml(block.blocks)}\n</details>`
    case 'terms': {
      const items = block.items.map((item) =>
        'term' in item ? `<dt>${renderInlines(item.term)}</dt>\n` : `<dd>${renderDefinition(item.blocks)}</dd>\n`,
      )
      return `<dl>\n${items.join('')}</dl>`
    }
  }
}

/** A single paragraph is written without its own element. */
function renderDefinition(blocks: Block[]): string {
  const [only, ...rest] = blocks
  return only?.type === 'paragraph' && rest.length === 0 ? renderInlines(only.children) : renderHtml(blocks)
}

function renderItem(blocks: Block[], tight: boolean): string {
  return blocks
    .map((block) => (tight && block.type === 'paragraph' ? renderInlines(block.children) : renderBlock(block)))
    .join('\n')
}

function renderRow(row: Extract<Block, { type: 'table' }>['rows'][number]): string {
  const cells = row.map((cell) => {
    const tag = cell.head ? 'th' : 'td'
    const line = cellLine(cell)
    return `<${tag}${attribute('align', cell.align ?? '')}>${line ? renderInlines(line) : renderHtml(cell.blocks)}</${tag}>`
  })
  return `<tr>${cells.join('')}</tr>\n`
}

/** Renders inlines. `write` escapes text, for tools with special signs. */
export function renderInlines(inlines: Inline[], write = escapeHtml): string {
  return inlines.map((inline) => renderInline(inline, write)).join('')
}

function renderInline(inline: Inline, write: (text: string) => string): string {
  switch (inline.type) {
    case 'text':
      return write(inline.value)
    case 'code':
      return `<code>${escapeHtml(inline.value)}</code>`
    case 'break':
      return '<br>'
    case 'image':
      return `<img src="${escapeHtml(inline.src)}" alt="${escapeHtml(inline.alt)}"${attribute('title', inline.title)}>`
    case 'mark':
      return `<${inline.mark}>${renderInlines(inline.children, write)}</${inline.mark}>`
    case 'abbr':
      return `<abbr title="${escapeHtml(inline.meaning)}">${renderInlines(inline.children, write)}</abbr>`
    case 'link':
      return `<a href="${escapeHtml(inline.href)}"${attribute('title', inline.title)}>${renderInlines(inline.children, write)}</a>`
  }
}
