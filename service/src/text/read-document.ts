import { DocumentBuilder, type Leave } from './build-document.ts'
import type { Block, Inline, Losses, Mark } from './document.ts'
import { findUrls } from './find-urls.ts'
import { languageOf } from './language-of.ts'
import { isContainer, openCell, openContainer, openDefinition } from './open-container.ts'
import { type Embed, isEmbed, openEmbed } from './read-embed.ts'
import { safeUrl } from './safe-url.ts'
import { read } from './sanitize-markup.ts'

const marks: Record<string, Mark> = {
  ...{ strong: 'strong', b: 'strong', em: 'em', i: 'em', cite: 'em', dfn: 'em', var: 'em', u: 'u', ins: 'u' },
  ...{ del: 'del', s: 'del', strike: 'del', sub: 'sub', sup: 'sup', mark: 'mark' },
}
const codeTags = new Set(['code', 'kbd', 'samp', 'tt'])
const preTags = new Set(['pre', 'xmp', 'listing'])

interface Options {
  losses: Losses
  /** True to link bare addresses, as the source tool does. */
  linkUrls: boolean
}

/**
 * Converts sanitized HTML to a document. It handles events without recursion, so deep nesting cannot overflow the
 * stack.
 */
export function readDocument(html: string, { losses, linkUrls }: Options): Block[] {
  const builder = new DocumentBuilder()
  const undo: Leave[] = []
  let code: string | null = null
  let pre: { parts: string[]; language: string; images: Inline[] } | null = null
  /** The open embedded element. Its content is not shown. */
  let embed: Embed | null = null

  const addCode = () => {
    const value = (code ?? '').replace(/\s+/g, ' ').trim()
    if (value !== '') builder.add({ type: 'code', value })
    if (code !== null) code = ''
  }
  const addText = (text: string) => {
    if (!linkUrls || builder.isInside('href')) return builder.add({ type: 'text', value: text })
    let end = 0
    for (const { start, url } of findUrls(text)) {
      const href = safeUrl(url, 'link')
      if (href === null) continue
      builder.add({ type: 'text', value: text.slice(end, start) })
      builder.add({ type: 'text', value: url }, [...builder.path, { href, title: '' }])
      end = start + url.length
    }
    return builder.add({ type: 'text', value: text.slice(end) })
  }
  const openPre = (attribs: Record<string, string>) => {
    builder.flush()
    pre = { parts: [], language: languageOf(attribs.class), images: [] }
    return () => {
      const value = (pre?.parts ?? []).join('').replace(/^\n+/, '').trimEnd()
      if (value !== '') builder.place().blocks.push({ type: 'code', language: pre?.language ?? '', value })
      for (const inline of pre?.images ?? []) builder.add(inline)
      pre = null
    }
  }
  const open = (name: string, attribs: Record<string, string>): Leave | null => {
    if (embed) {
      if (name === 'source' || name === 'embed') embed.address ||= attribs.src ?? ''
      return null
    }
    if (isEmbed(name) && !pre) {
      addCode()
      embed = openEmbed(builder, name, attribs, losses)
      return () => {
        embed?.leave()
        embed = null
      }
    }
    if (name === 'img') {
      const inline = readImage(attribs)
      addCode()
      if (inline && pre) pre.images.push(inline)
      else if (inline) builder.add(inline)
      return null
    }
    const mark = marks[name]
    if (pre) {
      if (codeTags.has(name)) pre.language ||= languageOf(attribs.class)
      else if (name === 'br' || !(mark || name === 'a' || pre.parts.at(-1)?.endsWith('\n'))) pre.parts.push('\n')
      return null
    }
    if (codeTags.has(name)) {
      if (code !== null) return null
      code = ''
      return () => {
        addCode()
        code = null
      }
    }
    return openInline(name, attribs, mark)
  }
  const openInline = (name: string, attribs: Record<string, string>, mark: Mark | undefined): Leave | null => {
    if (name === 'br') {
      addCode()
      builder.add({ type: 'break' })
      return null
    }
    if (mark) {
      const isMarked = builder.path.some((wrapper) => 'mark' in wrapper && wrapper.mark === mark)
      return isMarked ? null : builder.wrap({ mark })
    }
    if (name === 'a') {
      const href = safeUrl(attribs.href ?? '', 'link')
      return href === null || builder.isInside('href') ? null : builder.wrap({ href, title: oneLine(attribs.title) })
    }
    if (name === 'abbr' || name === 'acronym') {
      const meaning = oneLine(attribs.title)
      return meaning === '' || builder.isInside('meaning') ? null : builder.wrap({ meaning })
    }
    // Browsers show quotation marks for this element that are not part of the text.
    if (name === 'q') {
      builder.add({ type: 'text', value: '"' })
      return () => builder.add({ type: 'text', value: '"' })
    }
    addCode()
    return openBlock(name, attribs)
  }
  const openBlock = (name: string, attribs: Record<string, string>): Leave | null => {
    const container = builder.top()
    const { list, table, terms, caption } = container
    if (preTags.has(name)) return openPre(attribs)
    if (isContainer(name)) return openContainer(builder, name, attribs, losses)
    if (name === 'input') {
      tick(builder, attribs)
      return null
    }
    builder.flush()
    if (name === 'hr') builder.place().blocks.push({ type: 'rule' })
    if (name === 'tr' && table) table.rows.push([])
    if ((name === 'td' || name === 'th') && table) return openCell(builder, table, name, attribs)
    if (['caption', 'figcaption', 'summary'].includes(name) && caption) return builder.enterLines(caption)
    if ((name === 'dt' || name === 'dd') && terms) return openDefinition(builder, terms, name)
    if (name === 'li' && list) {
      const item = { checked: null, blocks: [] }
      list.items.push(item)
      return builder.enter({ blocks: item.blocks, heading: 0 })
    }
    if (/^h[1-6]$/.test(name)) {
      container.heading = Number(name[1])
      return () => {
        builder.flush()
        container.heading = 0
      }
    }
    return () => builder.flush()
  }
  // The parser returns text in pieces, one per entity. An address may span several pieces.
  let pieces: string[] = []
  const endText = () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no tool stores these, and nobody sees them
    const text = pieces.join('').replace(/[\0-\x08\x0e-\x1f]/g, '')
    pieces = []
    if (text === '' || embed) return
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
  builder.flush()
  return builder.root.blocks
}

const oneLine = (text: string | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()

function readImage(attribs: Record<string, string>): Inline | null {
  const src = safeUrl(attribs.src ?? '', 'image')
  const alt = oneLine(attribs.alt)
  if (src !== null) return { type: 'image', src, alt, title: oneLine(attribs.title) }
  return alt === '' ? null : { type: 'text', value: alt }
}

/** Reads a checkbox at the beginning of an item as the item's state. */
function tick({ containers, leaves }: DocumentBuilder, attribs: Record<string, string>): void {
  const item = containers.at(-2)?.list?.items.at(-1)
  const isFirst = leaves.every(({ inline }) => inline.type === 'text' && !inline.value.trim())
  if (item && item.blocks.length === 0 && isFirst) item.checked = attribs.checked !== undefined
}
