import { Parser } from 'htmlparser2'
import { limitDepth } from './limit-depth.ts'

// Blogs store titles, captions and names as HTML. Families hold them as plain text.

export const escapeText = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

export const escapeAttribute = (value: string): string => escapeText(value).replace(/"/g, '&quot;')

const breaking = new Set(['br', 'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'figcaption'])

/** The words of an HTML text, without the markup. */
export function plainWords(html: string): string {
  if (!/[<&]/.test(html)) return html.trim()
  const parts: string[] = []
  readHtml(html, {
    ontext: (part) => void parts.push(part),
    onopentag: (name) => {
      const last = parts.at(-1)
      if (breaking.has(name) && last !== undefined && !last.endsWith('\n')) parts.push('\n')
    },
  })
  return parts.join('').trim()
}

/** Parses HTML and calls the handler for each event. Extremely deep nesting is flattened first. */
export function readHtml(html: string, handler: NonNullable<ConstructorParameters<typeof Parser>[0]>): void {
  const parser = new Parser(handler)
  parser.write(limitDepth(html).html)
  parser.end()
}
