const kept = new Set(
  'a b strong i em u s p br div span ul ol li h1 h2 h3 h4 h5 h6 blockquote pre code img table thead tbody tr td th hr'.split(
    ' ',
  ),
)
const keptAttributes = new Set(['href', 'src', 'alt', 'width', 'height', 'target', 'title'])

/** HTML as the account stores it: without comments, scripts, unknown tags and most attributes. */
export function sanitize(html: string, { stripsInvisible = false }: { stripsInvisible?: boolean } = {}): string {
  return (stripsInvisible ? html.replace(/[\u200b-\u200d\u2060\ufeff]/g, '') : html)
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(script|style|iframe|object)\b[\s\S]*?(<\/\1\s*>|$)/gi, '')
    .replace(/<(\/?)([a-z][a-z0-9]*)\b([^>]*)>/gi, (_tag, end: string, name: string, rest: string) => {
      const tag = name.toLowerCase()
      if (!kept.has(tag)) return ''
      if (end) return `</${tag}>`
      const attributes = [...rest.matchAll(/([a-z-]+)\s*=\s*("[^"]*"|'[^']*')/gi)].flatMap(
        ([, key = '', value = '']) =>
          keptAttributes.has(key.toLowerCase()) && !/^["']\s*javascript:/i.test(value)
            ? [` ${key.toLowerCase()}="${value.slice(1, -1).replaceAll('"', '&quot;')}"`]
            : [],
      )
      return `<${tag}${attributes.join('')}>`
    })
}
