/** Words for anything that was thrown. A connector may throw values that cannot even be read. */
export function sayThrown(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return 'a value that cannot be read'
  }
}
