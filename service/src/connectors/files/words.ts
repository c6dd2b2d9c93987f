/** The words of a text, for lists that would fill a screen each. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/)
