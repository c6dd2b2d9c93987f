/** Splits a text into words, to keep long lists short. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/)
