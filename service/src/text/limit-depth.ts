import { Tokenizer } from 'htmlparser2'

const deepest = 200
const voids = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const inlines = new Set(['a', 'b', 'code', 'del', 'em', 'font', 'i', 's', 'span', 'strong', 'sub', 'sup', 'u'])
const cells = ['td', 'th']
/** Elements with an optional end tag. Each start tag closes the listed elements if they are innermost. */
const endedBy: Record<string, string[]> = {
  p: ['p'],
  li: ['p', 'li'],
  dt: ['p', 'dt', 'dd'],
  dd: ['p', 'dt', 'dd'],
  td: ['p', ...cells],
  th: ['p', ...cells],
  tr: ['p', ...cells, 'tr'],
  option: ['option'],
}

/**
 * Removes the tags below the deepest level that people write on purpose, and keeps their text. The HTML parser's time
 * grows with the square of the depth, so this linear pass over the tokens comes first.
 */
export function limitDepth(html: string): { html: string; cut: boolean } {
  if (html.split('<', deepest + 1).length <= deepest) return { html, cut: false }
  const stack: string[] = []
  const skipped = new Map<string, number>()
  const kept: string[] = []
  let keptTo = 0
  let tagStart = -1
  const cutTag = (start: number, end: number, name: string) => {
    kept.push(html.slice(keptTo, start), inlines.has(name) ? '' : '<br>')
    keptTo = end
  }
  const openEnd = (end: number) => {
    if (tagStart < 0) return
    const name = /^[^\s/>]*/.exec(html.slice(tagStart, Math.min(end, tagStart + 32)))?.[0].toLowerCase() ?? ''
    const start = tagStart - 1
    tagStart = -1
    if (voids.has(name)) return
    for (let top = stack.at(-1); top !== undefined && endedBy[name]?.includes(top); top = stack.at(-1)) stack.pop()
    if (stack.length < deepest) {
      stack.push(name)
      return
    }
    skipped.set(name, (skipped.get(name) ?? 0) + 1)
    cutTag(start, end + 1, name)
  }
  const close = (start: number, end: number) => {
    const name = html.slice(start, end).toLowerCase()
    const skips = skipped.get(name) ?? 0
    const index = stack.lastIndexOf(name)
    if (skips > 0) {
      skipped.set(name, skips - 1)
      cutTag(start - 2, html.indexOf('>', end) + 1 || html.length, name)
    } else if (index >= 0) stack.length = index
    // An end tag without a start tag has no effect, but makes the parser search its whole stack.
    else if (!['p', 'br'].includes(name)) cutTag(start - 2, html.indexOf('>', end) + 1 || html.length, 'b')
  }
  const nothing = () => undefined
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start) => {
        tagStart = start
      },
      onopentagend: openEnd,
      onselfclosingtag: openEnd,
      onclosetag: close,
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
      ontext: nothing,
      ontextentity: nothing,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return { html: kept.join('') + html.slice(keptTo), cut: skipped.size > 0 }
}
