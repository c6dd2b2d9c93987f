const linkSchemes = new Set(['http', 'https', 'mailto', 'tel'])
const imageSchemes = new Set(['http', 'https', 'cid'])
const imageData = /^data:image\/(?:png|jpe?g|gif|webp)[;,]/i

/**
 * Returns the address without characters that browsers ignore; null if it could run or hide something. Addresses
 * without a scheme stay, because tools write attachments and their own pages that way.
 */
export function safeUrl(url: string, use: 'link' | 'image'): string | null {
  // Browsers ignore these characters in a scheme, so "java\nscript:" must be checked without them.
  const cleaned = url
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim()
  if (cleaned === '' || cleaned.startsWith('\\')) return null
  if (use === 'image' && imageData.test(cleaned)) return cleaned.replace(/\s/g, '')
  const head = cleaned.split(/[/?#]/, 1)[0] ?? ''
  if (head.includes(':')) {
    const scheme = head.slice(0, head.indexOf(':')).toLowerCase()
    if (!(use === 'link' ? linkSchemes : imageSchemes).has(scheme)) return null
  }
  // Spaces, quotes and brackets end an address in at least one format.
  return cleaned.replace(/[\s"'<>`\\^{|}[\]()*_~!@]/g, (char) =>
    "_~!@()*'[]".includes(char) ? char : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
