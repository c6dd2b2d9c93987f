import { Parser } from 'htmlparser2'

/** The facts that a reader of a text would miss: its words, its links, and its structure. */
export interface DocumentFacts {
  words: string[]
  /** The words again, split where an element begins or ends, because other text may be inserted there. */
  pieces: string[]
  links: string[]
  pictures: string[]
  /** The count of each kind of element. */
  structure: Record<string, number>
}

const inline = new Set('a abbr b code del em i input kbd mark s span strong sub sup u'.split(' '))
const counted: Record<string, string> = {
  ...{ h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading' },
  ...{
    strong: 'emphasis',
    b: 'emphasis',
    em: 'emphasis',
    i: 'emphasis',
    del: 'emphasis',
    s: 'emphasis',
    u: 'emphasis',
  },
  ...{ sub: 'emphasis', sup: 'emphasis', mark: 'highlight', pre: 'code', blockquote: 'quote', li: 'item', td: 'cell' },
  ...{
    th: 'cell',
    input: 'box',
    caption: 'caption',
    figcaption: 'caption',
    details: 'details',
    dt: 'term',
    abbr: 'abbreviation',
  },
}

/** Reads facts from HTML without the code under test. */
export function readFacts(html: string): DocumentFacts {
  const facts: DocumentFacts = { words: [], pieces: [], links: [], pictures: [], structure: {} }
  const parts: string[] = []
  const cut = (text: string) => text.split(/[\s\p{Cc}\u00a0\u200b]+/u).filter((word) => word !== '')
  // The parser returns text in pieces, one for each entity.
  let texts: string[] = []
  const flush = () => {
    parts.push(texts.join(''))
    texts = []
  }
  const parser = new Parser({
    onopentag(name, attribs) {
      flush()
      if (!inline.has(name)) parts.push(' ')
      if (name === 'a' && attribs.href !== undefined) facts.links.push(normalUrl(attribs.href))
      if (name === 'img') facts.pictures.push(normalUrl(attribs.src ?? ''))
      const kind = counted[name]
      if (kind !== undefined) facts.structure[kind] = (facts.structure[kind] ?? 0) + 1
    },
    ontext: (piece) => void texts.push(piece),
    onclosetag(name) {
      flush()
      if (!inline.has(name)) parts.push(' ')
    },
  })
  parser.write(html)
  parser.end()
  flush()
  facts.words = cut(parts.join(''))
  facts.pieces = parts.flatMap(cut)
  return facts
}

/** `%2E` and "." give the same address. */
export function normalUrl(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
