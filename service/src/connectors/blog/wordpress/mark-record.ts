import { digestOf } from '../../kit/keys.ts'
import { type LeftOut, readLetters, takeMark, writeLetters, writeMark } from '../../kit/left-out.ts'

// Marks a record with our key, so that we can find it again. WordPress has no field for the key, so each entity uses
// another place: posts and pages an HTML comment in their text, media their slug, readers' comments the IP address of
// their author.

export const mediaSlugOf = (key: string): string => `wherry-${digestOf(key)}`

/** The marker of a comment: an IP address from an unused range (RFC 4193), in a field that only administrators see. */
export function addressOf(key: string): string {
  const hex = `fd${digestOf(key, 30)}`
  return (hex.match(/.{4}/g) ?? []).join(':')
}

/** The user agent of every comment that we write. Only administrators see it. */
export const commentAgent = 'Wherry'

/** Without an IP address and a user agent, WordPress would store those of our request. */
export const commentMark = (key: string, leftOut: readonly LeftOut[] = []) => ({
  author_ip: addressOf(key),
  author_user_agent: `${commentAgent} ${writeLetters(leftOut)}`.trim(),
})

export const readAgent = (agent: unknown): Set<LeftOut> =>
  readLetters(/^Wherry ([a-z]*)$/.exec(String(agent))?.[1] ?? '')

/**
 * Puts the marker inside the last element of the text. After the last element, WordPress would make an empty paragraph
 * of it. Only people who look at the code see the marker.
 */
export function markHtml(html: string, key: string, leftOut: readonly LeftOut[]): string {
  const at = startOfEnd(html)
  return `${html.slice(0, at)}${writeMark(key, leftOut)}${html.slice(at)}`
}

/** Position of the end tags at the text's end. Searched backwards, tag by tag, because texts are long. */
function startOfEnd(html: string): number {
  let at = html.length
  for (let end = html.trimEnd().length; ; end = at) {
    const start = html.lastIndexOf('</', end - 1)
    if (start < 0 || !/^<\/[a-z][a-z0-9]*>$/i.test(html.slice(start, end))) return at
    at = html.slice(0, start).trimEnd().length
  }
}

/** The line that we write below a text whose author has no account here. */
const byline = /\n<p><em>Written by [^<]*<\/em><\/p>\s*$/

/** Removes the marker from a text. `marker` is null if someone has removed it. */
export function unmarkHtml(marked: string): { html: string; marker: string | null; leftOut: Set<LeftOut> } {
  const { text, marker, leftOut } = takeMark(marked)
  return { html: leftOut.has('byline') ? text.replace(byline, '') : text, marker, leftOut }
}
