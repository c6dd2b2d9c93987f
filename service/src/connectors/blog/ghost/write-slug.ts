/** Ghost writes everything else in its own way, which cannot be foretold. */
const plain = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/
export const longestSlug = 185

/** The slug to send. Ghost adapts it, or makes one of the title. */
export const writeSlug = (slug: string): string => slug.trim().slice(0, longestSlug)

export const isPlainSlug = (slug: string): boolean => plain.test(slug)

/** Without the number that Ghost puts behind a slug that is taken: nobody can know it beforehand. */
export const comparableSlug = (slug: string): string => slug.replace(/(-\d+)+$/, '').slice(0, 170)
