/** The column's length; WordPress would cut there, in the middle of a character. */
const longest = 200

/** Quotes and other signs that WordPress takes out of every slug (`sanitize_title_with_dashes`). */
const droppedSigns =
  /[\u00a1\u00a9\u00ab\u00ae\u00b0\u00b4\u00bb\u00bf\u02ca\u2018-\u201f\u2022\u2026\u2039\u203a\u2122\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffc]|\u0300|\u0301|\u0304|\u030c|\u0341/gu

/** A slug that WordPress keeps as it is: lower case, and everything but plain letters and digits percent-encoded. */
export function writeSlug(slug: string): string {
  const words = slug
    .normalize('NFC')
    .toWellFormed()
    .toLowerCase()
    .replace(/[\s./\\|\u2010-\u2015]+/gu, '-')
    .replace(/\u00d7/g, 'x')
    .replace(droppedSigns, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
    .replace(/[\u0000-\u007f]/g, (sign) => (/[a-z0-9_-]/.test(sign) ? sign : ''))
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
  let written = ''
  for (const sign of words) {
    const encoded = encodeURIComponent(sign).toLowerCase()
    if (written.length + encoded.length > longest) break
    written += encoded
  }
  return written.replace(/-$/, '')
}

export function readSlug(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}

/** Without the number that WordPress puts behind a slug that is taken: nobody can know it beforehand. A long one is cut for it. */
export const comparableSlug = (slug: string): string =>
  writeSlug(readSlug(slug))
    .replace(/(-\d+)+$/, '')
    .slice(0, 180)
