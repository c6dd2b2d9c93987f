const kinds = 'attachment|document|version|forum|news|message|project|commit|source|export|user'

/**
 * Texts that Redmine turns into links or macros anywhere (`LINKS_RE`, `MACROS_RE` and `parse_wiki_links` of its
 * application_helper.rb): `#12`, `##12`, `#note-3`, `r45`, `@login`, `commit:f00`, `source:a/b`, `{{toc}}`, `[[Page]]`.
 * Each alternative matches the one character that must be hidden to make it plain text.
 */
const anywhere = [
  `(?<=(?:^|[^\\p{L}\\p{N}])(?:${kinds})?)#(?=#?(?:\\d|note))`,
  `(?<=(?:^|[^\\p{L}\\p{N}])#)#(?=\\d)`,
  String.raw`(?<![\p{L}\p{N}_])r(?=\d+(?![\p{L}\p{N}_]))`,
  String.raw`(?<![\p{L}\p{N}_.+])@(?=[A-Za-z0-9_.@-])`,
  String.raw`(?<=(?<![\p{L}\p{N}_])(?:${kinds})):(?=[^\s])`,
]
const evenInLinks = String.raw`\{(?=\{)|\[(?=\[)`
const inText = new RegExp([...anywhere, evenInLinks].join('|'), 'gu')
const inLink = new RegExp(evenInLinks, 'gu')

/** Unicode noncharacters replace the special signs while the rest of the text is escaped. */
const first = 0xfdd0
const signs = ['#', 'r', '@', ':', '{', '[']
const standIns = /[\ufdd0-\ufdd5]/g

/** Escapes a text with `write`, and its special signs with `hide`, so that they stay plain characters. */
export function escapeSigns(
  text: string,
  isLink: boolean,
  write: (text: string) => string,
  hide: (sign: string) => string,
): string {
  const marked = text
    .replace(standIns, '')
    // Inside the words of a link, Redmine looks for no other link.
    .replace(isLink ? inLink : inText, (sign) => String.fromCharCode(first + signs.indexOf(sign)))
  return write(marked).replace(standIns, (char) => hide(signs[char.charCodeAt(0) - first] ?? ''))
}

/** Patterns of literal text and existing links. Each match ends at its end tag or at the end of the text. */
export const literals = {
  textile: String.raw`<pre[\s\S]*?(?:<\/pre>|$)|<code[\s\S]*?(?:<\/code>|$)|@[^@\n]+@|"[^"\n]*":\S+|https?:\/\/\S+`,
  markdown: String.raw`~~~[\s\S]*?(?:~~~|$)|\`\`\`[\s\S]*?(?:\`\`\`|$)|\`[^\`\n]*\`|\[[^\][\n]*\]\([^)\n]*\)|https?:\/\/\S+`,
}

const anyLink = String.raw`(?:[a-z0-9_-]{1,100}:)?(?:${kinds})?##?(?:\d|note-\d)|r\d|@[A-Za-z0-9_]|(?:${kinds}):[^\s<>]`
const hiding = String.raw`(?<=^|[\s(,\-[>])!(?=${anyLink})[#@]?|!(?=\[\[[^\n|\]]|\{\{\w)[[{]`
const hidden = {
  textile: new RegExp(`${literals.textile}|${hiding}`, 'g'),
  markdown: new RegExp(`${literals.markdown}|${hiding}`, 'g'),
}

/**
 * Removes the `!` of `!#12` and `!{{toc}}`, which Redmine does not show. The escaped character becomes a character
 * reference, because the parser would read `#12` at the beginning of a line as a list.
 */
export const showHidden = (text: string, format: keyof typeof literals): string =>
  text.replace(hidden[format], (found: string) => {
    if (!/^![#@[{]?$/.test(found)) return found
    return found.length === 1 ? '' : `&#${found.charCodeAt(1)};`
  })
