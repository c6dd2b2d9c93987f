/** Twice the longest answer of a tool that we read. More could take the memory of the whole process. */
const mostCharacters = 64_000_000
/** The cost of a value besides its text, so that a structure that contains itself ends, too. */
const charactersOfValue = 32

export const tooLong = `more than ${mostCharacters / 1e6} million characters`

/** Whether a connector's answer takes too much memory to go on with it. */
export function isTooLong(answers: readonly unknown[]): boolean {
  const values = [...answers]
  for (let left = mostCharacters; left >= 0; ) {
    if (values.length === 0) return false
    const value = values.pop()
    left -= charactersOfValue + (typeof value === 'string' ? value.length : 0)
    if (ArrayBuffer.isView(value)) left -= value.byteLength
    else if (Array.isArray(value) && value.length * charactersOfValue > left) return true
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) values.push(one)
  }
  return true
}
