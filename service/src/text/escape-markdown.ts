/** Escapes text, so that Markdown shows the same text. `lineStart`: the text begins a line of its block. */
export function escapeMarkdown(text: string, lineStart: boolean): string {
  const escaped = text
    .replace(/[\\`*[\]<>~|$]/g, '\\$&')
    // An underscore between letters has no special meaning.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    // Before a link, an exclamation mark would make the link a picture.
    .replace(/!$/, '\\!')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/(https?|ftp):(?=\/\/)/gi, '$1\\:')
    .replace(/(www)\./gi, '$1\\.')
    .replace(/(?<=[\w.+-])@(?=[\w-])/g, '\\@')
    // Special spaces would be cut off at the edge of a line or an emphasis.
    .replace(
      /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\u0085\v]/g,
      (space) => `&#${space.charCodeAt(0)};`,
    )
  return lineStart ? escapeLineStart(escaped) : escaped
}

function escapeLineStart(text: string): string {
  return text.replace(/^[#+=:-]/, '\\$&').replace(/^(\d+)([.)])/, '$1\\$2')
}

export function codeSpan(value: string, inTable: boolean): string {
  // In a table a bar ends the cell even inside code, and parsers differ on backticks inside a link.
  if (value.includes('`') || (inTable && value.includes('|'))) return `<code>${asEntities(value)}</code>`
  return `\`${value}\``
}

export function longestRun(value: string): number {
  return (value.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

function asEntities(value: string): string {
  return value.replace(/[^\p{L}\p{N} ]/gu, (char) => `&#${char.codePointAt(0)};`)
}

/** Writes an address for the round brackets of a link. An address that contains brackets is put in angle brackets. */
export function markdownUrl(url: string): string {
  const written = url.replace(/&(?=#?\w+;)/g, '&amp;')
  return /[()]/.test(written) ? `<${written}>` : written
}
