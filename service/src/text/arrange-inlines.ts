import type { Inline, Mark } from './document.ts'

/** An element around text. It is compared by identity, so two neighbours of the same kind stay separate. */
export type Wrapper = { mark: Mark } | { href: string; title: string } | { meaning: string }

/** One piece of a line, with the elements around it, outermost first. */
export interface Leaf {
  inline: Inline
  path: Wrapper[]
}

/**
 * Builds a tree from the pieces of a line. White space is collapsed as in HTML and moved out of the edges of elements:
 * Markdown and Textile can write "<b>bold</b> text", but not "<b>bold </b>text".
 */
export function arrangeInlines(leaves: Leaf[]): Inline[] {
  return nest(trimSpaces(leaves.flatMap(splitEdges)), 0)
}

function splitEdges(leaf: Leaf): Leaf[] {
  if (leaf.inline.type !== 'text') return [leaf]
  const value = leaf.inline.value.replace(/[ \t\n\r\f]+/g, ' ')
  const core = value.replace(/^ | $/g, '')
  const piece = (text: string): Leaf[] =>
    text === '' ? [] : [{ inline: { type: 'text', value: text }, path: leaf.path }]
  if (core === '') return piece(value)
  return [...piece(value.startsWith(' ') ? ' ' : ''), ...piece(core), ...piece(value.endsWith(' ') ? ' ' : '')]
}

const isSpace = (leaf: Leaf | undefined) => leaf?.inline.type === 'text' && leaf.inline.value === ' '
const isBreak = (leaf: Leaf | undefined) => leaf?.inline.type === 'break'

function trimSpaces(leaves: Leaf[]): Leaf[] {
  const line: Leaf[] = []
  for (const leaf of leaves) {
    const last = line.at(-1)
    if (isSpace(leaf) && (last === undefined || isSpace(last) || isBreak(last))) continue
    if (isBreak(leaf) && last === undefined) continue
    if (isBreak(leaf) && isSpace(last)) line.pop()
    line.push(leaf)
  }
  while (isSpace(line.at(-1)) || isBreak(line.at(-1))) line.pop()
  return line.map((leaf, index) => {
    if (!isSpace(leaf) && !isBreak(leaf)) return leaf
    return { inline: leaf.inline, path: sharedPath(line, index) }
  })
}

function sharedPath(line: Leaf[], index: number): Wrapper[] {
  let before = index
  while (before > 0 && (isSpace(line[before]) || isBreak(line[before]))) before--
  let after = index
  while (after < line.length - 1 && (isSpace(line[after]) || isBreak(line[after]))) after++
  const left = line[before]?.path ?? []
  const right = line[after]?.path ?? []
  const differs = left.findIndex((wrapper, depth) => wrapper !== right[depth])
  return differs < 0 ? left : left.slice(0, differs)
}

/**
 * Nests pieces with the same outer element. The recursion is shallow, because a path holds each kind of element once.
 */
function nest(leaves: Leaf[], depth: number): Inline[] {
  const inlines: Inline[] = []
  for (let index = 0; index < leaves.length; ) {
    const leaf = leaves[index]
    if (leaf === undefined) break
    const wrapper = leaf.path[depth]
    if (wrapper === undefined) {
      const last = inlines.at(-1)
      if (leaf.inline.type === 'text' && last?.type === 'text') last.value += leaf.inline.value
      else inlines.push(leaf.inline.type === 'text' ? { ...leaf.inline } : leaf.inline)
      index++
      continue
    }
    let end = index + 1
    while (end < leaves.length && leaves[end]?.path[depth] === wrapper) end++
    const children = nest(leaves.slice(index, end), depth + 1)
    inlines.push(toInline(wrapper, children))
    index = end
  }
  return inlines
}

function toInline(wrapper: Wrapper, children: Inline[]): Inline {
  if ('mark' in wrapper) return { type: 'mark', ...wrapper, children }
  return 'href' in wrapper ? { type: 'link', ...wrapper, children } : { type: 'abbr', ...wrapper, children }
}
