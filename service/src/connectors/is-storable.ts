/** Far longer than any id, address or reason of a tool. The ledger keeps each of them. */
const longest = 10_000

/** Whether a value is a text that the database keeps. It takes no NUL and no half of a character. */
export const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest && !value.includes('\0') && value.isWellFormed()
