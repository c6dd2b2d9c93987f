// WordPress makes more of a text than HTML says, when it shows it: shortcodes, smileys, players for addresses that stand
// alone on a line, breaks for new lines. Elsewhere these were words, so they are written as character references.

const shortcode = /\[(?=\/?[\p{L}_[])/gu
/** `wpsmiliestrans` of its functions.php. */
const smiley =
  /(?<=^|[\s\u00a0]|&nbsp;)(?:[:;](?=-?[()?DPox|](?:$|[\s\u00a0<]|&nbsp;))|:(?=[a-z!?]{1,7}:(?:$|[\s\u00a0<]|&nbsp;))|8(?=-?[)O](?:$|[\s\u00a0<]|&nbsp;)))/g
/** `autoembed` of its class-wp-embed.php. */
const loneAddress = /(?<=^[ \t]*https?):(?=\/\/[^\s<>"]+[ \t]*$)/gim
/** `capital_P_dangit` of its formatting.php. */
const itsName = /\bWord(p)ress\b/g

const asReference = (char: string) => `&#${char.charCodeAt(0)};`

/**
 * A post or a page with the same words, safe from WordPress' replacements. The text is clean: no `>` in an attribute.
 */
export function hideSigns(html: string): string {
  return eachText(html, {
    tag: (tag) => tag.replaceAll('[', asReference),
    text(text, { isCode, isLink }) {
      const unfolded = isCode || text.trim() === '' ? text : text.replaceAll('\n', ' ')
      const plain = unfolded.replace(shortcode, asReference)
      const named = plain.replace(itsName, `Word${asReference('p')}ress`)
      const alone = isLink ? named : named.replace(loneAddress, asReference)
      return isCode ? alone : alone.replace(smiley, asReference)
    },
  })
}

/** A comment or an excerpt: WordPress looks for less, and new lines mean something. */
export function hideSmileys(html: string): string {
  return eachText(html, {
    tag: (tag) => tag,
    text(text, { isCode }) {
      const named = text.replace(itsName, `Word${asReference('p')}ress`)
      return isCode ? named : named.replace(smiley, asReference)
    },
  })
}

interface Around {
  isCode: boolean
  isLink: boolean
}

function eachText(
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
