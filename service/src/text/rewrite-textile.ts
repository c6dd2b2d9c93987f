/** Characters after which an address can begin: `"text":`, `!`, `!>`, `[alias]`, `href="`, or a space. */
const boundary = /[\s":!><=\]('[]/
const stops = /[\s"'<>|!\]]/
/** Characters that introduce an address: `"text":`, `!picture!:`, `[alias]`, `href=`. */
const linkOpening = /(?:["\]!]:|^\[[^\]\n]{1,100}\]|\b(?:href|src)=["']?)$/i
/** Characters that introduce a picture, with its alignment, style and class. */
const pictureOpening = /!(?:[<>=]|\{[^}\n]{0,100}\}|\([^)\n]{0,100}\)){0,4}$/
const hasScheme = /^[a-z][a-z0-9+.-]*:/i
/** Delimiters of text that is shown literally. */
const literals: [opening: string, closing: string][] = [
  ['<pre', '</pre>'],
  ['<code', '</code>'],
  ['<notextile>', '</notextile>'],
]

/** Replaces the given addresses in links and pictures, but not in code. */
export function rewriteTextile(body: string, urls: string[], replace: (url: string) => string | null): string {
  const replacements = new Map<string, string>()
  for (const url of urls) {
    const replacement = replace(url)
    if (replacement === null) continue
    replacements.set(url, replacement)
    replacements.set(url.replaceAll('&', '&amp;'), replacement)
  }
  if (replacements.size === 0) return body
  const parts: string[] = []
  let keptTo = 0
  for (let index = 0; index < body.length; ) {
    const literal = literals.find(([opening]) => body.startsWith(opening, index))
    if (literal) {
      const end = body.indexOf(literal[1], index)
      index = end < 0 ? body.length : end + literal[1].length
      continue
    }
    const url = index === 0 || boundary.test(body[index - 1] ?? '') ? urlAt(body, index, replacements) : null
    if (url === null || !(hasScheme.test(url) || isAddressAt(body, index, url))) {
      index++
      continue
    }
    parts.push(body.slice(keptTo, index), replacements.get(url) ?? url)
    index += url.length
    keptTo = index
  }
  return parts.join('') + body.slice(keptTo)
}

/** An address without a scheme looks like a word, so it counts only where an address is expected. */
function isAddressAt(body: string, start: number, url: string): boolean {
  const lineStart = body.lastIndexOf('\n', start - 1) + 1
  const before = body.slice(Math.max(lineStart, start - 400), start)
  const after = body[start + url.length] ?? ''
  return linkOpening.test(before) || (pictureOpening.test(before) && (after === '!' || after === '('))
}

const longestUrl = 4_000
const longestTail = 200

function urlAt(body: string, start: number, known: Map<string, string>): string | null {
  let end = start
  while (end < body.length && end - start < longestUrl && !stops.test(body[end] ?? '')) end++
  // Punctuation, or a picture's "(text)", may directly follow the address.
  for (let length = end - start; length > 0 && end - start - length < longestTail; length--) {
    const url = body.slice(start, start + length)
    if (known.has(url)) return /[\p{L}\p{N}/]/u.test(body[start + length] ?? '') ? null : url
  }
  return null
}
