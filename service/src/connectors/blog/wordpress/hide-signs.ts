import { eachText } from '../../kit/each-text.ts'

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
