/** Text that Markdown reads back as the same text. `lineStart`: the text begins a line of its block. */
export function escapeMarkdown(text: string, lineStart: boolean): string {
  const escaped = text
    .replace(/[\\`*[\]<>~|$]/g, '\\$&')
    // Between letters an underscore is only a letter.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    // Before a link, this sign would make it a picture.
    .replace(/!$/, '\\!')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/(https?|ftp):(?=\/\/)/gi, '$1\\:')
    .replace(/(www)\./gi, '$1\\.')
    .replace(/(?<=[\w.+-])@(?=[\w-])/g, '\\@')
    // Special spaces would be cut off at the edge of a line or of an emphasis.
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
  // In a table a bar ends the cell even inside of code, and parsers differ on backticks inside of a link.
  if (value.includes('`') || (inTable && value.includes('|'))) return `<code>${asEntities(value)}</code>`
  return `\`${value}\``
}

export function longestRun(value: string): number {
  return (value.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

function asEntities(value: string): string {
  return value.replace(/[^\p{L}\p{N} ]/gu, (char) => `&#${char.codePointAt(0)};`)
}

/** Inside of a link's brackets; an address with brackets of its own is put between angles. */
export function markdownUrl(url: string): string {
  const written = url.replace(/&(?=#?\w+;)/g, '&amp;')
  return /[()]/.test(written) ? `<${written}>` : written
}
