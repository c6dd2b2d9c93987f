const kinds = 'attachment|document|version|forum|news|message|project|commit|source|export|user'

/**
 * What Redmine makes links or macros of wherever it stands (`LINKS_RE`, `MACROS_RE` and `parse_wiki_links` of its
 * application_helper.rb): `#12`, `##12`, `#note-3`, `r45`, `@login`, `commit:f00`, `source:a/b`, `{{toc}}`, `[[Page]]`.
 * Each alternative is the one character without which it is nothing but text.
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

/** Characters that are none (Unicode's noncharacters) stand for the signs while the rest of a text is escaped. */
const first = 0xfdd0
const signs = ['#', 'r', '@', ':', '{', '[']
const standIns = /[\ufdd0-\ufdd5]/g

/** Escapes a text with the signs taken out, and writes each of them with `hide`, so that it is only a character. */
export function escapeSigns(
  text: string,
  isLink: boolean,
  write: (text: string) => string,
  hide: (sign: string) => string,
): string {
  const marked = text
    .replace(standIns, '')
    // In the words of a link, Redmine looks for no other link.
    .replace(isLink ? inLink : inText, (sign) => String.fromCharCode(first + signs.indexOf(sign)))
  return write(marked).replace(standIns, (char) => hide(signs[char.charCodeAt(0) - first] ?? ''))
}
