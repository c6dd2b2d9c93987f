import { digestOf } from '../../kit/keys.ts'
import { unseenSigns } from '../../kit/unseen-signs.ts'

// Marks a record with our key, so that we can find it again. Posts, pages and tags have the mark as an HTML comment in
// the code for the head of their pages. Members have it in the note that only the staff sees. Readers' comments have it
// in invisible characters.

/** Removes the line that we write below a text whose author has no account here. */
export const dropByline = (html: string): string => html.replace(/\s*<p><em>Written by [^<]*<\/em><\/p>\s*$/, '')

const noteMark = /\s*\(wherry ([0-9a-f]{32}|commenter[0-9a-f]*)\)\s*$/

/** Adds the mark to a member's note, which only the staff sees. */
export const markNote = (note: string, marker: string): string => `${note}\n\n(wherry ${marker})`.trim()
/** The mark of a member who was made for a comment, from the key of the first comment. */
export const commenterMark = (key: string): string => `commenter${digestOf(key)}`

export function readNote(note: string | null): { note: string; marker: string | null } {
  const marker = noteMark.exec(note ?? '')?.[1] ?? null
  return { note: (note ?? '').replace(noteMark, '').trim(), marker }
}

/** Eighty bits. The character before them ends a word in any script, so that no letter changes its shape. */
const unseen = unseenSigns(['\u200b', '\u2060', '\u2062', '\u2063'], 20, '\u200c')

export const unseenMark = (key: string): string => unseen.write(digestOf(key, 20))

export const hasUnseenMark = (html: string, key: string): boolean => html.includes(unseenMark(key))
export const isMarked = (html: string): boolean => html.search(unseen.pattern) >= 0
export const dropUnseen = (html: string): string => html.replace(unseen.pattern, '')
