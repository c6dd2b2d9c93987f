// When WordPress shows a text, it interprets more than HTML: shortcodes, smileys, addresses alone on a line (as
// players), and line breaks. In other tools these are plain words, so we write them as character references.

const shortcode = /\[(?=\/?[\p{L}_[])/gu
/** The smileys in `wpsmiliestrans` of WordPress' functions.php. */
const smiley =
  /(?<=^|[\s\u00a0]|&nbsp;)(?:[:;](?=-?[()?DPox|](?:$|[\s\u00a0<]|&nbsp;))|:(?=[a-z!?]{1,7}:(?:$|[\s\u00a0<]|&nbsp;))|8(?=-?[)O](?:$|[\s\u00a0<]|&nbsp;)))/g
/** The addresses that `autoembed` of WordPress' class-wp-embed.php replaces. */
const loneAddress = /(?<=^[ \t]*https?):(?=\/\/[^\s<>"]+[ \t]*$)/gim
/** The word that `capital_P_dangit` of WordPress' formatting.php changes. */
const itsName = /\bWord(p)ress\b/g

const asReference = (char: string) => `&#${char.charCodeAt(0)};`

/** Escapes a post or page, so that WordPress replaces nothing in it. The HTML must be clean: no `>` in an attribute. */
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

/** Escapes a comment or an excerpt, where WordPress interprets less and line breaks have a meaning. */
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
