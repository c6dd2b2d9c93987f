import { escapeHtml, type Html, trusted } from './html.ts'

/**
 * Renders the Markdown of our articles: headings, paragraphs, lists, quotes, tables, code, emphasis and links. The
 * text is escaped first, so only this code creates markup.
 */
export function renderMarkdown(text: string): Html {
  const blocks = escapeHtml(text.replaceAll('\r\n', '\n')).split(/\n{2,}(?=(?:[^`]*```[^`]*```)*[^`]*$)/)
  return trusted(blocks.map((block) => renderBlock(block.trim())).join('\n'))
}

function renderBlock(block: string): string {
  const lines = block.split('\n')
  const every = (pattern: RegExp) => lines.every((line) => pattern.test(line))
  const items = (marker: RegExp) => lines.map((line) => `<li>${renderInline(line.replace(marker, ''))}</li>`).join('')
  const heading = /^(#{1,3}) (.*)$/.exec(block)
  if (block === '') return ''
  if (heading)
    return `<h${(heading[1]?.length ?? 1) + 1}>${renderInline(heading[2] ?? '')}</h${(heading[1]?.length ?? 1) + 1}>`
  if (/^```[^`]*```$/.test(block)) return `<pre><code>${lines.slice(1, -1).join('\n')}</code></pre>`
  if (every(/^[-*] /)) return `<ul>${items(/^[-*] /)}</ul>`
  if (every(/^\d+\. /)) return `<ol>${items(/^\d+\. /)}</ol>`
  if (every(/^&gt; ?/))
    return `<blockquote>${renderBlock(lines.map((line) => line.replace(/^&gt; ?/, '')).join('\n'))}</blockquote>`
  if (every(/^\|.*\|$/) && lines.length > 2) return renderTable(lines)
  return `<p>${renderInline(lines.join(' '))}</p>`
}

function renderTable([head = '', , ...rows]: readonly string[]): string {
  const cells = (line: string, tag: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => `<${tag}>${renderInline(cell.trim())}</${tag}>`)
      .join('')
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
  return `<table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table>`
}

function renderInline(text: string): string {
  return text
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*]+)\*/g, '<em>$1</em>')
    .replace(/\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g, '<a href="$2" rel="nofollow noopener noreferrer">$1</a>')
}
