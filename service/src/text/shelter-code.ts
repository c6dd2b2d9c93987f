const opening = /<(pre|code|kbd)\b[^<>]*>/gi

/**
 * Writes the content of `pre`, `code` and `kbd` as character references, in one line. Redmine shows that content
 * literally, but the parser would look for markup in it.
 */
export function shelterCode(body: string): string {
  const closings = closingsOf(body)
  const parts: string[] = []
  let end = 0
  for (const match of body.matchAll(opening)) {
    if (match.index < end) continue
    const start = match.index + match[0].length
    const close = closings((match[1] ?? '').toLowerCase(), start)
    if (close < 0) continue
    const whole = body.slice(start, close)
    // In `<pre><code class="ruby">` both tags are elements, not content.
    const inner = /^\s*<code\b[^<>]*>/i.exec(whole)?.[0] ?? ''
    const innerEnd = inner === '' ? '' : (/<\/code>\s*$/i.exec(whole.slice(-100))?.[0] ?? '')
    const isNested = innerEnd !== ''
    const content = isNested ? whole.slice(inner.length, -innerEnd.length) : whole
    parts.push(body.slice(end, start), isNested ? inner.trim() : '')
    parts.push(content.replace(/\r\n?/g, '\n').replace(/[^\p{L}\p{N} ]/gu, asReference), isNested ? '</code>' : '')
    end = close
  }
  return parts.join('') + body.slice(end)
}

/** Finds the next end tag of each name in a single pass over the text. */
function closingsOf(body: string): (tag: string, from: number) => number {
  const found = new Map<string, { ends: number[]; next: number }>()
  for (const { index, 1: name = '' } of body.matchAll(/<\/(pre|code|kbd)>/gi)) {
    const tag = name.toLowerCase()
    const known = found.get(tag) ?? { ends: [], next: 0 }
    known.ends.push(index)
    found.set(tag, known)
  }
  return (tag, from) => {
    const known = found.get(tag)
    if (!known) return -1
    while ((known.ends[known.next] ?? from) < from) known.next++
    return known.ends[known.next] ?? -1
  }
}

const asReference = (char: string) => `&#${char.codePointAt(0)};`
