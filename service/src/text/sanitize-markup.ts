import { Parser } from 'htmlparser2'
import sanitizeHtml from 'sanitize-html'
import type { TextLoss } from '../warnings/codes.ts'
import type { Losses } from './document.ts'
import { limitDepth } from './limit-depth.ts'
import { safeUrl } from './safe-url.ts'

const listed = (names: string) => names.split(' ')
const plainTags = listed(
  'p br h1 h2 h3 h4 h5 h6 strong em del u sub sup code pre blockquote ul ol li a img table thead tbody tr th td hr',
)
/** Synonyms of the elements above, and elements that only end a line. */
const knownTags = listed(
  'b i s strike ins cite dfn var kbd samp tt tfoot caption div section article header footer main aside nav figure ' +
    'figcaption address dl dt dd details summary center fieldset legend hgroup body form input option xmp listing ' +
    'mark abbr acronym q iframe video audio embed object source',
)
/** Elements whose removal is not a loss. */
const silentTags = new Set(
  listed(
    'html head meta title span font small big label colgroup col wbr bdo bdi time picture track param o:p ' +
      'link base data ruby rt rp optgroup noscript',
  ),
)
const tagsOfLoss: Partial<Record<TextLoss, string>> = {
  script_removed: 'script',
  style_removed: 'style',
  embed_removed: 'canvas svg math frame frameset applet',
  form_removed: 'form input button select textarea',
}
const lossOfTag = new Map(
  (Object.entries(tagsOfLoss) as [TextLoss, string][]).flatMap(([loss, tags]) =>
    listed(tags).map((tag) => [tag, loss] as const),
  ),
)
const attributes: Record<string, string[]> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title'],
  ol: ['start'],
  code: ['class'],
  pre: ['class'],
  td: ['align'],
  th: ['align'],
  input: ['type', 'checked'],
  abbr: ['title'],
  acronym: ['title'],
  ...{ iframe: ['src', 'title'], video: ['src', 'title'], audio: ['src', 'title'], source: ['src'] },
  ...{ embed: ['src', 'title'], object: ['data', 'title'] },
}
/** Losses that count once per text, because a mail has hundreds of styles. */
const toldOnce = new Set<TextLoss>(['script_removed', 'style_removed', 'tag_removed', 'form_removed'])
const schemes = ['http', 'https', 'mailto', 'tel']

/** Reduces HTML from outside to known elements and attributes. Every removal is added to `losses`. */
export function sanitizeMarkup(hostile: string, losses: Losses): string {
  const { html, cut } = limitDepth(hostile)
  if (cut) losses.add('nesting_flattened')
  noteLosses(html, losses)
  return sanitizeHtml(html, {
    allowedTags: [...plainTags, ...knownTags],
    allowedAttributes: attributes,
    allowedSchemes: schemes,
    allowedSchemesByTag: { img: ['http', 'https', 'cid', 'data'] },
    nonTextTags: ['script', 'style', 'title', 'template', 'noembed', 'noframes'],
    // The text of a form is kept; the form itself is removed.
    transformTags: {
      ...{ button: 'div', select: 'div', textarea: 'div', label: 'div' },
      div: (tagName, attribs) => ({ tagName: isOldFigure(tagName, attribs) ? 'figure' : tagName, attribs }),
      p: (tagName, attribs) => ({ tagName: hasClass(attribs, 'wp-caption-text') ? 'figcaption' : tagName, attribs }),
    },
  })
}

/**
 * WordPress' old form of a picture with a caption. Its width is the picture's width, so removing it is no loss of
 * style.
 */
const isOldFigure = (name: string, attribs: Record<string, string>) => name === 'div' && hasClass(attribs, 'wp-caption')
const hasClass = (attribs: Record<string, string>, name: string) => (attribs.class ?? '').split(/\s+/).includes(name)

function noteLosses(html: string, losses: Losses): void {
  const told = new Set<TextLoss>()
  const lose = (kind: TextLoss) => {
    if (!told.has(kind)) losses.add(kind)
    if (toldOnce.has(kind)) told.add(kind)
  }
  read(html, {
    onopentag(name, attribs) {
      if (isCheckbox(name, attribs)) return
      const loss = lossOfTag.get(name)
      if (loss !== undefined) lose(loss)
      else if (!plainTags.includes(name) && !knownTags.includes(name) && !silentTags.has(name)) lose('tag_removed')
      for (const attribute of Object.keys(attribs)) {
        if (attribute.startsWith('on')) lose('script_removed')
        if (attribute === 'style' && !isOldFigure(name, attribs)) lose('style_removed')
      }
      if (name === 'a' && attribs.href?.trim() && safeUrl(attribs.href, 'link') === null) lose('link_removed')
      if (name === 'img' && safeUrl(attribs.src ?? '', 'image') === null) lose('image_removed')
      if (Number(attribs.colspan ?? 1) > 1 || Number(attribs.rowspan ?? 1) > 1) lose('table_span_removed')
    },
  })
}

/** Elements with an optional end tag. Any other open element would affect the page around the text. */
const closedByItself = new Set(listed('p li tr td th thead tbody dt dd br hr img input'))
const safeClass = /^[\w+#. -]*$/
const cleanTags = [...plainTags, 'b', 'i', 's', 'strike', 'ins']

/** Tags that a clean text may have, and attributes that each of them may have. */
export interface Allowed {
  tags: ReadonlySet<string>
  attributes: readonly string[]
}

/** The elements of every clean text, and these. Both lists are separated by spaces. */
export const allow = (tags: string, anywhere: string): Allowed => ({
  tags: new Set([...cleanTags, ...listed(tags)]),
  attributes: listed(anywhere),
})
const allowedInAll: Allowed = { tags: new Set(cleanTags), attributes: [] }

/**
 * True if the text is safe without changes. This is stricter than sanitizing: a browser must see exactly what our
 * parser sees, so every "<" must belong to a known tag.
 */
export function isClean(html: string, { tags, attributes: anywhere }: Allowed = allowedInAll): boolean {
  // Such deep nesting is hostile, and the parser below would take hours.
  if (limitDepth(html).cut) return false
  let clean = !html.includes('\0')
  let tagMarks = 0
  const refuse = () => {
    clean = false
  }
  read(html, {
    onopentag(name, attribs, isImplied) {
      tagMarks++
      if (isImplied || !(tags.has(name) || isCheckbox(name, attribs))) refuse()
      for (const attribute of Object.keys(attribs)) {
        const value = attribs[attribute] as string
        const known = attributes[name]?.includes(attribute) || anywhere.includes(attribute)
        if (!(known || (name === 'input' && attribute === 'disabled')) || /[<>`]/.test(value)) refuse()
        if (attribute === 'href' && safeUrl(value, 'link') === null) refuse()
        if (attribute === 'src' && safeUrl(value, 'image') === null) refuse()
        if (attribute === 'class' && !safeClass.test(value)) refuse()
        if (attribute === 'style' && /[\\(@]|\/\*/.test(value)) refuse()
      }
    },
    onclosetag(name, isImplied) {
      if (!isImplied) tagMarks++
      else if (!closedByItself.has(name)) refuse()
    },
    oncomment: refuse,
    oncdatastart: refuse,
    onprocessinginstruction: refuse,
  })
  return clean && html.split('<').length - 1 === tagMarks
}

function isCheckbox(name: string, attribs: Record<string, string>): boolean {
  return name === 'input' && attribs.type?.toLowerCase() === 'checkbox'
}

export function read(html: string, handler: NonNullable<ConstructorParameters<typeof Parser>[0]>): void {
  const parser = new Parser(handler)
  parser.write(html)
  parser.end()
}
