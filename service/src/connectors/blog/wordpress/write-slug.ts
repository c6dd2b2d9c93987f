import { decoded } from './media-file.ts'

/** Length of the database column. WordPress would cut there, even within a character. */
const longest = 200

/** Quotes and other characters that WordPress removes from every slug (`sanitize_title_with_dashes`). */
const droppedSigns =
  /[\u00a1\u00a9\u00ab\u00ae\u00b0\u00b4\u00bb\u00bf\u02ca\u2018-\u201f\u2022\u2026\u2039\u203a\u2122\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffc]|\u0300|\u0301|\u0304|\u030c|\u0341/gu

/**
 * A slug that WordPress keeps unchanged: lower case, with everything except plain letters and digits percent-encoded.
 */
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

/**
 * Removes the number that WordPress appends to a slug that is taken, because nobody can predict it. WordPress shortens
 * a long slug for the number, so the result is cut.
 */
export const comparableSlug = (slug: string): string =>
  writeSlug(decoded(slug))
    .replace(/(-\d+)+$/, '')
    .slice(0, 180)
