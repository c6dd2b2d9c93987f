import { QuoteType, Tokenizer } from 'htmlparser2'

/** Counts of HTML elements, and of signs that only look like markup, as in `if a<b then c>d`. */
export interface Markup {
  /** Number of properly written HTML elements. */
  elements: number
  /** Positions of each `<` that begins no element. Read as HTML, the words after it would disappear. */
  strays: number[]
}

const listed = (names: string) => new Set(names.split(' '))
/** Elements that need no end tag. */
const openEnded = listed(
  'p br hr img li dd dt tr td th thead tbody tfoot col colgroup option input wbr meta link base html head body area source',
)
const closed = listed(
  'a abbr acronym address article aside audio b bdi bdo big blockquote button caption center cite code dfn del details ' +
    'div dl em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup i iframe ins kbd label ' +
    'legend main map mark nav nobr noscript object ol picture pre q s samp section select small span strike strong style ' +
    'sub summary sup svg table textarea time title tt u ul var video script',
)
/** Attributes that are often written without a value. */
const flags = listed(
  'checked compact controls disabled hidden multiple nohref noshade nowrap open readonly required reversed selected ' +
    'allowfullscreen async autoplay defer loop muted',
)

interface OpenElement {
  name: string
  at: number
  isOdd: boolean
}

const nothing = () => undefined

/**
 * Examines at most `most` characters from the beginning of a text. Elements that are still open at the limit count as
 * closed. It works on tokens in linear time; a parser needs time quadratic in the depth.
 */
export function findMarkup(text: string, most: number): Markup {
  const markup: Markup = { elements: 0, strays: [] }
  if (!text.includes('<')) return markup
  const open = new Map<string, OpenElement[]>()
  let current: OpenElement | null = null
  const settle = ({ name, at, isOdd }: OpenElement, hasEnd: boolean) => {
    const isKnown = openEnded.has(name) || (closed.has(name) && hasEnd)
    // Other elements, such as <o:p>, are no strays if they have an end tag.
    if (isOdd || (!isKnown && !hasEnd)) markup.strays.push(at)
    else if (isKnown) markup.elements += 1
  }
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onopentagname(start, end) {
        current = { name: text.slice(start, end).toLowerCase(), at: start - 1, isOdd: false }
      },
      onattribname(start, end) {
        if (current) current.isOdd ||= !/^[a-z_:][\w:.-]*$/i.test(text.slice(start, end))
        attribute = text.slice(start, end).toLowerCase()
      },
      onattribend(quote) {
        if (current) current.isOdd ||= quote === QuoteType.NoValue && !flags.has(attribute)
      },
      onopentagend() {
        if (!current) return
        const same = open.get(current.name)
        if (openEnded.has(current.name)) settle(current, false)
        else if (same) same.push(current)
        else open.set(current.name, [current])
        current = null
      },
      onselfclosingtag() {
        if (current) settle(current, true)
        current = null
      },
      onclosetag(start, end) {
        const name = text.slice(start, end).toLowerCase()
        const element = open.get(name)?.pop()
        if (element) settle(element, true)
        else if (!openEnded.has(name) && !closed.has(name)) markup.strays.push(start - 2)
      },
      onattribdata: nothing,
      onattribentity: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
      ontext: nothing,
      ontextentity: nothing,
    },
  )
  let attribute = ''
  const isCut = text.length > most
  tokenizer.write(isCut ? text.slice(0, most) : text)
  for (const elements of open.values()) for (const element of elements) settle(element, isCut)
  const last = text.lastIndexOf('<')
  const isUnfinished = !isCut && last > text.lastIndexOf('>') && /[a-z/!?]/i.test(text[last + 1] ?? '')
  return { ...markup, strays: [...markup.strays, ...(isUnfinished ? [last] : [])].sort((a, b) => a - b) }
}
