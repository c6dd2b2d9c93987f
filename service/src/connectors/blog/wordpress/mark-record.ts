import { digestOf } from '../../kit/keys.ts'

// Marks a record with our key, so that it can be found again. WordPress has no field for it, so each entity has its own
// place: posts and pages a comment in their HTML, media their slug, comments of readers the address they came from.

/** Values left to WordPress or said in the text, one letter each; they cannot be compared with the sent ones. */
export type LeftOut = 'author' | 'byline' | 'comments' | 'date' | 'later' | 'missed' | 'scheduled' | 'slug'

const letters: Record<LeftOut, string> = {
  author: 'a',
  byline: 'b',
  comments: 'c',
  date: 'd',
  later: 'l',
  missed: 'm',
  scheduled: 'f',
  slug: 's',
}

export const mediaSlugOf = (key: string): string => `wherry-${digestOf(key)}`

/** An address of the range that is used nowhere (RFC 4193), in the field that only administrators see. */
export function addressOf(key: string): string {
  const hex = `fd${digestOf(key, 30)}`
  return (hex.match(/.{4}/g) ?? []).join(':')
}

const writeLetters = (leftOut: readonly LeftOut[]): string =>
  leftOut
    .map((name) => letters[name])
    .sort()
    .join('')

const readLetters = (text: string): Set<LeftOut> =>
  new Set((Object.keys(letters) as LeftOut[]).filter((name) => text.includes(letters[name])))

/** Every comment that we wrote says so, where only administrators look. */
export const commentAgent = 'Wherry'

/** Without address and agent, WordPress would put those of our request. */
export const commentMark = (key: string, leftOut: readonly LeftOut[] = []) => ({
  author_ip: addressOf(key),
  author_user_agent: `${commentAgent} ${writeLetters(leftOut)}`.trim(),
})

export const readAgent = (agent: unknown): Set<LeftOut> =>
  readLetters(/^Wherry ([a-z]*)$/.exec(String(agent))?.[1] ?? '')

/**
 * Inside the last element of the text: after it, WordPress would make an empty paragraph of it. Nobody sees it, except
 * who looks at the code.
 */
export function markHtml(html: string, key: string, leftOut: readonly LeftOut[]): string {
  const at = startOfEnd(html)
  return `${html.slice(0, at)}<!-- wherry ${digestOf(key)} ${writeLetters(leftOut)}-->${html.slice(at)}`
}

/** The beginning of the end tags at the text's end. Searched from the end, tag by tag, since texts are long. */
function startOfEnd(html: string): number {
  let at = html.length
  for (let end = html.trimEnd().length; ; end = at) {
    const start = html.lastIndexOf('</', end - 1)
    if (start < 0 || !/^<\/[a-z][a-z0-9]*>$/i.test(html.slice(start, end))) return at
    at = html.slice(0, start).trimEnd().length
  }
}

const marked = /<!-- wherry ([0-9a-f]{32}) ([a-z]*)-->/g
/** Written by us below a text whose author has no account here. */
const byline = /\n<p><em>Written by [^<]*<\/em><\/p>\s*$/

export const writeByline = (name: string): string => `\n<p><em>Written by ${name}</em></p>`

/** The text as it was sent; `marker` is null when someone has taken it out. */
export function unmarkHtml(html: string): { html: string; marker: string | null; leftOut: Set<LeftOut> } {
  const [match] = html.matchAll(marked)
  if (!match) return { html, marker: null, leftOut: new Set() }
  const leftOut = readLetters(match[2] ?? '')
  const plain = html.replace(marked, '')
  return { html: leftOut.has('byline') ? plain.replace(byline, '') : plain, marker: match[1] ?? null, leftOut }
}
