/** True if the HTML has elements other than these (`p br a`). */
export function hasOtherTags(html: string, kept: string): boolean {
  const known = new Set(kept.split(' '))
  return html.matchAll(/<([a-z][a-z0-9]*)/gi).some(([, name = '']) => !known.has(name.toLowerCase()))
}
