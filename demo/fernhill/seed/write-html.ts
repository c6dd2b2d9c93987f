import { DESK_PLACEHOLDER } from '../records.ts'

export type Words = Record<string, string>

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Replaces each `{word}`. An unknown word is a mistake in the seed. */
export function fill(text: string, words: Words): string {
  return text.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const word = words[name]
    if (word === undefined) throw new Error(`The seed has no word for {${name}}`)
    return word
  })
}

/** Converts texts to HTML paragraphs. Addresses of this desk become links, as in a real help desk. */
export function paragraphs(...texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => `<p>${linkTickets(escapeText(text))}</p>`)
    .join('\n')
}

export function ticketUrl(number: number): string {
  return `${DESK_PLACEHOLDER}/tickets/${number}`
}

export function inlineImage(place: number, alt: string): string {
  return `<p><img src="${DESK_PLACEHOLDER}/attachments/file-${place}" alt="${escapeText(alt)}"></p>`
}

function linkTickets(text: string): string {
  return text.replaceAll(/https:\/\/desk\.invalid\/tickets\/\d+/g, (url) => `<a href="${url}">${url}</a>`)
}
