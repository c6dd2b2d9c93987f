/** The beginning of a text. It never ends with half a character, such as half an emoji: databases refuse that in JSON. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
