/** Ghost keeps a plain slug. It rewrites any other slug in an unpredictable way. */
const plain = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/
export const longestSlug = 185

/** The slug to send. Ghost may adapt it, or make one from the title if it is empty. */
export const writeSlug = (slug: string): string => slug.trim().slice(0, longestSlug)

export const isPlainSlug = (slug: string): boolean => plain.test(slug)

/** Removes the number that Ghost appends to a slug that is taken, because nobody can predict it. */
export const comparableSlug = (slug: string): string => slug.replace(/(-\d+)+$/, '').slice(0, 170)
