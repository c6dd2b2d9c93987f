/** Names that a declaration has and we do not know, such as misspelt ones. Their values would have no effect. */
export const oddKeys = (declared: object, known: readonly string[]): string[] =>
  Object.keys(declared).filter((key) => !known.includes(key))

export function refuseOddKeys(place: string, declared: object, known: readonly string[]): void {
  const [odd] = oddKeys(declared, known)
  if (odd !== undefined) throw new Error(`${place}: there is no ${odd}`)
}
