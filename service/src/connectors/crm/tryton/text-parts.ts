// Several short texts in one, to be read by people and by us: `skype | hans.maier | office`.

export function joinParts(parts: readonly string[]): string {
  const escaped = parts.map((part) => part.replaceAll('\\', '\\\\').replaceAll('|', '\\|'))
  while (escaped.length > 1 && escaped.at(-1) === '') escaped.pop()
  return escaped.join(' | ')
}

export function splitParts(text: string): string[] {
  // A bar inside a part has a backslash before it, so this one is never inside.
  return text.split(' | ').map((part) => part.replace(/\\([\s\S])/g, '$1'))
}
