const bareUrl = /(?<![\p{L}\p{N}_/])(?:https?:\/\/|mailto:)[^\s<>"'`|\\^{}\p{Cc}]+/giu

/** Finds the addresses in running text, without the punctuation of the sentence around them. */
export function findUrls(text: string): { start: number; url: string }[] {
  return Array.from(text.matchAll(bareUrl), (match) => ({
    start: match.index,
    url: withoutSentenceEnd(match[0]),
  })).filter(({ url }) => /[\p{L}\p{N}]/u.test(url.slice(url.indexOf(':') + 1)))
}

function withoutSentenceEnd(url: string): string {
  let end = url.length
  let open = url.split('(').length - url.split(')').length
  for (; end > 0; end--) {
    const last = url[end - 1] ?? ''
    // A closing bracket belongs to the address only if it was opened there, as in /wiki/Mercury_(planet).
    if (last === ')' && open < 0) open++
    else if (!'.,;:!?*_~]'.includes(last)) break
  }
  return url.slice(0, end)
}
