interface Around {
  /** Inside `pre` or `code`. */
  isCode: boolean
  isLink: boolean
}

/** Changes the tags and the texts of clean HTML, without a `>` in an attribute. */
export function eachText(
  html: string,
  change: { tag(tag: string): string; text(text: string, around: Around): string },
): string {
  let code = 0
  let links = 0
  return html
    .split(/(<[^<>]*>)/)
    .map((part, index) => {
      if (index % 2 === 0) return change.text(part, { isCode: code > 0, isLink: links > 0 })
      const [, end, name = ''] = /^<(\/?)([a-z0-9]+)/i.exec(part) ?? []
      const step = end === '/' ? -1 : 1
      if (/^(?:pre|code)$/i.test(name)) code = Math.max(0, code + step)
      if (/^a$/i.test(name)) links = Math.max(0, links + step)
      return change.tag(part)
    })
    .join('')
}
