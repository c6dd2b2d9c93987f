import { arrangeInlines, type Leaf, type Wrapper } from './arrange-inlines.ts'
import type { Block, Cell, Inline, List, Losses, Mark, Table } from './document.ts'
import { findUrls } from './find-urls.ts'
import { languageOf } from './language-of.ts'
import { safeUrl } from './safe-url.ts'
import { read } from './sanitize-markup.ts'

const marks: Record<string, Mark> = {
  ...{ strong: 'strong', b: 'strong', em: 'em', i: 'em', cite: 'em', dfn: 'em', var: 'em', u: 'u', ins: 'u' },
  ...{ del: 'del', s: 'del', strike: 'del', sub: 'sub', sup: 'sup' },
}
const codeTags = new Set(['code', 'kbd', 'samp', 'tt'])
const preTags = new Set(['pre', 'xmp', 'listing'])
/** More levels than this nobody can read, and no format can write. */
const deepestContainer = 24

type Container = { blocks: Block[]; list?: List; table?: Table; heading: number }
interface Options {
  losses: Losses
  /** Make links of bare addresses, as the tool does that the text comes from. */
  linkUrls: boolean
}

/** Sanitized HTML as a document. Event by event and without recursion, so that no depth of nesting can overflow. */
export function readDocument(html: string, { losses, linkUrls }: Options): Block[] {
  const root: Container = { blocks: [], heading: 0 }
  const containers: Container[] = [root]
  const undo: (() => void)[] = []
  let leaves: Leaf[] = []
  let path: Wrapper[] = []
  let code: string | null = null
  let pre: { parts: string[]; language: string; images: Inline[] } | null = null

  const top = () => containers.at(-1) ?? root
  /** Where a block may stand: never between the items of a list or the cells of a table. */
  const place = (): Container => {
    const container = top()
    if (container.list) {
      const last = container.list.items.at(-1) ?? { checked: null, blocks: [] }
      if (container.list.items.length === 0) container.list.items.push(last)
      return { blocks: last.blocks, heading: 0 }
    }
    return container
  }
  const flush = () => {
    const children = arrangeInlines(leaves)
    leaves = []
    if (children.length === 0) return
    const level = top().heading
    place().blocks.push(level > 0 ? { type: 'heading', level, children } : { type: 'paragraph', children })
  }
  const add = (inline: Inline) => leaves.push({ inline, path })
  const addCode = () => {
    const value = (code ?? '').replace(/\s+/g, ' ').trim()
    if (value !== '') add({ type: 'code', value })
    if (code !== null) code = ''
  }
  const enter = (container: Container): (() => void) => {
    containers.push(container)
    return () => {
      flush()
      containers.pop()
    }
  }
  const wrap = (wrapper: Wrapper) => {
    const before = path
    path = [...path, wrapper]
    return () => {
      path = before
    }
  }
  const addText = (text: string) => {
    if (!linkUrls || path.some((wrapper) => 'href' in wrapper)) return add({ type: 'text', value: text })
    let end = 0
    for (const { start, url } of findUrls(text)) {
      const href = safeUrl(url, 'link')
      if (href === null) continue
      add({ type: 'text', value: text.slice(end, start) })
      leaves.push({ inline: { type: 'text', value: url }, path: [...path, { href, title: '' }] })
      end = start + url.length
    }
    return add({ type: 'text', value: text.slice(end) })
  }
  const openContainer = (name: string, attribs: Record<string, string>): (() => void) => {
    flush()
    if (containers.length > deepestContainer) {
      losses.add('nesting_flattened')
      return flush
    }
    if (name === 'blockquote') {
      const blocks: Block[] = []
      const target = place()
      const leave = enter({ blocks, heading: 0 })
      return () => {
        leave()
        if (blocks.length > 0) target.blocks.push({ type: 'quote', blocks })
      }
    }
    if (name === 'table') {
      const table: Table = { type: 'table', rows: [] }
      const target = place()
      // What stands in a table outside of its cells is shown before it, as browsers do.
      const leave = enter({ blocks: target.blocks, table, heading: 0 })
      return () => {
        leave()
        if (table.rows.some((row) => row.some((cell) => cell.blocks.length > 0))) target.blocks.push(trimTable(table))
      }
    }
    const start = Math.min(Math.max(Math.trunc(Number(attribs.start ?? 1)) || 0, 0), 999_999_999)
    const list: List = { type: 'list', ordered: name === 'ol', start: name === 'ol' ? start : 1, items: [] }
    const target = place()
    const leave = enter({ blocks: target.blocks, list, heading: 0 })
    return () => {
      leave()
      list.items = list.items.filter((item) => item.blocks.length > 0)
      if (list.items.length > 0) target.blocks.push(list)
    }
  }
  const openCell = (name: string, attribs: Record<string, string>, table: Table) => {
    flush()
    if (table.rows.length === 0) table.rows.push([])
    const align = (['left', 'center', 'right'] as const).find((side) => side === attribs.align?.toLowerCase()) ?? null
    const cell: Cell = { head: name === 'th', align, blocks: [] }
    table.rows.at(-1)?.push(cell)
    return enter({ blocks: cell.blocks, heading: 0 })
  }
  const openPre = (attribs: Record<string, string>) => {
    flush()
    pre = { parts: [], language: languageOf(attribs.class), images: [] }
    return () => {
      const value = (pre?.parts ?? []).join('').replace(/^\n+/, '').trimEnd()
      if (value !== '') place().blocks.push({ type: 'code', language: pre?.language ?? '', value })
      for (const inline of pre?.images ?? []) add(inline)
      pre = null
    }
  }
  const image = (attribs: Record<string, string>): Inline | null => {
    const src = safeUrl(attribs.src ?? '', 'image')
    const alt = oneLine(attribs.alt)
    if (src !== null) return { type: 'image', src, alt, title: oneLine(attribs.title) }
    return alt === '' ? null : { type: 'text', value: alt }
  }
  const open = (name: string, attribs: Record<string, string>): (() => void) | null => {
    const mark = marks[name]
    if (name === 'img') {
      const inline = image(attribs)
      addCode()
      if (inline && pre) pre.images.push(inline)
      else if (inline) add(inline)
      return null
    }
    if (pre) {
      if (codeTags.has(name)) pre.language ||= languageOf(attribs.class)
      else if (name === 'br' || !(mark || name === 'a' || pre.parts.at(-1)?.endsWith('\n'))) pre.parts.push('\n')
      return null
    }
    if (name === 'br') {
      addCode()
      add({ type: 'break' })
      return null
    }
    if (mark) return path.some((wrapper) => 'mark' in wrapper && wrapper.mark === mark) ? null : wrap({ mark })
    if (name === 'a') {
      const href = safeUrl(attribs.href ?? '', 'link')
      const nested = path.some((wrapper) => 'href' in wrapper)
      return href === null || nested ? null : wrap({ href, title: oneLine(attribs.title) })
    }
    if (codeTags.has(name)) {
      if (code !== null) return null
      code = ''
      return () => {
        addCode()
        code = null
      }
    }
    addCode()
    return openBlock(name, attribs)
  }
  const openBlock = (name: string, attribs: Record<string, string>): (() => void) | null => {
    const { list, table } = top()
    if (preTags.has(name)) return openPre(attribs)
    if (['blockquote', 'ul', 'ol', 'table'].includes(name)) return openContainer(name, attribs)
    if (name === 'input') {
      const item = containers.at(-2)?.list?.items.at(-1)
      if (
        item &&
        item.blocks.length === 0 &&
        leaves.every(({ inline }) => inline.type === 'text' && !inline.value.trim())
      )
        item.checked = attribs.checked !== undefined
      return null
    }
    flush()
    if (name === 'hr') place().blocks.push({ type: 'rule' })
    if (name === 'tr' && table) table.rows.push([])
    if ((name === 'td' || name === 'th') && table) return openCell(name, attribs, table)
    if (name === 'li' && list) {
      const item = { checked: null, blocks: [] }
      list.items.push(item)
      return enter({ blocks: item.blocks, heading: 0 })
    }
    if (/^h[1-6]$/.test(name)) {
      const container = top()
      container.heading = Number(name[1])
      return () => {
        flush()
        container.heading = 0
      }
    }
    return flush
  }
  // The parser hands out text in pieces, one for each entity; an address may reach over several.
  let pieces: string[] = []
  const endText = () => {
    const text = pieces.join('')
    pieces = []
    if (text === '') return
    if (pre) pre.parts.push(text)
    else if (code !== null) code += text
    else addText(text)
  }
  read(html, {
    onopentag(name, attribs) {
      endText()
      undo.push(open(name, attribs) ?? (() => undefined))
    },
    onclosetag() {
      endText()
      undo.pop()?.()
    },
    ontext: (text) => void pieces.push(text),
  })
  endText()
  flush()
  return root.blocks
}

const oneLine = (text: string | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()

/** Markdown has no table without a header, so an empty one is how it says that there is none. */
function trimTable(table: Table): Table {
  const rows = table.rows.filter((row) => row.length > 0)
  const [first, ...rest] = rows
  const isEmptyHead = first?.every((cell) => cell.head && cell.blocks.length === 0) ?? false
  return { type: 'table', rows: isEmptyHead && rest.length > 0 ? rest : rows }
}
