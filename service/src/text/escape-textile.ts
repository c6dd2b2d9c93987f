import { escapeStyles } from './textile-styles.ts'

export const asEntity = (char: string): string => `&#${char.codePointAt(0)};`

/** Tags that Redmine would read as the end of the code, or as nested code. */
export const codeTag = /<\/?(?:code|pre|kbd|notextile)\b/i

/** Writes characters as references. Redmine resolves references only in code between @ signs. */
export const asEntities = (value: string): string =>
  value.replace(/[^\p{L}\p{N} ]|^ +| +$/gu, (chars) =>
    Array.from(chars, (char) => `&#${char === ' ' ? 160 : char.codePointAt(0)};`).join(''),
  )

export const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
export const textileUrl = (url: string): string =>
  url
    .replace(/[*^[\]"'|()]/g, percent)
    // At the end of an address, Redmine treats these characters as part of the sentence.
    .replace(/[.,:!?~@$&%#+*-]$/, percent)

/** Escapes text, so that Redmine shows the same text. `before` is the preceding character. */
export function escapeTextile(text: string, before: string): string {
  const escaped = escapeStyles(text.replace(/&(?=#?\w+;)/g, '&amp;'))
    // Redmine uses x%x% as its own escape for the percent sign.
    .replace(/x%x%/g, 'x&#37;x&#37;')
    // After capital letters, Redmine reads text in brackets as the meaning of an abbreviation and hides it.
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
  // Redmine reads the kind of a block from the beginning of the line.
  return escaped.replace(/^[*#\-+:=(]/, asEntity).replace(/^(\w{1,9}[^\s.]{0,20})\.(?=[.:\s]|$)/, '$1&#46;')
}
