// Joins short texts into one that people and we can read: `skype | hans.maier | office`.

export function joinParts(parts: readonly string[]): string {
  const escaped = parts.map((part) => part.replaceAll('\\', '\\\\').replaceAll('|', '\\|'))
  while (escaped.length > 1 && escaped.at(-1) === '') escaped.pop()
  return escaped.join(' | ')
}

export function splitParts(text: string): string[] {
  // A bar within a part has a backslash before it, so this separator never occurs inside a part.
  return text.split(' | ').map((part) => part.replace(/\\([\s\S])/g, '$1'))
}
