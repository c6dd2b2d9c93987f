import { escapeStyles } from './textile-styles.ts'

export const asEntity = (char: string): string => `&#${char.codePointAt(0)};`

/** Redmine would take these for the end of the code, or for more of it. */
export const codeTag = /<\/?(?:code|pre|kbd|notextile)\b/i

/** Character references are read between these signs, and nowhere else in code. */
export const asEntities = (value: string): string =>
  value.replace(/[^\p{L}\p{N} ]|^ +| +$/gu, (chars) =>
    Array.from(chars, (char) => `&#${char === ' ' ? 160 : char.codePointAt(0)};`).join(''),
  )

export const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
export const textileUrl = (url: string): string =>
  url
    .replace(/[*^[\]"'|()]/g, percent)
    // At the end of an address, Redmine treats these signs as part of the sentence.
    .replace(/[.,:!?~@$&%#+*-]$/, percent)

/** Text that Redmine shows as the same text. `before` is the character that it follows. */
export function escapeTextile(text: string, before: string): string {
  const escaped = escapeStyles(text.replace(/&(?=#?\w+;)/g, '&amp;'))
    // Redmine's own escape for this sign.
    .replace(/x%x%/g, 'x&#37;x&#37;')
    // Redmine would hide the meaning in brackets after an abbreviation.
    .replace(/(?<=[\p{Lu}\d]{2})\(/gu, asEntity)
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[|"[\]]|(?<![\p{L}\p{N}])[*_+^~@%!?-](?=\S)|[*_+^~@%!?-]{2,}|!(?=\S)|={2,}/gu, (chars) =>
      Array.from(chars, asEntity).join(''),
    )
    // Redmine links addresses before it reads character references, so references inside an address would be visible.
    .replace(/(https?|s?ftps?):(?=\/\/[^\s<]{0,2000}(?:&[#\w]+;|[\ufdd0-\ufdd5]))/gi, '$1&#58;')
    .replace(/(www)\.(?=[^\s<]{0,2000}(?:&[#\w]+;|[\ufdd0-\ufdd5]))/gi, '$1&#46;')
  if (before !== '' && before !== '\n') return escaped
  // The beginning of a line says what kind of block it is.
  return escaped.replace(/^[*#\-+:=(]/, asEntity).replace(/^(\w{1,9}[^\s.]{0,20})\.(?=[.:\s]|$)/, '$1&#46;')
}
